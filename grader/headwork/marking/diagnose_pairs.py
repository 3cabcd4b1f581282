"""Two known mistakes at different stages of one composed computation.

The second mistake is tried on top of everything that the first one gives; the way from there to the
target is computed once for all second mistakes of a stage, laid side by side along the batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_candidates import MATCH, Candidate, Observation, Step, carried, steps_to
from headwork.mistakes import reads

MISSING = object()
"""Stands for a value that is not at hand; equal to none."""

FEWEST = 6
"""Finite cells that a pair must explain; fewer would fit by chance."""


def pairs_for(observation: Observation, found: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Pairs of candidates at different stages that give the student's array, in the order of the chain."""
    steps = steps_to(observation.chain, observation.target)
    places = {step.name: place for place, step in enumerate(steps)}
    student = np.asarray(observation.student)
    if np.isfinite(student).sum() < FEWEST:
        return
    if student.shape != observation.reference.shape:
        yield from _of_other_shape(steps, observation, found)
        return
    firsts = list(_singles(steps, observation, found))
    by_stage: dict[str, list[Second]] = {}
    several: list[Candidate] = []
    for one, known in firsts:
        if len(one.replaced) == 1:
            name = next(iter(one.replaced))
            by_stage.setdefault(name, []).append(_second(observation, one, name, known[name]))
        else:
            several.append(one)
    tails = {step.name: _tail(steps, step.name) for step in steps}
    for one, known in firsts:
        first = min(places[name] for name in one.replaced)
        for name, others in by_stage.items():
            later = places[name] > first and name not in one.replaced
            if later and not any(step.name in one.replaced for step in tails[name]):
                for other in _matching(known, others, name, tails[name], observation.target, student):
                    yield one, other
        for other in several:
            if min(places[name] for name in other.replaced) > first and not set(one.replaced) & set(other.replaced):
                both = carried(steps, observation.values, {**one.replaced, **other.replaced})
                if both is not None and _same([np.asarray(both[observation.target])], student)[0]:
                    yield one, other


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """A candidate to try on top of another: what it reads, and what it makes of the right values."""

    candidate: Candidate
    reads: Mapping[str, Any]
    value: NDArray[Any]


def _second(observation: Observation, candidate: Candidate, name: str, value: Any) -> Second:
    names = reads(observation.chain, candidate.mistake, observation.chain.stages[name])
    right = {read: observation.values.get(read, MISSING) for read in names}
    return Second(candidate=candidate, reads=right, value=np.asarray(value))


def _made(known: Mapping[str, Any], second: Second, name: str) -> NDArray[Any] | None:
    """What the second mistake makes; the call is spared where the first one has changed nothing that it reads."""
    if all(known.get(read) is value for read, value in second.reads.items()):
        return second.value
    try:
        return np.asarray(second.candidate.replaced[name](known))
    except Exception:  # a wrong stage may fail in any way on some shapes
        return None


def _singles(
    steps: Sequence[Step], observation: Observation, found: Sequence[Candidate]
) -> Iterator[tuple[Candidate, dict[str, Any]]]:
    """Candidates carried to the target, if they keep the shape of what they replace.

    What is not a number stays so under any second mistake, so those that give more of it are left out.
    """
    finite = np.isfinite(observation.student)
    for candidate in found:
        known = carried(steps, observation.values, candidate.replaced)
        if known is None or any(
            np.shape(known[name]) != np.shape(observation.values[name]) for name in candidate.replaced
        ):
            continue
        if not np.isnan(np.asarray(known[observation.target])[finite]).any():
            yield candidate, known


def _of_other_shape(
    steps: Sequence[Step], observation: Observation, found: Sequence[Candidate]
) -> Iterator[tuple[Candidate, Candidate]]:
    """Pairs of which one alone gives the student's shape already."""
    student = np.asarray(observation.student)
    places = {step.name: place for place, step in enumerate(steps)}
    for one in found:
        known = carried(steps, observation.values, one.replaced)
        if known is None or np.shape(known[observation.target]) != student.shape:
            continue
        for other in found:
            if not set(one.replaced).isdisjoint(other.replaced):
                continue
            both = carried(steps, observation.values, {**one.replaced, **other.replaced})
            if both is not None and _same([np.asarray(both[observation.target])], student)[0]:
                in_order = min(places[name] for name in one.replaced) < min(places[name] for name in other.replaced)
                yield (one, other) if in_order else (other, one)


