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
_FINE = ("right", "follows")


def own_matrices(judgement: Judgement, words: Words) -> tuple[MatrixView, ...]:
    """What ``shown`` holds, cell by cell, with what was not right about a cell where marking said so."""
    grids = {name: grid for name in CAPTIONS if (grid := _grid(judgement.shown.get(name))) is not None}
    notes = _notes(judgement.shown.get("cells"), grids.get("student"), grids.get("reference"))
    return tuple(
        matrix_view(
            f"{shown_line(judgement.part, longest=80)}, {CAPTIONS[name]}",
            grid.tolist(),
            axes=judgement.axes,
            numbers=_each(number_of, grid).astype(np.float64),
            words=words,
            notes=notes if name == "student" else None,
        )
        for name, grid in grids.items()
    )


def _grid(nested: Any) -> Any:
    """Nested lists of text as an object array of short texts; None where they are not rectangular."""
    if not isinstance(nested, list):
        return None
    try:
        grid = np.array(cast(list[Any], nested), dtype=object)
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


def _notes(cells: Any, student: Any, reference: Any) -> dict[tuple[int, ...], str]:
    """What marking says about each cell; without marks, which cells differ from released right ones."""
    if student is None:
        return {}
    marks = _grid(cells)
    if marks is not None and marks.shape == student.shape:
        return {index: str(marks[index]) for index in np.ndindex(student.shape) if marks[index] not in _FINE}
    if reference is None or reference.shape != student.shape:
        return {}
    return {
        index: "differs" for index in np.ndindex(student.shape) if _differ(str(student[index]), str(reference[index]))
    }


def _differ(yours: str, wanted: str) -> bool:
    """Whether two numbers are further apart than the rounding of the digits shown."""
    left, right = number_of(yours), number_of(wanted)
    if np.isnan(left) or np.isnan(right) or left == right:
        return False
    return not abs(left - right) <= max(_half_unit(yours), _half_unit(wanted)) * 1.001


def _half_unit(text: str) -> float:
    _, point, decimals = text.partition(".")
    return 0.5 * 10.0 ** -len(decimals) if point and decimals.isdecimal() else 1e-9
