"""What a student reads about a hand-worked stage, and what the page may draw of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from headwork.answers.matrices import Matrix, shown
from headwork.answers.tree import show
from headwork.marking.hand_cells import Mark, Typed
from headwork.model import Cell

_LETTERS = {"B": "b", "n_heads": "head", "T": "t", "T_q": "t", "T_k": "s"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Sentences about one stage."""

    stage: str
    axes: tuple[str, ...]
    decimals: int
    reference: NDArray[np.float64]
    show_reference: bool

    def shape_text(self) -> str:
        """The wanted shape with the names of its axes."""
        return (
            "(" + ", ".join(f"{name}={size}" for name, size in zip(self.axes, self.reference.shape, strict=False)) + ")"
        )

    def first_axes(self) -> str:
        """The last two axes: rows, then columns."""
        return " by ".join(self.axes[-2:])

    def shape(self, seen: str, transposed: bool) -> str:
        """The shape is another one."""
        turned = "; the numbers are right, with rows and columns swapped (transposed)" if transposed else ""
        return f"{self.stage}: wrong shape: yours {seen}, wanted {self.shape_text()}{turned}"

    def early(self, *, full: bool) -> str:
        """Right method, rounded on the way."""
        counts = ", which counts as right here" if full else ""
        return f"{self.stage}: right method, rounded too early{counts}"

    def follows(self, names: Sequence[str]) -> str:
        """Right on own values."""
        return f"{self.stage}: right, judged from your own {_and(names)}"

    def judged_from(self, names: Sequence[str]) -> str:
        """Partly right on own values."""
        return f"These cells were judged from your own {_and(names)}."

    def guarded(self, names: Sequence[str]) -> str:
        """The guard refused."""
        return (
            f"It was not judged from your own {_and(names)}: those are the same number over and over "
            f"where the right ones differ, so nothing is left to work out from them."
        )

    def wrong(self, marks: Sequence[Mark]) -> str:
        """What is the matter, in one sentence."""
        left = {mark for mark in marks if mark not in (Mark.RIGHT, Mark.FOLLOWS)}
        if left == {Mark.TOO_FEW}:
            return f"{self.stage}: too few digits; give at least {self.decimals} decimals"
        if left == {Mark.EARLY}:
            return self.early(full=False)
        if left == {Mark.BLANK}:
            return f"{self.stage}: {_count(marks, Mark.BLANK)} blank; the others are right"
        return f"{self.stage}: wrong values; the shape is right {self.shape_text()}"

    def about(self, marks: Sequence[Mark], cells: Sequence[Typed]) -> tuple[tuple[str, ...], Cell | None]:
        """Details of a matrix that isn't all right, and its worst cell."""
        lines: list[str] = []
        worst = self._worst(marks, cells)
        cell = None
        if worst is not None:
            cell = self._cell(worst, cells[worst])
            expected = f", expected {cell.reference}" if cell.reference else ""
            lines.append(f"worst at {cell.where}: yours {cell.student}{expected}")
        if Mark.TOO_FEW in marks:
            first = list(marks).index(Mark.TOO_FEW)
            lines.append(
                f"{self._where(first)}: {_typed_text(cells[first])} is right as far as it goes; "
                f"at least {self.decimals} decimals are asked"
            )
        if Mark.EARLY in marks:
            lines.append(
                f"{_count(marks, Mark.EARLY)} rounded too early: keep all digits until the end, "
                f"then round to {self.decimals} decimals"
            )
        if Mark.BLANK in marks:
            lines.append(f"{_count(marks, Mark.BLANK)} blank")
        return tuple(lines), cell

    def _worst(self, marks: Sequence[Mark], cells: Sequence[Typed]) -> int | None:
        wrong = [index for index, mark in enumerate(marks) if mark is Mark.WRONG]
        flat = self.reference.ravel()

        def distance(index: int) -> float:
            gap = abs(cells[index].value - float(flat[index]))
            return math.inf if math.isnan(gap) else gap

        return max(wrong, key=distance) if wrong else None

    def _where(self, index: int) -> str:
        at = np.unravel_index(index, self.reference.shape)
        names: list[str] = []
        for axis in self.axes:
            name = _LETTERS.get(axis, "feature")
            names.append("s" if name == "t" and "t" in names else name)
        return " ".join(f"{name}={int(place)}" for name, place in zip(names, at, strict=False))

    def _cell(self, index: int, cell: Typed) -> Cell:
        student = _typed_text(cell)
        reference = self.number(float(self.reference.ravel()[index]), beside=student)
        return Cell(where=self._where(index), student=student, reference=reference if self.show_reference else "")

    def number(self, value: float, beside: str = "") -> str:
        """A right value to the digits asked, or as many more as tell it from the text beside it."""
        if not math.isfinite(value):
            return "-inf" if value < 0 else "inf"
        for decimals in range(self.decimals, 17):
            text = f"{value + 0.0:.{decimals}f}"
            if text != beside and not _same_number(text, beside):
                return text.replace("-0." + "0" * decimals, "0." + "0" * decimals)
        return repr(value)

    def shown(self, matrix: Matrix | None, marks: Sequence[Mark] | None) -> dict[str, Any]:
        """What the page may draw: the student's matrix as read, the marks of its cells, and the right values."""
        drawn: dict[str, Any] = {}
        if matrix is not None:
            drawn["student"] = shown(matrix)
        if marks is not None:
            drawn["cells"] = (
                np.array([mark.value for mark in marks], dtype=object).reshape(self.reference.shape).tolist()
            )
        if self.show_reference:
            texts = [self.number(float(value)) for value in self.reference.flat]
            drawn["reference"] = np.array(texts, dtype=object).reshape(self.reference.shape).tolist()
        return drawn

    def read_as(self, matrix: Matrix) -> str:
        """The whole answer as it was read, in one line."""
        return _bracketed(shown(matrix))


def _bracketed(nested: Any) -> str:
    if isinstance(nested, list):
        return "[" + ", ".join(_bracketed(part) for part in cast("list[Any]", nested)) + "]"
    return str(nested) or "_"


def _typed_text(cell: Typed) -> str:
    if cell.tree is None:
        return "blank"
    return show(cell.tree)[:80]


def _same_number(text: str, other: str) -> bool:
    try:
        return float(text) == float(other)
    except ValueError:
        return False


def _count(marks: Sequence[Mark], kind: Mark) -> str:
    number = sum(mark is kind for mark in marks)
    return "1 cell is" if number == 1 else f"{number} cells are"


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)
