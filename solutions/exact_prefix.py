"""The average of the visible prefix once more, in exact numbers: a second opinion

Values are nested lists with any leading axes, as in ``exact``.
"""

from fractions import Fraction
from typing import Any

Nested = list[Any]


def uniform(visible: Nested) -> Nested:
    """One over the number of visible positions, where a position is visible."""
    return [[Fraction(int(seen), sum(row)) for seen in row] for row in visible]


def averages(uniform: Nested, x: Nested) -> Nested:
    """Row t is the sum of the visible rows of x over their number."""
    if isinstance(x[0][0], list):
        return [averages(uniform, rows) for rows in x]
    return [[_mean(shares, column) for column in zip(*x, strict=True)] for shares in uniform]


def _mean(shares: Nested, column: Any) -> Any:
    seen = [number for share, number in zip(shares, column, strict=True) if share]
    return sum(seen) / len(seen)
