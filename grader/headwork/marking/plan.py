"""What a submission's code will be asked: calls for the sandbox, and what each should give.

Every call has inputs from a draw of its own, so no call's arguments hold another call's answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headwork.assignment import Assignment
from headwork.draw.certify import stage_for
from headwork.draw.student import Hidden, hidden_draws
from headwork.model import Call, Chain, CodePart, ComposePart, Exercise, Instance, Result
from headwork.rooms import Content
from headwork.stages import between, evaluate

VALUES = "values"
NOT_CAUSAL = "without causal"
LARGE = "large scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One call and its reference."""

    call: int
    aspect: str
    """VALUES, NOT_CAUSAL or LARGE: what the points of the part are shared among."""
    own: bool
    """True on the numbers that the student has; only then may a page show any."""
    by_hand: bool = False
    """True where the own numbers are also worked by hand: then right values wait until answers are released."""
    chain: Chain
    target: str
    values: Mapping[str, Any]
    """Inputs and reference stages."""
    in_reach: frozenset[str] | None
    """Values the student's function was given, by their names in the chain; None: all inputs."""

    @property
    def reference(self) -> Any:
        """What should come back."""
        return np.asarray(self.values[self.target])

    @property
    def large(self) -> bool:
        """Scores in the hundreds, compared with less precision."""
        return self.aspect == LARGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """The student's own operations, chained in a child on the inputs of one composed check.

    It is a job of its own, run only where the composed function was wrong.
    """

    check: Check
    calls: tuple[Call, ...]
    stages: Mapping[str, int]
    """Stage -> index of its call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPlan:
    """Everything that is asked about one code part."""

    exercise: Exercise
    part: CodePart | ComposePart
    checks: tuple[Check, ...]
    compositions: tuple[Composition, ...] = ()

    @property
    def repeated(self) -> tuple[Check, Check]:
        """A check and the same one again, after all others."""
        return _first_ordinary(self.checks), self.checks[-1]

    @property
    def function(self) -> str:
        """The name of the student's function."""
        return self.part.operation if isinstance(self.part, CodePart) else self.part.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All calls of a submission, in order, and the parts that read their outcomes."""

    calls: tuple[Call, ...]
    parts: tuple[PartPlan, ...]


class _Calls:
    """Calls as they are added."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def add(self, function: str, arguments: tuple[Any, ...], reference: Any) -> int:
        """Add a call; its index."""
        expected = int(np.asarray(reference).nbytes)
        self.calls.append(Call(function=function, arguments=arguments, expected_bytes=expected))
        return len(self.calls) - 1

    def repeat(self, call: int) -> int:
        """Add an earlier call again; its index."""
        self.calls.append(self.calls[call])
        return len(self.calls) - 1


def plan_for(
    content: Content,
    assignment: Assignment,
    own: Mapping[str, Instance],
    hidden_values: Callable[[Hidden], Mapping[str, Any]],
) -> Plan:
    """Plan the calls of one submission.

    ``own`` are the student's own instances by exercise; ``hidden_values`` draws the others, and may bring
    reference stages along.
    """
    calls = _Calls()
    parts: list[PartPlan] = []
    by_part: dict[tuple[str, Any], list[Hidden]] = {}
    for hidden in hidden_draws(assignment):
        by_part.setdefault((hidden.exercise.slug, hidden.part), []).append(hidden)
    asked = {
        part.operation for exercise in assignment.exercises for part in exercise.parts if isinstance(part, CodePart)
    }
    for (slug, part), draws in by_part.items():
        checks: list[Check] = []
        instance = own[slug]
        chain = content.chains[instance.chain]
        known = {hidden.key: hidden_values(hidden) for hidden in draws}
        # What needs no mask is called first: a hang in the mask then takes only what needs it.
        for aspects in ((NOT_CAUSAL,), (VALUES, LARGE)):
            if _asks(part, chain):
                found = _checks(calls, chain, part, instance.values, aspects, own=True, large=False)
                checks += [replace(check, by_hand=bool(instance.exact)) for check in found]
            for hidden in draws:
                drawn_from = content.chains[hidden.chain]
                checks += _checks(calls, drawn_from, part, known[hidden.key], aspects, own=False, large=hidden.large)
        checks += _once_more(calls, checks)
        compositions: list[Composition] = []
        if isinstance(part, ComposePart) and _all_asked(part, content.chains[part.chain], asked):
            ordinary_first = sorted(checks, key=lambda check: check.aspect != VALUES)
            compositions = [_composition(part, check) for check in ordinary_first if not check.own]
        parts.append(
            PartPlan(exercise=draws[0].exercise, part=part, checks=tuple(checks), compositions=tuple(compositions))
        )
    return Plan(calls=tuple(calls.calls), parts=tuple(parts))


def _asks(part: CodePart | ComposePart, chain: Chain) -> bool:
    if isinstance(part, ComposePart):
        return part.chain == chain.slug
    return any(found.operation.name == part.operation for found in chain.stages.values())


def _checks(
    calls: _Calls,
    chain: Chain,
    part: CodePart | ComposePart,
    known: Mapping[str, Any],
    wanted: tuple[str, ...],
    *,
    own: bool,
    large: bool,
) -> list[Check]:
    target = part.target if isinstance(part, ComposePart) else stage_for(chain, part.operation)
    needs = part.arguments if isinstance(part, ComposePart) else chain.stages[target].needs
    reach = None if isinstance(part, ComposePart) else frozenset(needs)
    found: list[Check] = []
    aspects = [LARGE if large else VALUES]
    if "causal" in needs and not large:
        aspects.append(NOT_CAUSAL)
    for aspect in (aspect for aspect in aspects if aspect in wanted):
        given = known
        if aspect == NOT_CAUSAL:
            given = {**{name: value for name, value in known.items() if name not in chain.stages}, "causal": False}
        with np.errstate(all="ignore"):
            values = evaluate(chain, given, targets=[target])
        function = part.name if isinstance(part, ComposePart) else part.operation
        call = calls.add(function, tuple(values[name] for name in needs), values[target])
        found.append(
            Check(call=call, aspect=aspect, own=own, chain=chain, target=target, values=values, in_reach=reach)
        )
    return found


def _once_more(calls: _Calls, checks: list[Check]) -> list[Check]:
    """The first ordinary call again, after the others: a function of its arguments gives the same."""
    first = _first_ordinary(checks)
    return [replace(first, call=calls.repeat(first.call))]


def _first_ordinary(checks: Sequence[Check]) -> Check:
    return next(check for check in checks if check.aspect == VALUES)


def _all_asked(part: ComposePart, chain: Chain, asked: set[str]) -> bool:
    return all(chain.stages[name].operation.name in asked for name in between(chain, part.target, part.arguments))


def _composition(part: ComposePart, check: Check) -> Composition:
    """Chain the student's own functions on the inputs of a hidden check."""
    calls = _Calls()
    made: dict[str, int] = {}
    for name in between(check.chain, part.target, part.arguments):
        stage = check.chain.stages[name]
        arguments = tuple(Result(made[need]) if need in made else check.values[need] for need in stage.needs)
        made[name] = calls.add(stage.operation.name, arguments, check.values[name])
    return Composition(check=check, calls=tuple(calls.calls), stages=made)
