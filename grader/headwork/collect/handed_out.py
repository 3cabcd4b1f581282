"""The files of a handout, read as a student's would be, so that what comes back can be told from them."""

from __future__ import annotations

from collections.abc import Mapping

from headwork.collect.cells import read_cells
from headwork.collect.code import read_code
from headwork.collect.release import ReleaseNotebook
from headwork.collect.text import decoded


def release_of(files: Mapping[str, bytes]) -> ReleaseNotebook:
    """What reading needs to know of the handed-out files. Raises ``ValueError`` for a notebook that is none."""
    kinds: dict[str, str] = {}
    sources: dict[str, str] = {}
    blank: set[str] = set()
    names = tuple(sorted(name for name in files if name.lower().endswith((".py", ".ipynb"))))
    for name in names:
        blank.add(read_code(name, files[name]).written)
        if not name.lower().endswith(".ipynb"):
            continue
        for cell in read_cells(decoded(files[name]).text)[0]:
            if cell.grade_id:
                kinds[cell.grade_id] = "answer" if cell.answer else cell.claims
                sources[cell.grade_id] = cell.source
    return ReleaseNotebook(kinds=kinds, sources=sources, names=names, blank=frozenset(blank))
