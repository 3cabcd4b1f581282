"""What repeated runs tell that one value doesn't: state, chance, the future, and other prompts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.marking.compare import TOL, relative_distance
from headwork.model import Diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """What calls of one function gave. What was not tried is left out."""

    changed_arguments: tuple[str, ...] = ()
    """Parameters whose arrays were different after the call."""
    first: Any = None
    again: Any = None
    """The same call a second time, in the same process."""
    fresh: Any = None
    """The same call in another process."""
    later_changed: Any = None
    """The same call with the input changed from position ``changed_from`` on; positions are axis -2."""
    changed_from: int = 0
    causal: bool = True
    alone: Any = None
    """The call on each prompt alone, stacked along axis 0; ``first`` holds them as a batch."""


def diagnose_behaviour(runs: Runs) -> Diagnosis | None:
    """The first of these that the runs show; None where they show nothing."""
    if runs.changed_arguments:
        return changes_inputs(runs.changed_arguments)
    if runs.first is None:
        return None
    if runs.again is not None and _differ(runs.first, runs.again):
        if runs.fresh is not None and not _differ(runs.first, runs.fresh):
            return keeps_state()
        return differs_between_runs()
    if runs.fresh is not None and _differ(runs.first, runs.fresh):
        return differs_between_runs()
    if runs.causal and runs.later_changed is not None and runs.changed_from:
        past = slice(0, runs.changed_from)
        if _differ(np.asarray(runs.first)[..., past, :], np.asarray(runs.later_changed)[..., past, :]):
            return reads_the_future(runs.changed_from)
    if runs.alone is not None and _differ(runs.first, runs.alone):
        return mixes_prompts(runs.first, runs.alone)
    return None


def _differ(one: Any, other: Any) -> bool:
    return relative_distance(np.asarray(one), np.asarray(other)) > TOL and not (
        np.array_equal(one, other, equal_nan=True)
    )


def _behaviour(title: str, why: str, look: str, hint: str) -> Diagnosis:
    return Diagnosis(kind="behaviour", title=title, why=why, look=look, hint=hint)


def changes_inputs(names: tuple[str, ...]) -> Diagnosis:
    """Arrays that were passed in are different afterwards."""
    return _behaviour(
        f"Changed the array {' and '.join(names)} that was passed in",
        "The caller's array is not a copy. Whoever uses it afterwards, another step of the same computation included, computes with changed numbers.",
        "Look for +=, -=, *=, /=, for an assignment to a slice, and for functions with out=. Work on a copy, or make a new array.",
        "Which line writes into an array that the function did not make?",
    )


def keeps_state() -> Diagnosis:
    """The second call gives something else than the first, and a new process the same as the first."""
    return _behaviour(
        "Remembered something from one call to the next",
        "A function of its arguments gives the same result every time. A global, a default argument that is a list or an array, or a cache that is not reset carries one text into the next.",
        "Look for module-level variables that are written to, and for mutable default arguments.",
        "What does the function know at its second call that it did not know at its first?",
    )


def differs_between_runs() -> Diagnosis:
    """The same call gives different numbers."""
    return _behaviour(
        "Gave different numbers for the same input",
        "Randomness belongs to training: dropout has no place in the computation asked for, and uninitialised memory holds anything.",
        "Look for random numbers, dropout, and np.empty whose cells are not all written.",
        "What in the function is not determined by its arguments?",
    )


def reads_the_future(position: int) -> Diagnosis:
    """A change at ``position`` and later reaches earlier positions."""
    return _behaviour(
        f"Let positions before {position} depend on position {position} and later",
        "A causal position reads itself and its past. If a change in the future changes it, it has been shown the token that it is to predict.",
        "Look at the mask: which cells are hidden, when it is applied, and whether the masked array is the one that is used on.",
        "Which later position does position 0 read?",
    )


def mixes_prompts(batch: Any, alone: Any) -> Diagnosis:
    """A batch is not what its prompts are one by one."""
    together, single = np.asarray(batch), np.asarray(alone)
    if (
        together.shape == single.shape
        and len(together) > 1
        and not _differ(together, np.broadcast_to(together[:1], together.shape))
    ):
        return _behaviour(
            "Gave every prompt of the batch the values of the first",
            "Prompts are computed side by side; each has its own input.",
            "Look for an index 0 on the batch axis.",
            "Does the second prompt's output depend on the second prompt?",
        )
    return _behaviour(
        "Gave a prompt other values in a batch than alone",
        "Batching computes prompts together without joining them: no query ever sees another prompt's keys.",
        "Look for a sum, maximum, reshape or transpose that runs over the batch axis, such as .T or an axis given as 0.",
        "Which line treats the batch axis as one of its own?",
    )


def only_with_large_scores(student: Any) -> Diagnosis:
    """Right on ordinary numbers, wrong where scores are in the hundreds."""
    seen = np.asarray(student, np.float64)
    kind = "not numbers (NaN or infinite)" if not np.isfinite(seen).all() else "wrong"
    return _behaviour(
        f"Gave values that are {kind} only when scores are in the hundreds",
        "exp of more than 709 is infinite, and of less than -745 it is 0. The quotient of a softmax stays the same when the row's maximum is subtracted first, and then nothing overflows.",
        "Subtract the maximum of each row before exp, and check fill values such as -100 or -1e4 against scores of that size.",
        "What is the largest number that goes into exp?",
    )
