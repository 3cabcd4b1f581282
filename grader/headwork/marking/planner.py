"""Making the plan of a submission: from what was drawn to calls and references.

Every call has inputs from a draw of its own, so no call's arguments hold another call's answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headwork.assignment import Assignment
from headwork.draw.certify import stage_for
from headwork.draw.draw import own_chain
from headwork.draw.student import Hidden, HiddenDraws, Sheet, hidden_draws
from headwork.marking.plan import LARGE, NOT_CAUSAL, VALUES, Check, PartPlan, Plan, call_of, first_ordinary
from headwork.model import Call, Chain, CodePart, ComposePart, Instance
from headwork.rooms import Content
from headwork.stages import between, evaluate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One code part of an assignment, and what is the same for all students about it."""

    part: CodePart | ComposePart
    draws: tuple[Hidden, ...]
    chained: bool
    """See PartPlan."""


class _Calls:
    """Calls as they are added."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def add(self, call: Call) -> int:
        """Add a call; its index."""
        self.calls.append(call)
        return len(self.calls) - 1

    def place(self, asked: Iterable[tuple[Call, Check]]) -> Iterator[Check]:
        """Add calls; their checks, with the places that they got."""
        for call, check in asked:
            at = self.add(call)
            yield check if check.call == at else replace(check, call=at)


class Planner:
    """Plans the calls of submissions to one assignment. What students share, it works out once."""

    def __init__(self, content: Content, assignment: Assignment, *, secret: bytes) -> None:
        """Draw nothing yet. ``secret`` is the course's."""
        self.content, self.assignment = content, assignment
        self._draws = HiddenDraws(content, assignment, secret=secret)
        self._own_targets: dict[str, list[str]] = {}
        self.digest = _digest_of(assignment)
        """Of all that is set about the assignment, exercise files included."""
        by_part: dict[tuple[str, CodePart | ComposePart], list[Hidden]] = {}
        for hidden in hidden_draws(assignment):
            by_part.setdefault((hidden.exercise.slug, hidden.part), []).append(hidden)
            chain = content.chains[own_chain(hidden.exercise)]
            if _asks(hidden.part, chain):
                self._own_targets.setdefault(chain.slug, []).append(_target(hidden.part, chain))
        operations = {part.operation for _, part in by_part if isinstance(part, CodePart)}
        self._asked = [
            _Asked(
                part=part,
                draws=tuple(draws),
                chained=isinstance(part, ComposePart) and self._made_of(part) <= operations,
            )
            for (_, part), draws in by_part.items()
        ]
        self._kept: dict[tuple[str, int, int, tuple[str, ...]], tuple[tuple[Call, Check], ...]] = {}

    def plan(self, sheet: Sheet) -> Plan:
        """Plan the calls for one student.

        Own instances come from the sheet, and so do the numbers of the accepted hidden draws. Raises CourseError
        where a hidden draw is not among them and can't be drawn.
        """
        calls = _Calls()
        number = self._draws.set_of(sheet.student)
        parts: list[PartPlan] = []
        evaluated: dict[int, Mapping[str, Any]] = {}
        for asked in self._asked:
            part, exercise = asked.part, asked.draws[0].exercise
            checks: list[Check] = []
            instance = sheet.problems[exercise.slug].instance
            chain = self.content.chains[instance.chain]
            on_own = _asks(part, chain)
            # What needs no mask is called first: a hang in the mask then takes only what needs it.
            for aspects in ((NOT_CAUSAL,), (VALUES, LARGE)):
                if on_own:
                    if id(instance) not in evaluated:  # exercises share it
                        evaluated[id(instance)] = self._evaluated(chain, instance)
                    known, by_hand = evaluated[id(instance)], bool(instance.exact)
                    own = _asked(chain, part, known, aspects, at=len(calls.calls), own=True, by_hand=by_hand)
                    checks += calls.place(own)
                for hidden in asked.draws:
                    checks += calls.place(self._hidden(hidden, number, sheet.attempts, aspects, at=len(calls.calls)))
            checks += _once_more(calls, checks)
            parts.append(PartPlan(exercise=exercise, part=part, checks=tuple(checks), chained=asked.chained))
        return Plan(calls=tuple(calls.calls), parts=tuple(parts))

    def _evaluated(self, chain: Chain, instance: Instance) -> Mapping[str, Any]:
        with np.errstate(all="ignore"):
            return _protected(evaluate(chain, instance.values, targets=self._own_targets.get(chain.slug)))

    def _hidden(
        self, hidden: Hidden, number: int, attempts: Mapping[str, int], aspects: tuple[str, ...], *, at: int
    ) -> tuple[tuple[Call, Check], ...]:
        drawn = self._draws.again(hidden, number, attempts)
        key = hidden.key, number, drawn.instance.attempt, aspects
        if key not in self._kept:
            chain = self.content.chains[hidden.chain]
            known = _protected(drawn.values)
            self._kept[key] = _asked(chain, hidden.part, known, aspects, at=at, large=hidden.large)
        return self._kept[key]

    def _made_of(self, part: ComposePart) -> set[str]:
        """The operations that a composed function is made of."""
        chain = self.content.chains[part.chain]
        return {chain.stages[name].operation.name for name in between(chain, part.target, part.arguments)}


