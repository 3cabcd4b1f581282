"""Points as text: the one place where an exact fraction is rounded."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor


def show_points(points: Fraction) -> str:
    """Points to at most two decimals, a tie rounded up: "4", "0.7", "3.67"."""
    return _shown(points.numerator, points.denominator)


@lru_cache(maxsize=1024)
def _shown(numerator: int, denominator: int) -> str:
    """Looked up by whole numbers: the hash of a Fraction takes longer than that."""
    points = Fraction(numerator, denominator)
    whole = floor(abs(points) * 100 + Fraction(1, 2))
    sign = "-" if points < 0 and whole else ""
    units, rest = divmod(whole, 100)
    decimals = f"{rest:02d}".rstrip("0")
    return f"{sign}{units}.{decimals}" if decimals else f"{sign}{units}"


def points_number(points: Fraction) -> int | float:
    """The same figure as a number for JSON and spreadsheets."""
    text = show_points(points)
    return float(text) if "." in text else int(text)


def out_of(points: Fraction, maximum: Fraction) -> str:
    """``"3.67 of 4"``."""
    return f"{show_points(points)} of {show_points(maximum)}"
