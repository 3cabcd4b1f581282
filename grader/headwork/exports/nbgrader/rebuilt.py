"""A student's notebook put back into the shape it was handed out in, for nbgrader to show and to score.

What counts comes from the release: kinds, points, tests, which cells there are. What is the student's is the
text of the cells meant for it, and any cells of their own. So a copied, retyped, moved, edited or missing
cell, and metadata of any kind, can neither stop nbgrader nor change a point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from headwork.collect.cells import RawCell
from headwork.collect.lines import statements
from headwork.exports.nbgrader.released import Cell, Notebook, cells_of, flags_of, is_locked
from headwork.reports.shown_text import shown_text

MOST_CELLS, LONGEST = 400, 100_000
"""How much of a student's own cells is shown to staff."""

_DEFINED = re.compile(r"(?:@[^\n]*\n)*(?:async )?def (\w+)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ACTIVE_TEX = re.compile(r"\\(?=(?:href|url|style|class|cssId|require|includegraphics|unicode)\b)")


def rebuilt(released: Notebook, raw_cells: Sequence[RawCell], *, messages: Sequence[str] = ()) -> Notebook:
    """The released notebook with the student's texts in it, in the student's order. The release stays as it is."""
    known = {flags["grade_id"]: cell for cell in cells_of(released) if (flags := flags_of(cell))}
    last = {cell.grade_id: place for place, cell in enumerate(raw_cells) if cell.grade_id in known}
    cells: list[Cell] = []
    own = 0
    for place, raw in enumerate(raw_cells):
        if last.get(raw.grade_id) == place:
            cells.append(_filled(known[raw.grade_id], raw.source))
        elif own < MOST_CELLS:
            own += 1
            cells.append(_own_cell(raw, own))
    _add_missing(cells, known, set(last))
    if messages:
        cells.insert(0, _markdown("\n".join(f"- {harmless(line)}" for line in messages), "headwork-says"))
    return {**{key: value for key, value in released.items() if key != "cells"}, "cells": cells}


def rebuilt_from_file(released: Notebook, source: str, *, name: str, messages: Sequence[str] = ()) -> Notebook:
    """The same for a Python file: its functions in the cells that ask for them, the rest in a cell before."""
    known = {flags["grade_id"] for cell in cells_of(released) if (flags := flags_of(cell)) and flags["solution"]}
    pieces: dict[str, list[str]] = {}
    rest: list[str] = [f"# {name}"]
    for piece in statements(source):
        found = _DEFINED.match(piece)
        target = pieces.setdefault(found.group(1), []) if found and found.group(1) in known else rest
        target.append(piece)
    raw = [RawCell(kind="code", source="\n".join(rest), number=1)]
    for cell in cells_of(released):
        flags = flags_of(cell)
        grade_id = flags.get("grade_id", "")
        text = "\n".join(pieces.get(grade_id, ())).strip() if flags.get("solution") else cell["source"]
        raw.append(RawCell(kind=cell["cell_type"], source=text, grade_id=grade_id))
    return rebuilt(released, raw, messages=messages)


def _filled(released: Cell, source: str) -> Cell:
    if is_locked(flags_of(released)):
        return dict(released)
    return {**released, "source": harmless(source) if released["cell_type"] == "markdown" else source[:LONGEST]}


def _own_cell(raw: RawCell, number: int) -> Cell:
    if raw.kind != "code":
        return _markdown(harmless(raw.source), f"own-{number}")
    return {
        "cell_type": "code",
        "id": f"own-{number}",
        "metadata": {},
        "source": raw.source[:LONGEST],
        "execution_count": None,
        "outputs": [],
    }


def _markdown(source: str, name: str) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def _add_missing(cells: list[Cell], known: dict[str, Cell], there: set[str]) -> None:
    """Put released cells that did not come back after the one before them."""
    before: str | None = None
    for grade_id, released in known.items():
        if grade_id not in there:
            places = [i for i, cell in enumerate(cells) if flags_of(cell).get("grade_id") == before]
            cells.insert(places[0] + 1 if before is not None and places else 0, _filled(released, ""))
        before = grade_id


def harmless(text: str) -> str:
    """Markdown of a student's that a browser will not run: no tags, no active TeX, no invisible characters."""
    shown = shown_text(text, longest=LONGEST)
    return _ACTIVE_TEX.sub(r"\\textbackslash ", _TAG.sub("&lt;", shown))
