"""Decimal answers against an exact value: what "to 3 decimals" accepts.

Right is an answer that rounds to the same number as the exact value at the place asked (either way on a
tie), or that lies nearer to it than that rounding does. More digits and typed zeros never hurt; a value
that is right only to fewer digits than asked is told so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from .tree import Number
from .value import Real, digits, real


class Closeness(StrEnum):
    """How a decimal compares with the exact value."""

    RIGHT = "right"
    TOO_FEW = "too few digits"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How many digits a question asks: decimals, or significant figures."""

    decimals: int | None = None
    significant: int | None = None

    def text(self) -> str:
        """As a message says it."""
        if self.significant is not None:
            return f"{self.significant} significant figures"
        return f"{self.decimals} decimals"

    def place(self, reference: Real) -> int:
        """The decimal place to round ``reference`` to; negative left of the point."""
        if self.significant is None:
            return self.decimals or 0
        if not reference:
            return self.significant
        return self.significant - 1 - magnitude(reference)


def magnitude(value: Real) -> int:
    """The power of ten of the first digit: 0 for 2.5, -3 for 0.004."""
    return int(digits().floor(digits().log10(abs(value))))


def same(left: Real, right: Real) -> bool:
    """Equal to 50 of the 60 digits that were calculated."""
    scale = max(abs(left), abs(right))
    return left == right or abs(left - right) <= scale * real(10) ** -50 or scale < real(10) ** -55


def rounded(value: Real, place: int) -> frozenset[int]:
    """``value`` rounded to a decimal place, as whole units of that place; both ways on a tie."""
    units = value * real(10) ** place
    below = int(digits().floor(units))
    above_by = units - below
    half = real(0.5)
    if same(above_by, half):
        return frozenset((below, below + 1))
    return frozenset((below if above_by < half else below + 1,))


def closeness(typed: Real, reference: Real, asked: Asked, number: Number | None) -> Closeness:
    """Compare a typed value with the exact one.

    ``number`` is the literal that was typed, or None for any other expression, which counts as
    having digits enough.
    """
    if same(typed, reference):
        return Closeness.RIGHT
    place = asked.place(reference)
    wanted = rounded(reference, place)
    if rounded(typed, place) & wanted and (_enough(number, place) or _shows(typed, wanted, place)):
        return Closeness.RIGHT
    unit = real(10) ** -place
    if _enough(number, place) and abs(typed - reference) <= min(abs(each * unit - reference) for each in wanted):
        return Closeness.RIGHT
    shown = place if number is None else (number.decimals or 0)
    if shown < place and _shows(typed, rounded(reference, shown), shown):
        return Closeness.TOO_FEW
    return Closeness.WRONG


def _enough(number: Number | None, place: int) -> bool:
    return number is None or (number.decimals or 0) >= place


def _shows(typed: Real, units: frozenset[int], place: int) -> bool:
    """Whether the typed number is one of these roundings, its last zeros left out."""
    return any(same(typed * real(10) ** place, real(each)) for each in units)


def within(typed: Real, reference: Real, *, relative: Fraction = Fraction(0), absolute: Fraction = Fraction(0)) -> bool:
    """Whether a value lies in a declared distance, the edge included."""
    return abs(typed - reference) <= max(real(absolute), real(relative) * abs(reference)) * (1 + real(10) ** -50)


def tells_apart(reference: Real, other: Real, asked: Asked) -> bool:
    """Whether these digits suffice to tell a mistake's value from the right one, whoever rounds it."""
    place = asked.place(reference)
    return abs(reference - other) > real(10) ** -place
