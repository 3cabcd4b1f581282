"""The cells of a notebook as we use them: source, and what its metadata claims. Outputs are never looked at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from headwork.collect.loose import items, mapping, parsed, word
from headwork.collect.text import with_line_feeds, without_surrogates

LONGEST_ID = 100
MOST_CELLS = 10_000

_ROLES = {"given": "setup", "solution": "solution", "check": "test"}
"""Roles of cells in our own notebooks, in the words of ``RawCell.claims``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCell:
    """One cell as the file has it. ``number`` counts code cells from 1, as a reader would."""

    kind: str
    source: str
    grade_id: str = ""
    claims: str = ""
    """What the cell says it is: "test", "solution", "given", "task", "setup" (our own first cell) or nothing."""
    answer: str = ""
    """"exercise/field" where the cell holds a typed answer."""
    number: int = 0

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return self.grade_id or f"cell {self.number}"


def read_cells(text: str) -> tuple[tuple[RawCell, ...], Mapping[str, object]]:
    """The cells and the notebook's metadata. Raises ``ValueError`` with a sentence for a message."""
    start = text.lstrip()[:15].lower()
    if not start:
        raise ValueError("the file is empty")
    if start.startswith("<"):
        raise ValueError("the file is a web page, not a notebook")
    document = parsed(text)
    if not isinstance(document, dict):
        raise ValueError("the file is JSON but not a notebook")
    notebook = mapping(document)  # pyright: ignore[reportUnknownArgumentType]
    listed = notebook.get("cells")
    if listed is None and (sheets := items(notebook.get("worksheets"))):  # format 3 and older
        listed = [cell for sheet in sheets for cell in items(mapping(sheet).get("cells"))]
    if not isinstance(listed, list):
        raise ValueError("the file has no cells, so it is not a notebook")
    if len(listed) > MOST_CELLS:  # pyright: ignore[reportUnknownArgumentType]
        raise ValueError(f"more than {MOST_CELLS} cells")
    cells: list[RawCell] = []
    number = 0
    for entry in items(cast("object", listed)):
        cell = mapping(entry)
        number += cell.get("cell_type") == "code"
        cells.append(_cell(cell, number))
    return tuple(cells), mapping(notebook.get("metadata"))


def _cell(cell: Mapping[str, object], number: int) -> RawCell:
    source = cell.get("source", cell.get("input"))
    lines = source if isinstance(source, str) else "".join(s for s in items(source) if isinstance(s, str))
    metadata = mapping(cell.get("metadata"))
    grader = mapping(metadata.get("nbgrader"))
    own = mapping(metadata.get("headwork"))
    grade_id = without_surrogates(word(grader.get("grade_id"), longest=LONGEST_ID)) or _own_id(own)
    return RawCell(
        kind=word(cell.get("cell_type"), longest=20),
        source=with_line_feeds(without_surrogates(lines)),
        grade_id=grade_id,
        claims=claimed_kind(grader) or _ROLES.get(word(own.get("role")), ""),
        answer=_answer(own, grade_id),
        number=number,
    )


def claimed_kind(grader: Mapping[str, object]) -> str:
    """The kind that nbgrader's flags stand for."""
    grade, solution, locked = (grader.get(key) is True for key in ("grade", "solution", "locked"))
    if grader.get("task") is True:
        return "task"
    if solution:
        return "solution"
    if grade and locked:
        return "test"
    return "given" if locked else ""


def _own_id(own: Mapping[str, object]) -> str:
    """A name for a cell of our own notebook, which has no grade id."""
    function = without_surrogates(word(own.get("function"), longest=LONGEST_ID))
    names = {"given": "setup", "solution": function, "check": f"check({function})"}
    return names.get(word(own.get("role")), "") if function or own.get("role") == "given" else ""


def _answer(own: Mapping[str, object], grade_id: str) -> str:
    tagged = without_surrogates(word(own.get("answer")))
    if tagged.count("/") and all(tagged.split("/")):
        return tagged
    if named := re.fullmatch(r"answer-(.+?)--(.+)", grade_id):
        return f"{named.group(1)}/{named.group(2)}"
    return ""


def language(metadata: Mapping[str, object]) -> str | None:
    """The language of the notebook where it is not Python. A kernel's name says nothing: it may be anybody's."""
    said = mapping(metadata.get("language_info")).get("name") or mapping(metadata.get("kernelspec")).get("language")
    said = word(said, longest=40).strip()
    return said if said and not re.match(r"(?:i?python|xpython)", said, re.IGNORECASE) else None
