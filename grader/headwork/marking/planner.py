"""Making the plan of a submission: from what was drawn to calls and references.

Every call has inputs from a draw of its own, so no call's arguments hold another call's answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headwork.assignment import Assignment
from headwork.draw.certify import stage_for
from headwork.draw.student import Hidden, HiddenDraws, Sheet, hidden_draws
from headwork.marking.plan import LARGE, NOT_CAUSAL, VALUES, Check, PartPlan, Plan, call_of, first_ordinary
from headwork.model import Call, Chain, CodePart, ComposePart, Exercise, Instance
from headwork.rooms import Content
from headwork.stages import between, evaluate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A code part in a chain: what its function is given there, and what it should give."""

    chain: Chain
    function: str
    target: str
    needs: tuple[str, ...]
    in_reach: frozenset[str] | None
    """See Check."""

    def asked(
        self, known: Mapping[str, Any], *, at: int, own: bool = False, by_hand: bool = False, large: bool = False
    ) -> list[tuple[Call, Check]]:
        """The calls on one instance; ``at`` is where the first of them will probably stand."""
        aspects = {LARGE if large else VALUES: known}
        if "causal" in self.needs and not large:
            given = {name: value for name, value in known.items() if name not in self.chain.stages}
            with np.errstate(all="ignore"):
                values = evaluate(self.chain, {**given, "causal": False}, targets=[self.target])
            aspects[NOT_CAUSAL] = _protected(values)
        return [
            (
                call_of(self.function, tuple(values[name] for name in self.needs), values[self.target]),
                Check(
                    call=at,
                    aspect=aspect,
                    own=own,
                    by_hand=by_hand,
                    chain=self.chain,
                    target=self.target,
                    values=values,
                    in_reach=self.in_reach,
                ),
            )
            for aspect, values in aspects.items()
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One code part of an assignment, and what is the same for all students about it."""

    exercise: Exercise
    part: CodePart | ComposePart
    places: Mapping[str, _Place]
    """By chain; a chain that has nothing to do with the part is not among them."""
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

    def place(self, instances: Sequence[list[tuple[Call, Check]]]) -> list[Check]:
        """Add the calls on several instances; their checks, with the places that they got, which are noted there too.

        What needs no mask is called first: a hang in the mask then takes only what needs it.
        """
        placed: list[Check] = []
        for without_mask in (True, False):
            for asked in instances:
                for number, (call, check) in enumerate(asked):
                    if (check.aspect == NOT_CAUSAL) is without_mask:
                        at = self.add(call)
                        if check.call != at:
                            check = replace(check, call=at)
                            asked[number] = call, check
                        placed.append(check)
        return placed


class Planner:
    """Plans the calls of submissions to one assignment. What students share, it works out once."""

    def __init__(self, content: Content, assignment: Assignment, *, secret: bytes) -> None:
        """Draw nothing yet. ``secret`` is the course's."""
        self.content, self.assignment = content, assignment
        self._draws = HiddenDraws(content, assignment, secret=secret)
        self.digest = _digest_of(assignment)
        """Of all that is set about the assignment, exercise files included."""
        by_part: dict[tuple[str, str], list[Hidden]] = {}
        for hidden in hidden_draws(assignment):
            by_part.setdefault((hidden.exercise.slug, hidden.part.function), []).append(hidden)
        parts = [draws[0].part for draws in by_part.values()]
        operations = {part.operation for part in parts if isinstance(part, CodePart)}
        self._asked = [
            _Asked(
                exercise=draws[0].exercise,
                part=part,
                places={slug: place for slug, chain in content.chains.items() if (place := _place(part, chain))},
                draws=tuple(draws),
                chained=isinstance(part, ComposePart) and self._made_of(part) <= operations,
            )
            for part, draws in zip(parts, by_part.values(), strict=True)
        ]
        self._own_targets: dict[str, list[str]] = {}
        for asked in self._asked:
            for slug, place in asked.places.items():
                self._own_targets.setdefault(slug, []).append(place.target)
        self._kept: dict[tuple[str, int, int], list[tuple[Call, Check]]] = {}

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
            at = len(calls.calls)
            instance = sheet.problems[asked.exercise.slug].instance
            instances: list[list[tuple[Call, Check]]] = []
            if place := asked.places.get(instance.chain):
                if id(instance) not in evaluated:  # exercises share it
                    evaluated[id(instance)] = self._evaluated(place.chain, instance)
                known, by_hand = evaluated[id(instance)], bool(instance.exact)
                instances.append(place.asked(known, at=at, own=True, by_hand=by_hand))
            for hidden in asked.draws:
                instances.append(self._hidden(hidden, asked.places[hidden.chain], number, sheet.attempts, at=at))
            checks = calls.place(instances)
            checks += _once_more(calls, checks)
            parts.append(
                PartPlan(exercise=asked.exercise, part=asked.part, checks=tuple(checks), chained=asked.chained)
            )
        return Plan(calls=tuple(calls.calls), parts=tuple(parts))

    def _evaluated(self, chain: Chain, instance: Instance) -> Mapping[str, Any]:
        with np.errstate(all="ignore"):
            return _protected(evaluate(chain, instance.values, targets=self._own_targets[chain.slug]))

    def _hidden(
        self, hidden: Hidden, place: _Place, number: int, attempts: Mapping[str, int], *, at: int
    ) -> list[tuple[Call, Check]]:
        drawn = self._draws.again(hidden, number, attempts)
        key = hidden.key, number, drawn.instance.attempt
        if key not in self._kept:
            self._kept[key] = place.asked(_protected(drawn.values), at=at, large=hidden.large)
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


def _place(part: CodePart | ComposePart, chain: Chain) -> _Place | None:
    """None where the chain has nothing to do with the part."""
    if isinstance(part, ComposePart):
        if part.chain != chain.slug:
            return None
        return _Place(chain=chain, function=part.function, target=part.target, needs=part.arguments, in_reach=None)
    if all(found.operation.name != part.operation for found in chain.stages.values()):
        return None
    target = stage_for(chain, part.operation)
    needs = chain.stages[target].needs
    return _Place(chain=chain, function=part.function, target=target, needs=needs, in_reach=frozenset(needs))


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
