"""The notebook as students get it: from ``release/``, or made here as ``nbgrader generate_assignment`` would."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from headwork.assignment import Assignment
from headwork.course import Course
from headwork.exports.nbgrader.cells import notebook_cells, notebook_json
from headwork.model import CourseError
from headwork.rooms import Content

_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"

Cell = dict[str, Any]
Notebook = dict[str, Any]


def release_path(course: Course, name: str) -> Path:
    """Where ``nbgrader generate_assignment`` writes the notebook."""
    return course.root / "release" / name / f"{name}.ipynb"


def released_notebook(course: Course, content: Content, assignment: Assignment) -> Notebook:
    """The notebook with its checksums. Raises CourseError where the released one cannot be read."""
    path = release_path(course, assignment.name)
    if not path.exists():
        return as_released(notebook_json(notebook_cells(content, assignment), assignment=assignment.name))
    try:
        notebook = cast(Notebook, json.loads(path.read_text(encoding="utf-8")))
        for cell in cells_of(notebook):
            cell["source"] = source_of(cell)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CourseError(f"{path}: can't be read ({error}); run `nbgrader generate_assignment` again") from error
    return notebook


def as_released(notebook: Notebook) -> Notebook:
    """Solution regions replaced by stubs, and checksums put in."""
    for cell in cells_of(notebook):
        if _BEGIN in cell["source"]:
            cell["source"] = _stubbed(cell["source"])
        flags = flags_of(cell)
        if flags:
            flags["checksum"] = checksum_of(cell)
            flags["cell_type"] = cell["cell_type"]
    return notebook


def _stubbed(source: str) -> str:
    lines: list[str] = []
    inside = False
    for line in source.split("\n"):
        if _BEGIN in line:
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub for stub in _STUB]
        elif _END in line:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def cells_of(notebook: Mapping[str, Any]) -> list[Cell]:
    """The cells of one of our notebooks."""
    return notebook["cells"]


def source_of(cell: Mapping[str, Any]) -> str:
    """The text of a cell, which files hold as text or as lines."""
    source: str | list[str] = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def flags_of(cell: Mapping[str, Any]) -> dict[str, Any]:
    """nbgrader's metadata of a cell; empty for a cell that it does not know."""
    return cell["metadata"].get("nbgrader", {})


def is_locked(flags: Mapping[str, Any]) -> bool:
    """Whether students' changes to the cell are undone: tests and read-only cells, never solutions."""
    return not flags["solution"] and (flags["grade"] or flags["locked"])


def checksum_of(cell: Mapping[str, Any]) -> str:
    """nbgrader's checksum of a cell (``nbgrader.utils.compute_checksum``, without loading nbgrader)."""
    flags = flags_of(cell)
    parts = [
        source_of(cell),
        cell["cell_type"],
        str(flags["grade"]),
        str(flags["solution"]),
        str(is_locked(flags)),
        flags["grade_id"],
    ]
    if flags["grade"]:
        parts.append(str(float(flags["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()
