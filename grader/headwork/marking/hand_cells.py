"""One typed matrix held against one reference, cell by cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.answers.characters import Refused
from headwork.answers.decimals import Asked, Closeness, closeness
from headwork.answers.matrices import Matrix
from headwork.answers.tree import Number, Tree, infinite, literal
from headwork.answers.value import Real, real, worth


class Mark(StrEnum):
    """What one cell earned."""

    RIGHT = "right"
    FOLLOWS = "follows"
    EARLY = "rounded early"
    TOO_FEW = "too few digits"
    WRONG = "wrong"
    BLANK = "blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A typed cell: its tree, the literal if it is one, and its value as a float (nan where blank)."""

    tree: Tree | None
    number: Number | None
    value: float

    def exact(self) -> Real:
        """The value in 60 digits."""
        assert self.tree is not None
        return real(self.number.value) if self.number is not None else worth(self.tree)


def typed_cells(matrix: Matrix) -> tuple[Typed, ...]:
    """The cells of a matrix with their values. Raises Refused where one has none (it divides by zero)."""
    return tuple(_typed(cell) for cell in matrix.cells)


def _typed(tree: Tree | None) -> Typed:
    if tree is None:
        return Typed(tree=None, number=None, value=math.nan)
    number = literal(tree)
    try:
        if number is not None:
            return Typed(tree=tree, number=number, value=float(number.value))
        sign = infinite(tree)
        return Typed(tree=tree, number=None, value=sign * math.inf if sign else float(worth(tree)))
    except OverflowError:
        raise Refused("this is too large to be worked with", 0) from None


def direct_marks(
    cells: Sequence[Typed], exact: Sequence[Real], reference: NDArray[np.float64], decimals: int
) -> list[Mark]:
    """Marks against the exact values, in reading order. ``exact`` are the same numbers in 60 digits."""
    tops = _row_tops(cells, reference)
    asked = Asked(decimals=decimals)
    marks: list[Mark] = []
    for cell, precise, about, top in zip(cells, exact, reference.flat, tops, strict=True):
        if cell.tree is None:
            marks.append(Mark.BLANK)
        elif not np.isfinite(about) or not np.isfinite(cell.value):
            marks.append(Mark.RIGHT if _hidden(cell.value, float(about), top) else Mark.WRONG)
        else:
            quick = _at_a_glance(cell, float(about), decimals)
            found = quick or closeness(cell.exact(), precise, asked, cell.number)
            marks.append(
                {Closeness.RIGHT: Mark.RIGHT, Closeness.TOO_FEW: Mark.TOO_FEW, Closeness.WRONG: Mark.WRONG}[found]
            )
    return marks


def _row_tops(cells: Sequence[Typed], reference: NDArray[np.float64]) -> list[float]:
    """For every cell the largest finite number that was typed in its row; it matters beside hidden cells only."""
    values = [cell.value for cell in cells]
    if np.isfinite(reference).all() and all(map(math.isfinite, values)):
        return values
    width = reference.shape[-1]
    seen = [value if math.isfinite(value) and math.isfinite(right) else -math.inf
            for value, right in zip(values, reference.flat, strict=True)]  # fmt: skip
    return [top for start in range(0, len(seen), width) for top in [max(seen[start : start + width])] * width]


def _hidden(value: float, reference: float, top: float) -> bool:
    """A hidden score may be any number that vanishes in the softmax of its row."""
    if reference == -math.inf and value < 0 and math.isfinite(top):
        return value == -math.inf or math.exp(min(0.0, value - top)) == 0
    return value == reference


def _at_a_glance(cell: Typed, reference: float, decimals: int) -> Closeness | None:
    """The verdict where floats suffice: away from any tie, with digits enough. None where they don't."""
    if cell.number is not None and (cell.number.decimals or 0) < decimals:
        return None
    unit = 10.0**-decimals
    if abs(cell.value - reference) > 1.001 * unit + 1e-9 * abs(reference):
        return Closeness.WRONG
    mine, right = _units(cell.value, decimals), _units(reference, decimals)
    if len(mine) == len(right) == 1 and mine == right:
        return Closeness.RIGHT
    return None


def _units(value: float, decimals: int) -> frozenset[int]:
    """A float rounded to a place, both ways where it is as good as a tie."""
    units = value * 10.0**decimals
    below = math.floor(units)
    if abs(units - below - 0.5) < 1e-6 + 1e-9 * abs(units):
        return frozenset((below, below + 1))
    return frozenset((round(units),))


def close_marks(
    cells: Sequence[Typed], values: NDArray[np.float64], decimals: int, slack: NDArray[np.float64] | None = None
) -> list[bool]:
    """Whether every cell is one of ``values`` to the digits asked, give or take ``slack``.

    Values are floats here, since what the student started from was rounded itself.
    """
    tops = _row_tops(cells, values)
    loose = np.zeros(values.shape) if slack is None else slack
    return [
        _close(cell, float(value), decimals, top, float(more))
        for cell, value, top, more in zip(cells, values.flat, tops, loose.flat, strict=True)
    ]


def _close(cell: Typed, value: float, decimals: int, top: float, slack: float) -> bool:
    if cell.tree is None or math.isnan(value):
        return False
    if not math.isfinite(value) or not math.isfinite(cell.value):
        return _hidden(cell.value, value, top)
    difference = abs(cell.value - value)
    if difference <= 1e-12 * max(1.0, abs(value)):
        return True
    shown = decimals if cell.number is None else (cell.number.decimals or 0)
    same = _units(cell.value, decimals) & _units(value, decimals)
    if shown < decimals:
        return (
            bool(same)
            and abs(cell.value * 10.0**decimals - round(cell.value * 10.0**decimals)) < 1e-6
            and any(abs(each * 10.0**-decimals - cell.value) < 1e-9 for each in same)
        )
    return bool(same) or difference <= slack + 0.5 * 10.0**-decimals


def credit_of(marks: Sequence[Mark], row: int, *, mode: str, early: Fraction) -> Fraction:
    """The share of the points: of all cells, of all rows (a row counts by its worst cell), or all or nothing."""
    worth_of: dict[Mark, Fraction] = {Mark.RIGHT: Fraction(1), Mark.FOLLOWS: Fraction(1), Mark.EARLY: early}
    shares = [worth_of.get(mark, Fraction(0)) for mark in marks]
    if mode == "all":
        return min(shares)
    if mode == "rows":
        rows = [min(shares[start : start + row]) for start in range(0, len(shares), row)]
        return sum(rows, Fraction(0)) / len(rows)
    return (shares.count(Fraction(1)) + sum(share for share in shares if 0 < share < 1)) / Fraction(len(shares))


def array_of(cells: Sequence[Typed], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Typed values as an array; blanks are nan."""
    return np.array([cell.value for cell in cells], dtype=np.float64).reshape(shape)


def half_units(cells: Sequence[Typed], shape: tuple[int, ...], decimals: int) -> NDArray[np.float64]:
    """How far a typed decimal may be from the number that its author had, at most that of the digits asked."""
    halves: list[Any] = [
        0.0
        if cell.number is None or cell.number.decimals is None
        else 0.5 * 10.0 ** -max(cell.number.decimals, decimals)
        for cell in cells
    ]
    return np.array(halves).reshape(shape)