def _digest_of(assignment: Assignment) -> str:
    settings = repr((assignment.name, assignment.policy, assignment.limits, sorted(assignment.parameters.items())))
    digest = hashlib.sha256(settings.encode())
    for exercise in assignment.exercises:
        digest.update(f"/{exercise.slug} {exercise.version}/".encode())
        digest.update(exercise.path.read_bytes() if exercise.path else b"")
    return digest.hexdigest()


def _target(part: CodePart | ComposePart, chain: Chain) -> str:
    return part.target if isinstance(part, ComposePart) else stage_for(chain, part.operation)


def _asks(part: CodePart | ComposePart, chain: Chain) -> bool:
    if isinstance(part, ComposePart):
        return part.chain == chain.slug
    return any(found.operation.name == part.operation for found in chain.stages.values())


def _asked(
    chain: Chain,
    part: CodePart | ComposePart,
    known: Mapping[str, Any],
    wanted: tuple[str, ...],
    *,
    at: int,
    own: bool = False,
    by_hand: bool = False,
    large: bool = False,
) -> tuple[tuple[Call, Check], ...]:
    """The calls of one part on one instance, for the aspects ``wanted``; they come after ``at`` others."""
    target = _target(part, chain)
    needs = part.arguments if isinstance(part, ComposePart) else chain.stages[target].needs
    reach = None if isinstance(part, ComposePart) else frozenset(needs)
    function = part.name if isinstance(part, ComposePart) else part.operation
    found: list[tuple[Call, Check]] = []
    aspects = [LARGE if large else VALUES]
    if "causal" in needs and not large:
        aspects.append(NOT_CAUSAL)
    for aspect in (aspect for aspect in aspects if aspect in wanted):
        values = known
        if aspect == NOT_CAUSAL:
            given = {**{name: value for name, value in known.items() if name not in chain.stages}, "causal": False}
            with np.errstate(all="ignore"):
                values = _protected(evaluate(chain, given, targets=[target]))
        check = Check(
            call=at + len(found),
            aspect=aspect,
            own=own,
            by_hand=by_hand,
            chain=chain,
            target=target,
            values=values,
            in_reach=reach,
        )
        found.append((call_of(function, tuple(values[name] for name in needs), values[target]), check))
    return tuple(found)


def _protected(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Students share these arrays: a mistake that is tried on them and writes into its input must fail, not spread."""
    for value in values.values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return values


def _once_more(calls: _Calls, checks: list[Check]) -> list[Check]:
    """The first ordinary call again, after the others: a function of its arguments gives the same."""
    first = first_ordinary(checks)
    return [replace(first, call=calls.add(calls.calls[first.call]))]
