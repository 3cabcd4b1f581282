"""Right numbers with too few digits: rounded at the end, on the way, or never computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.compare import is_close
from headwork.marking.diagnose_candidates import Observation, Step, carried, distance, steps_to
from headwork.marking.diagnose_words import Reals, relation
from headwork.mistakes import Replacement
from headwork.model import Diagnosis
from headwork.stages import upstream


def rounded(reference: Reals, student: Reals, observation: Observation) -> Diagnosis | None:
    """Right if the result is rounded, or cut off at the decimal point."""
    if observation.tolerance is not None:
        return None
    finite = np.isfinite(reference) & np.isfinite(student)
    if not finite.any() or not (np.isfinite(reference) == np.isfinite(student)).all():
        return None
    wanted, seen = reference[finite], student[finite]
    if np.abs(np.trunc(wanted) - seen).max() < 1e-9 and np.any(seen):
        return relation(
            "Dropped everything behind the decimal point",
            why="An array of whole numbers drops the fraction of everything written into it.",
            look="Look at the dtype of the array that is filled, and for int() and //.",
            hint="What is the dtype of the result?",
        )
    for decimals in range(5):
        if np.abs(np.round(wanted, decimals) - seen).max() < 1e-9 and np.any(seen):
            return relation(
                f"Rounded the result to {decimals} decimals",
                why="Rounded numbers are for showing. What follows is computed from them and loses digits.",
                look="Look for round().",
                hint="How many digits does the next step need?",
            )
    return None


def few_digits(reference: Reals, student: Reals, observation: Observation) -> Diagnosis | None:
    """Right to about three digits."""
    if observation.tolerance is not None or not is_close(reference, student, tolerance=3e-3):
        return None
    return relation(
        "Kept only about three digits",
        why="The values are nearly right: numbers were rounded, or computed in half precision, on the way.",
        look="Look for float16, for round(), and for constants typed with few digits.",
        hint="How many digits does each step keep?",
    )


def rounded_too_early(observation: Observation) -> Diagnosis | None:
    """Hand work: right if an earlier stage is rounded to few decimals and used on."""
    if observation.tolerance is None or observation.isolated:
        return None
    steps = steps_to(observation.chain, observation.target)
    before = [name for name in upstream(observation.chain, [observation.target])[:-1] if name in observation.values]
    for decimals in range(4, 0, -1):
        for name in before:
            value = np.asarray(observation.values[name], np.float64)
            known = carried(steps, observation.values, {name: _constant(np.round(value, decimals))})
            if known is not None and distance(observation, known[observation.target]) <= 1.0:
                return _early(f"Rounded {name} to {decimals} decimals and computed on with that")
        rounding = {
            step.name: _then_round(step, decimals)
            for step in steps[:-1]
            if step.name in before and step.name != "visible"
        }
        known = carried(steps, observation.values, rounding)
        if known is not None and distance(observation, known[observation.target]) <= 1.0:
            return _early(f"Rounded every step to {decimals} decimals and computed on with that")
    return None


def _constant(value: Any) -> Replacement:
    def constant(known: Mapping[str, Any]) -> Any:
        return value

    return constant


def _then_round(step: Step, decimals: int) -> Replacement:
    def computed(known: Mapping[str, Any]) -> Any:
        value: NDArray[Any] = np.asarray(step.function(*[known[need] for need in step.needs]))
        return value.round(decimals)

    return computed


def _early(title: str) -> Diagnosis:
    return relation(
        title,
        why="The method is right. Rounding in the middle lets the error grow in every step that follows.",
        look="Keep exact values, or two digits more than asked, until the last step.",
        hint="Which of the numbers used were rounded ones?",
    )
