"""A crash that a known mistake explains: arrays that don't fit together, as when a matrix is not transposed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headwork.marking.diagnose_candidates import Observation, candidates, carried, distance, steps_of
from headwork.mistakes import diagnosis_of
from headwork.model import Diagnosis, Mistake
from headwork.rooms import Content

SHAPE_ERRORS = ("ValueError", "LinAlgError", "IndexError")
"""What NumPy raises where shapes don't fit."""


def diagnose_crash(
    content: Content, crashed: Sequence[Observation], returned: Sequence[Observation] = (), *, exception: str
) -> Diagnosis | None:
    """The one known mistake that crashes wherever the student's operation did, and gives what it gave elsewhere.

    ``crashed`` are observations without a value (``student`` is None). Speaks of operations run on their own
    only; several mistakes that would do are none.
    """
    if exception not in SHAPE_ERRORS or not crashed or not all(seen.isolated for seen in crashed):
        return None
    with np.errstate(all="ignore"):
        able = [
            candidate.mistake
            for candidate in candidates(content, crashed[0])
            if all(_crashes(content, seen, candidate.mistake) for seen in crashed)
            and all(_gives(content, seen, candidate.mistake) for seen in returned)
        ]
    if len(able) != 1:
        return None
    return diagnosis_of(able[0])


def _crashes(content: Content, seen: Observation, mistake: Mistake) -> bool:
    made = [candidate for candidate in candidates(content, seen) if candidate.mistake is mistake]
    return bool(made) and carried(steps_of(seen), seen.values, made[0].replaced) is None


def _gives(content: Content, seen: Observation, mistake: Mistake) -> bool:
    for candidate in candidates(content, seen):
        if candidate.mistake is mistake:
            known = carried(steps_of(seen), seen.values, candidate.replaced)
            return known is not None and distance(seen, known[seen.target]) <= 1.0
    return False
