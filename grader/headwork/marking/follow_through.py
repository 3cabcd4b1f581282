"""Follow-through in code: a composed function that is right on the student's own operations."""

from __future__ import annotations

from collections.abc import Sequence

from headwork.marking.compare import is_close
from headwork.marking.plan import VALUES, Check, PartPlan
from headwork.marking.wording import is_trivial
from headwork.model import Outcome, Returned


def follows(
    plan: PartPlan, outcomes: Sequence[Outcome], *, failed: Sequence[Check], wrong: Sequence[str]
) -> tuple[str, ...]:
    """Names of the student's wrong operations that explain a composed function's wrong numbers; empty if none do.

    The child has run the student's operations one after the other on the inputs of the composed check.
    If that gives what the composed function gave, the composition is right. The guard: the composed
    value, and what the wrong operations made, must not be trivial (constant, not finite) where the
    reference is not, and the composed function must have failed on ordinary numbers.
    """
    composition = plan.composition
    if composition is None or not wrong or not any(check.aspect == VALUES for check in failed):
        return ()
    check = composition.check
    composed = outcomes[check.call]
    chained = outcomes[composition.stages[check.target]]
    if not isinstance(composed, Returned) or not isinstance(chained, Returned):
        return ()
    if not is_close(chained.value, composed.value) or is_trivial(composed.value):
        return ()
    blamed: list[str] = []
    for name, call in composition.stages.items():
        operation = check.chain.stages[name].operation.name
        made = outcomes[call]
        if operation not in wrong or not isinstance(made, Returned):
            continue
        if is_trivial(made.value) and not is_trivial(check.values[name]):
            return ()
        blamed.append(operation)
    return tuple(dict.fromkeys(blamed))
