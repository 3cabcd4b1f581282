"""The graded notebook of one student: their text, our feedback and points, for ``autograded/``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from headwork.assignment import Assignment
from headwork.collect.cells import read_cells
from headwork.collect.code import read_code
from headwork.collect.entries import STUDENT, Refused, list_folder
from headwork.collect.release import ReleaseNotebook
from headwork.collect.stored import load_one
from headwork.collect.submission import LARGEST_NOTEBOOK
from headwork.collect.text import decoded
from headwork.course import Course
from headwork.exports.nbgrader.cells import grade_id_of
from headwork.exports.nbgrader.marks import Judged, Marks, Score, judged, marks_of
from headwork.exports.nbgrader.outputs import outputs_of
from headwork.exports.nbgrader.rebuilt import rebuilt, rebuilt_from_file
from headwork.exports.nbgrader.released import (
    Notebook,
    cells_of,
    checksum_of,
    flags_of,
    released_notebook,
)
from headwork.model import Report, Submission
from headwork.pages.environment import environment
from headwork.rooms import Content
from headwork.writing import write_atomically

if TYPE_CHECKING:
    from jinja2 import Template

_HELPERS = ("own_numbers", "test_public")
KEPT_FILES = ("timestamp.txt", "submission_secret.txt")
"""Files of a submission that nbgrader needs again when it releases feedback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """What all students' notebooks of one assignment have in common."""

    course: Course
    content: Content
    assignment: Assignment
    released: Notebook
    handed_out: ReleaseNotebook | None
    feedback: Template


def open_shelf(course: Course, assignment: Assignment) -> Shelf:
    """Read the release once. Raises CourseError where it cannot be read."""
    content = course.content()
    return Shelf(
        course=course,
        content=content,
        assignment=assignment,
        released=released_notebook(course, content, assignment),
        handed_out=course.handed_out(assignment.name),
        feedback=environment(content).get_template("nbgrader_judgement.html.j2"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedNotebook:
    """A graded notebook and what goes into the gradebook."""

    notebook: Notebook
    marks: Marks


def graded_notebook(shelf: Shelf, report: Report) -> GradedNotebook:
    """The notebook to show, and the marks, of one report."""
    found = judged(report, shelf.content, hint_steps=shelf.assignment.policy.hints)
    messages = [*report.messages, *([report.reason] if report.reason and not report.judgements else [])]
    notebook = _students_own(shelf, report.student, messages)
    _fill_in(notebook, found, shelf.feedback)
    return GradedNotebook(notebook=notebook, marks=_complete(marks_of(report, found), notebook))


def _students_own(shelf: Shelf, student: str, messages: list[str]) -> Notebook:
    """The file that was graded, in the shape of the release; the release alone where nothing could be read."""
    files = _code_files(shelf, student)
    # Which of several files was graded, or what was typed beside a plain one, takes a second look at all of them.
    several = len(files) > 1 or any(not name.lower().endswith(".ipynb") for name, _ in files)
    submission = submission_of(shelf, student) if several else None
    for name, raw in files:
        if submission is not None and submission.cells:
            read = read_code(name, raw, release=shelf.handed_out)
            if read.unreadable or read.cells != submission.cells:
                continue
        text = decoded(raw).text
        try:
            return rebuilt(shelf.released, read_cells(text)[0], messages=messages)
        except ValueError:
            if submission is not None and submission.cells:
                plain = rebuilt_from_file(shelf.released, text, name=name, messages=messages)
                return _with_answers(plain, submission.answers)
    return rebuilt(shelf.released, [], messages=messages)


def _with_answers(notebook: Notebook, typed: Mapping[str, Mapping[str, str]]) -> Notebook:
    """Answers that were typed into a file of their own, put into the cells that ask for them."""
    texts = {f"answer-{exercise}--{name}": text for exercise, fields in typed.items() for name, text in fields.items()}
    for cell in cells_of(notebook):
        text = texts.get(flags_of(cell).get("grade_id", ""), "")
        if text:
            cell["source"] = text
    return notebook


def _code_files(shelf: Shelf, student: str) -> list[tuple[str, bytes]]:
    """Notebooks and Python files of a submission, the one of the assignment's name first."""
    found: list[tuple[str, bytes]] = []
    for entry in list_folder(shelf.course.root / "submitted" / student / shelf.assignment.name, STUDENT).entries:
        stem, _, ending = entry.name.lower().rpartition(".")
        if ending in ("ipynb", "py") and stem not in _HELPERS:
            try:
                found.append((entry.name, entry.read(LARGEST_NOTEBOOK)))
            except Refused:
                continue
    expected = f"{shelf.assignment.name}.ipynb"
    return sorted(found, key=lambda file: (file[0] != expected, not file[0].endswith(".ipynb"), file[0]))


def _fill_in(notebook: Notebook, found: tuple[Judged, ...], feedback: Template) -> None:
    by_cell = {grade_id_of(one.judgement): one for one in found}
    for cell in cells_of(notebook):
        one = by_cell.get(flags_of(cell).get("grade_id", ""))
        if one is not None and cell["cell_type"] == "code":
            cell["outputs"] = outputs_of(one, feedback)


def _complete(marks: Marks, notebook: Notebook) -> Marks:
    """Scores for cells that nothing of ours judges, as nbgrader gives them: nothing written is 0, the rest a person's."""
    scores = dict(marks.scores)
    for cell in cells_of(notebook):
        flags = flags_of(cell)
        if flags.get("grade") and flags["grade_id"] not in scores and marks.scores:
            untouched = flags["solution"] and flags.get("checksum") == checksum_of(cell)
            scores[flags["grade_id"]] = Score(points=0.0) if untouched else Score(points=None, person=True)
    return replace(marks, scores=scores)


def write_graded(shelf: Shelf, report: Report, graded: GradedNotebook) -> Path:
    """Write ``autograded/<student>/<assignment>/``, where nbgrader's feedback and formgrader look."""
    folder = shelf.course.root / "autograded" / report.student / shelf.assignment.name
    path = folder / f"{shelf.assignment.name}.ipynb"
    # Without indentation json is written by C, ten times as fast.
    text = json.dumps(graded.notebook, ensure_ascii=False) + "\n"
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
    for name in KEPT_FILES:
        kept = shelf.course.root / "submitted" / report.student / shelf.assignment.name / name
        if kept.is_file() and not kept.is_symlink():
            shutil.copyfile(kept, folder / name)
    return path


def submission_of(shelf: Shelf, student: str) -> Submission | None:
    """What the student handed in, read as ``headwork grade`` reads it."""
    return load_one(shelf.course.root, shelf.assignment.name, student, release=shelf.handed_out)
