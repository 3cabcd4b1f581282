"""Follow-through in code: a composed function that is right on the student's own operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from headwork.marking.compare import is_close
from headwork.marking.plan import Check, Composition, PartPlan
from headwork.marking.wording import is_trivial
from headwork.model import Call, Outcome, Result, Returned

Rerun: TypeAlias = Callable[[Sequence[Call]], Sequence[Outcome]]
"""Runs further calls of the same submission, in a child of their own."""


def follows(
    plan: PartPlan, outcomes: Sequence[Outcome], *, failed: Sequence[Check], wrong: Sequence[str], rerun: Rerun
) -> tuple[str, ...]:
    """Names of the student's wrong operations that explain a composed function's wrong numbers; empty if none do.

    Where a hidden check failed, the student's operations, run one after the other on its inputs, must give what
    the composed function gave. The guard: the composed value, and what the wrong operations made, must not be
    trivial (constant, not finite) where the reference is not. Once it has held on ordinary numbers, a special
    case (without causal, large scores) may be all NaN.
    """
    if not wrong:
        return ()
    aspects = {check.aspect for check in failed}
    needed = [composition for composition in plan.compositions if composition.check.aspect in aspects]
    if aspects - {composition.check.aspect for composition in needed}:
        return ()
    if not all(isinstance(outcomes[composition.check.call], Returned) for composition in needed):
        return ()
    calls, starts = _joined(needed)
    chained = rerun(calls)
    blamed: dict[str, None] = {}
    for composition, start in zip(needed, starts, strict=True):
        made = chained[start : start + len(composition.calls)]
        found = _explained(composition, outcomes[composition.check.call], made, wrong, guarded=not blamed)
        if not found:
            return ()
        blamed.update(dict.fromkeys(found))
    return tuple(blamed)


def _joined(compositions: Sequence[Composition]) -> tuple[list[Call], list[int]]:
    """The calls of several compositions as one job, and where each begins."""
    calls: list[Call] = []
    starts: list[int] = []
    for composition in compositions:
        start = len(calls)
        starts.append(start)
        for call in composition.calls:
            moved = tuple(Result(one.index + start) if isinstance(one, Result) else one for one in call.arguments)
            calls.append(replace(call, arguments=moved))
    return calls, starts


def _explained(
    composition: Composition, composed: Outcome, outcomes: Sequence[Outcome], wrong: Sequence[str], *, guarded: bool
) -> tuple[str, ...]:
    check = composition.check
    chained = outcomes[composition.stages[check.target]]
    if not isinstance(composed, Returned) or not isinstance(chained, Returned):
        return ()
    if not is_close(chained.value, composed.value) or (guarded and is_trivial(composed.value)):
        return ()
    blamed: list[str] = []
    for name, call in composition.stages.items():
        operation = check.chain.stages[name].operation.name
        made = outcomes[call]
        if operation not in wrong or not isinstance(made, Returned):
            continue
        if guarded and is_trivial(made.value) and not is_trivial(check.values[name]):
            return ()
        blamed.append(operation)
    return tuple(dict.fromkeys(blamed))
