"""What all relations are told with: axes by name, what their places are called, and what counts as equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from headwork.marking.compare import is_close
from headwork.marking.diagnose_candidates import MATCH, Observation
from headwork.model import Diagnosis

Reals: TypeAlias = NDArray[np.float64]
Near: TypeAlias = Callable[[Reals, Reals], bool]

AXIS_WORDS = {
    "B": "prompt", "n_heads": "head", "T": "position", "T_q": "position", "T_k": "position", "T_new": "position",
    "T_past": "position", "d_head": "feature", "d_model": "feature", "n_heads*d_head": "feature",
}  # fmt: skip


def relation(title: str, *, why: str = "", look: str = "", hint: str = "") -> Diagnosis:
    """A diagnosis of this kind."""
    return Diagnosis(kind="relation", title=title, why=why, look=look, hint=hint)


def axis_names(observation: Observation, reference: Reals) -> list[str]:
    """The names of the axes of the target, as many as the reference has."""
    names = observation.chain.axes.get(observation.target, "").split()
    if len(names) > reference.ndim:
        names = names[-reference.ndim :]
    return names if len(names) == reference.ndim else [f"axis {number}" for number in range(reference.ndim)]


def word(axis: str) -> str:
    """What one place along an axis is called."""
    return AXIS_WORDS.get(axis, axis)


def allowed(observation: Observation, reference: Reals) -> float:
    """By how much two cells may differ and still be the same, as an absolute number."""
    if observation.tolerance is not None:
        return float(np.max(observation.tolerance)) + 1e-9
    return MATCH * max(1e-12, float(np.abs(reference[np.isfinite(reference)]).max(initial=0.0)))


def nearness(observation: Observation) -> Near:
    """What counts as equal for this observation."""
    if observation.tolerance is None:
        return lambda wanted, seen: is_close(wanted, seen, tolerance=MATCH)
    limit = float(np.max(observation.tolerance)) + 1e-9

    def within(wanted: Reals, seen: Reals) -> bool:
        # Other shapes, or other cells that are not finite, are infinitely far apart.
        if not is_close(wanted, seen, tolerance=1e300) or not np.isfinite(seen).any():
            return False
        finite = np.isfinite(wanted) & np.isfinite(seen)
        return bool((np.abs(wanted - seen)[finite] <= limit).all())

    return within
