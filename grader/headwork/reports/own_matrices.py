"""A student's own matrices, and the right ones where they are released, as shaded tables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np

from headwork.model import Judgement
from headwork.pages.matrix import MatrixView, Words, matrix_view
from headwork.reports.shown_text import shown_line

CAPTIONS = {"student": "yours", "reference": "expected"}
_LONGEST_CELL = 40


def own_matrices(judgement: Judgement, words: Words) -> tuple[MatrixView, ...]:
    """What ``shown`` holds, cell by cell; cells that differ are marked where both sides are there."""
    grids = {name: grid for name in CAPTIONS if (grid := _grid(judgement.shown.get(name))) is not None}
    differing = _differing(grids.get("student"), grids.get("reference"))
    return tuple(
        matrix_view(
            f"{shown_line(judgement.part, longest=80)}, {CAPTIONS[name]}",
            grid.tolist(),
            axes=judgement.axes,
            numbers=_each(number_of, grid).astype(np.float64),
            words=words,
            wrong=differing if name == "student" else frozenset(),
        )
        for name, grid in grids.items()
    )


def _grid(nested: Any) -> Any:
    """Nested lists of text as an object array of short texts; None where they are not rectangular."""
    if nested is None:
        return None
    try:
        grid = np.array(nested, dtype=object)
    except ValueError:
        return None
    flat = [cast(object, entry) for entry in grid.ravel()]
    if not flat or any(isinstance(entry, list | tuple) for entry in flat) or grid.ndim > 4:
        return None
    return np.array([shown_line(str(entry), longest=_LONGEST_CELL) for entry in flat], dtype=object).reshape(grid.shape)


def _each(function: Callable[[str], float], grid: Any) -> Any:
    return np.array([function(str(text)) for text in grid.ravel()]).reshape(grid.shape)


def number_of(text: str) -> float:
    """The number that a short text shows ("0.25", "1/4", "-inf"); nan where it is not a plain one."""
    try:
        return float(Fraction(text)) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return np.nan


def _differing(student: Any, reference: Any) -> frozenset[tuple[int, ...]]:
    """Cells whose difference is more than the rounding of the digits shown."""
    if student is None or reference is None or student.shape != reference.shape:
        return frozenset()
    found: set[tuple[int, ...]] = set()
    for index in np.ndindex(student.shape):
        yours, wanted = str(student[index]), str(reference[index])
        left, right = number_of(yours), number_of(wanted)
        if np.isnan(left) or np.isnan(right) or left == right:
            continue
        if not abs(left - right) <= max(_half_unit(yours), _half_unit(wanted)) * 1.001:
            found.add(index)
    return frozenset(found)


def _half_unit(text: str) -> float:
    _, point, decimals = text.partition(".")
    return 0.5 * 10.0 ** -len(decimals) if point and decimals.isdecimal() else 1e-9
