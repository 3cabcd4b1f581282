"""The likely cause of a wrong hand-worked stage."""

from __future__ import annotations

from typing import Any

from headwork.marking.hand_values import Worked
from headwork.model import Diagnosis
from headwork.rooms import Content


def diagnosed(content: Content, values: Worked, stage: str, student: Any, decimals: int) -> Diagnosis | None:
    """The likely cause of a wrong stage: seen from the right values, then from the student's own."""
    from headwork.marking.diagnose import Observation, diagnose

    for seen in values.settings(stage):
        observation = Observation(
            chain=values.chain,
            target=stage,
            values=seen,
            in_reach=None,
            student=student,
            tolerance=0.51 * 10.0**-decimals,
        )
        found = diagnose(content, [observation])
        if found is not None:
            return found
    return None


def transposed(axes: str) -> Diagnosis:
    """Right numbers in the wrong places; ``axes`` are the wanted ones in words."""
    return Diagnosis(
        kind="relation",
        title="The matrix is transposed",
        why="Its rows and columns have changed places.",
        look=f"Row t belongs to position t: the axes are {axes}.",
    )