def _tail(steps: Sequence[Step], name: str) -> list[Step]:
    touched, tail = {name}, list[Step]()
    for step in steps:
        if not touched.isdisjoint(step.needs):
            touched.add(step.name)
            tail.append(step)
    return tail


def _matching(
    known: Mapping[str, Any],
    others: Sequence[Second],
    name: str,
    tail: Sequence[Step],
    target: str,
    student: NDArray[Any],
) -> Iterator[Candidate]:
    shape = np.shape(known[name])
    made: list[NDArray[Any]] = []
    makers: list[Candidate] = []
    for other in others:
        value = _made(known, other, name)
        if value is not None and value.shape == shape:
            made.append(value)
            makers.append(other.candidate)
    if not made:
        return
    ends = _ends(known, name, made, tail, target)
    for other, same in zip(makers, _same(ends, student), strict=True):
        if same:
            yield other


def _ends(
    known: Mapping[str, Any], name: str, made: Sequence[NDArray[Any]], tail: Sequence[Step], target: str
) -> Sequence[NDArray[Any] | None]:
    """The target for each of the values ``made`` of stage ``name``."""
    if not tail:
        return made if name == target else [np.asarray(known[target])] * len(made)
    batched = "B" in known
    if batched and np.ndim(known[name]) and np.shape(made[0])[:1] != (known["B"],):
        # A value without a batch (a mask): go on one by one to where the batch is met.
        step, rest = tail[0], tail[1:]
        if any(name in later.needs for later in rest):
            return [_end(known, {name: value}, tail, target) for value in made]
        nexts = [
            np.asarray(step.function(*[value if need == name else known[need] for need in step.needs]))
            for value in made
        ]
        if len({value.shape for value in nexts}) > 1:
            return [_end(known, {name: value}, tail, target) for value in made]
        return _ends(known, step.name, nexts, rest, target)
    if any(step.axes.split()[:1] != ["B"] for step in tail):
        return [_end(known, {name: value}, tail, target) for value in made]
    return _side_by_side(known, name, made, tail, target, batched=batched)


def _side_by_side(
    known: Mapping[str, Any],
    name: str,
    made: Sequence[NDArray[Any]],
    tail: Sequence[Step],
    target: str,
    *,
    batched: bool,
) -> Sequence[NDArray[Any] | None]:
    count = len(made)
    wide: dict[str, Any] = {name: np.concatenate(made) if batched else np.stack(made)}
    try:
        for step in tail:
            for need in step.needs:
                if need not in wide:
                    value = known[need]
                    has_batch = batched and np.ndim(value) > 2 and np.shape(value)[0] == known["B"]
                    wide[need] = np.concatenate([value] * count) if has_batch and count > 1 else value
            wide[step.name] = step.function(*[wide[need] for need in step.needs])
    except Exception:  # wrong values may not fit together
        return [None] * count
    end = np.asarray(wide[target])
    return list(end.reshape(count, -1, *end.shape[1:]) if batched else end)


def _end(
    known: Mapping[str, Any], changed: Mapping[str, Any], tail: Sequence[Step], target: str
) -> NDArray[Any] | None:
    values = {**known, **changed}
    try:
        for step in tail:
            values[step.name] = step.function(*[values[need] for need in step.needs])
    except Exception:  # wrong values may not fit together
        return None
    return np.asarray(values[target])


def _same(ends: Sequence[NDArray[Any] | None], student: NDArray[Any]) -> list[bool]:
    """For each array whether it is the student's. One cell decides nearly always, so it is looked at first."""
    seen = student.reshape(-1).astype(np.float64)
    finite = np.isfinite(seen)
    allowed = MATCH * max(1e-12, float(np.abs(seen[finite]).max(initial=0.0)))
    probe = int(np.argmax(np.where(finite, np.abs(seen), -1.0)))
    found: list[bool] = []
    for end in ends:
        if (
            end is None
            or end.shape != student.shape
            or (finite[probe] and not abs(end.flat[probe] - seen[probe]) <= allowed)
        ):
            found.append(False)
            continue
        flat = end.reshape(-1)
        lines_up = bool((np.isfinite(flat) == finite).all())
        found.append(lines_up and float(np.abs(flat[finite] - seen[finite]).max(initial=0.0)) <= allowed)
    return found
