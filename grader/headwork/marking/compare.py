"""When are two arrays the same? The one module that knows about closeness.

Shapes come first, then whether the values are numbers, then where they are finite, then how close
they are. Nothing is broadcast. A value is right when it is within TOL of the reference, relative to
the largest reference value; drawn problems keep every known mistake further away than GAP.

TOL is what float32 may lose: 2**-23 per operation, times the at most 80 terms of the longest sum that
a drawn problem has. GAP is ten times that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOL = 1e-5
GAP = 1e-4
LARGE_TOL = 2e-3
"""For scores in the hundreds, where float32 has lost three digits before the softmax."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What was found: ``kind`` is "right", "shape", "numbers", "finite" or "values"."""

    kind: str
    distance: float = 0.0
    worst: tuple[int, ...] | None = None
    first: tuple[int, ...] | None = None
    """Index of the first wrong cell, in reading order."""

    @property
    def is_right(self) -> bool:
        """True where the student's array is the reference."""
        return self.kind == "right"


_SAME = Comparison(kind="right")


def hidden_cells(reference: NDArray[Any], student: NDArray[Any]) -> NDArray[np.bool_]:
    """Cells that the reference hides (minus infinity) and that vanish in the student's softmax too.

    A hidden score may be any number whose exponential, seen from the largest visible score of its row, is 0.
    """
    hidden = np.isneginf(reference)
    top = np.where(hidden, -np.inf, student).max(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        return hidden & (np.exp(student - top) == 0)


def relative_distance(reference: Any, student: Any) -> float:
    """Largest difference over the largest finite reference value; infinite where the two don't line up.

    They don't line up when the shapes differ, when the student's array isn't numbers, or when one is
    finite where the other is not (except scores that both hide).
    """
    wanted, seen = np.asarray(reference), np.asarray(student)
    if wanted.shape != seen.shape or seen.dtype.kind not in "bifu":
        return np.inf
    if not wanted.size:
        return 0.0
    if wanted.dtype == seen.dtype and wanted.tobytes() == seen.tobytes():  # the ordinary case, without arithmetic
        return 0.0
    wanted, seen = wanted.astype(np.float64, copy=False), seen.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        largest = float(np.abs(wanted - seen).max())
    if math.isfinite(largest):
        return largest / max(1e-12, float(np.abs(wanted).max()))
    finite = np.isfinite(wanted)
    if not finite.all():
        ok = hidden_cells(wanted, seen) if np.isneginf(wanted).any() else np.zeros_like(finite)
        same = ok | (np.isnan(wanted) & np.isnan(seen)) | (wanted == seen)
        if not same[~finite].all():
            return np.inf
        wanted, seen = wanted[finite], seen[finite]
        if not wanted.size:
            return 0.0
    difference = np.abs(wanted - seen).max()
    if not np.isfinite(difference):
        return np.inf
    return float(difference / max(1e-12, np.abs(wanted).max()))


def compare(*, reference: NDArray[Any], student: NDArray[Any], large: bool = False) -> Comparison:
    """Hold a student's array against the reference, ``large`` for scores in the hundreds."""
    if student.shape != reference.shape:
        return Comparison(kind="shape", distance=np.inf)
    if student.dtype.kind not in "bifu":
        return Comparison(kind="numbers", distance=np.inf)
    tolerance = LARGE_TOL if large else TOL
    distance = relative_distance(reference, student)
    if distance <= tolerance:
        return Comparison(kind="right", distance=distance) if distance else _SAME
    wanted, seen = reference.astype(np.float64), student.astype(np.float64)
    lines_up = np.isfinite(wanted) & np.isfinite(seen) | (wanted == seen) | np.isnan(wanted) & np.isnan(seen)
    if not np.isfinite(wanted).all():
        lines_up |= hidden_cells(wanted, seen)
    if not lines_up.all():
        at = tuple(int(i) for i in np.argwhere(~lines_up)[0])
        return Comparison(kind="finite", distance=np.inf, worst=at, first=at)
    with np.errstate(all="ignore"):
        off = np.where(np.isfinite(wanted) & np.isfinite(seen), np.abs(wanted - seen), 0.0)
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=1e-12)
    worst = tuple(int(i) for i in np.unravel_index(int(off.argmax()), off.shape))
    wrong = np.argwhere(off > tolerance * scale)
    first = tuple(int(i) for i in wrong[0]) if len(wrong) else worst
    return Comparison(kind="values", distance=distance, worst=worst, first=first)


def is_close(reference: Any, student: Any, *, tolerance: float = TOL) -> bool:
    """True where ``student`` is within ``tolerance`` of ``reference`` (relative, see relative_distance)."""
    return relative_distance(reference, student) <= tolerance
