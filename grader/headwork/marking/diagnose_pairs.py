"""Two known mistakes at different stages of one composed computation.

With some hundred mistakes there are thousands of pairs. One mistake of a pair, made alone, nearly always
points about the same way as both together (cosine of the two arrays), so those that point as the student's
array does are tried first, as the earlier mistake and as the later one, and the others not at all. What one is
tried with is laid side by side along the batch, so that the way to the target is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_candidates import MATCH, Candidate, Observation, Tried, carried, steps_to
from headwork.marking.diagnose_side_by_side import ends_of, way_on
from headwork.mistakes import reads

MISSING = object()
"""Stands for a value that is not at hand; equal to none."""

FEWEST = 6
"""Finite cells that a pair must explain; fewer would fit by chance."""

MOST_TRIED = 12
"""So many candidates are tried with all others. See bench/diagnosis.py for what that finds and costs."""


def pairs_for(observation: Observation, found: Sequence[Tried]) -> Iterator[tuple[Candidate, Candidate]]:
    """Pairs of candidates at different stages that give the student's array, each in the order of the chain."""
    student = np.asarray(observation.student)
    if np.isfinite(student).sum() < FEWEST:
        return
    search = _Search(observation, found)
    if student.shape != observation.reference.shape:
        yield from search.of_other_shape()
        return
    done: set[int] = set()
    for place in search.likeliest():
        yield from search.with_later(place, done)
        yield from search.with_earlier(place, done)
        done.add(place)


@dataclass(frozen=True, slots=True, kw_only=True)
class _One:
    """A candidate that may be one of a pair, and everything that it gives alone."""

    candidate: Candidate
    known: Mapping[str, Any]
    first: int
    """The place in the chain where it is made first."""
    stage: str | None
    """The stage it replaces; None for one that replaces several."""
    reads: Mapping[str, Any]
    """What it reads, as it is without another mistake."""


class _Search:
    """The candidates for one wrong array."""

    def __init__(self, observation: Observation, found: Sequence[Tried]) -> None:
        self._values, self._target = observation.values, observation.target
        self._student = np.asarray(observation.student)
        self._seen = _Seen(self._student)
        self._steps = steps_to(observation.chain, observation.target)
        self._ways = {step.name: way_on(self._steps, step.name) for step in self._steps}
        self._found = found
        self._places = {step.name: place for place, step in enumerate(self._steps)}
        self._ones = [self._one(observation, tried) for tried in found if self._may_be_one(tried)]

    def _may_be_one(self, tried: Tried) -> bool:
        """Whether it keeps the shape of what it replaces, and numbers where the student has some.

        What is not a number stays so under any second mistake.
        """
        known, replaced = tried.known, tried.candidate.replaced
        if known is None or any(np.shape(known[name]) != np.shape(self._values[name]) for name in replaced):
            return False
        end = np.asarray(known[self._target])
        return end.shape == self._student.shape and not np.isnan(end[np.isfinite(self._student)]).any()

    def _one(self, observation: Observation, tried: Tried) -> _One:
        assert tried.known is not None
        replaced = tried.candidate.replaced
        stage = next(iter(replaced)) if len(replaced) == 1 else None
        names = reads(observation.chain, tried.candidate.mistake, observation.chain.stages[stage]) if stage else ()
        return _One(
            candidate=tried.candidate,
            known=tried.known,
            first=min(self._places[name] for name in replaced),
            stage=stage,
            reads={name: self._values.get(name, MISSING) for name in names},
        )

    def likeliest(self) -> list[int]:
        """Candidates whose array points most nearly as the student's does, either way."""
        seen = self._student.reshape(-1).astype(np.float64)
        ends = np.array([np.asarray(one.known[self._target], np.float64).reshape(-1) for one in self._ones])
        if not len(ends):
            return []
        finite = np.isfinite(ends) & np.isfinite(seen)
        # The largest entry is made 1, so that no square overflows.
        ends = np.where(finite, ends, 0.0)
        ends /= np.maximum(1e-300, np.abs(ends).max(axis=1, keepdims=True, initial=0.0))
        seen = np.where(finite, seen, 0.0)
        seen /= np.maximum(1e-300, np.abs(seen).max(axis=1, keepdims=True, initial=0.0))
        lengths = np.sqrt((ends**2).sum(axis=1) * (seen**2).sum(axis=1))
        cosines = np.abs((ends * seen).sum(axis=1)) / np.maximum(1e-300, lengths)
        return [int(place) for place in np.argsort(-cosines, kind="stable")[:MOST_TRIED]]

    def with_later(self, place: int, done: set[int]) -> Iterator[tuple[Candidate, Candidate]]:
        """Pairs whose earlier mistake is the one at ``place``."""
        earlier = self._ones[place]
        by_stage: dict[str, list[_One]] = {}
        for number, later in enumerate(self._ones):
            if number in done or later.first <= earlier.first or not self._apart(earlier, later):
                continue
            if later.stage is None:
                yield from self._both(earlier, later)
            elif self._follows(earlier, later.stage):
                by_stage.setdefault(later.stage, []).append(later)
        for stage, others in by_stage.items():
            yield from self._side_by_side(stage, [(earlier, later) for later in others])

    def with_earlier(self, place: int, done: set[int]) -> Iterator[tuple[Candidate, Candidate]]:
        """Pairs whose later mistake is the one at ``place``."""
        later = self._ones[place]
        others = [
            earlier
            for number, earlier in enumerate(self._ones)
            if number not in done and earlier.first < later.first and self._apart(earlier, later)
        ]
        if later.stage is None:
            for earlier in others:
                yield from self._both(earlier, later)
        else:
            followed = [earlier for earlier in others if self._follows(earlier, later.stage)]
            yield from self._side_by_side(later.stage, [(earlier, later) for earlier in followed])

    @staticmethod
    def _apart(one: _One, other: _One) -> bool:
        return one.candidate.replaced.keys().isdisjoint(other.candidate.replaced)

    def _follows(self, earlier: _One, stage: str) -> bool:
        """Whether the way on from ``stage`` is free of the earlier mistake."""
        return not any(step.name in earlier.candidate.replaced for step in self._ways[stage])

    def _both(self, one: _One, other: _One) -> Iterator[tuple[Candidate, Candidate]]:
        """A pair that is carried on its own."""
        both = carried(self._steps, self._values, {**one.candidate.replaced, **other.candidate.replaced})
        if both is not None and self._seen.is_(np.asarray(both[self._target])):
            yield one.candidate, other.candidate

    def _side_by_side(self, stage: str, pairs: Sequence[tuple[_One, _One]]) -> Iterator[tuple[Candidate, Candidate]]:
        """Of pairs whose later mistake is at ``stage``, those that give the student's array."""
        shape = np.shape(self._values[stage])
        made: list[NDArray[Any]] = []
        makers: list[tuple[_One, _One]] = []
        for earlier, later in pairs:
            value = _made(earlier.known, later, stage)
            if value is not None and value.shape == shape:
                made.append(value)
                makers.append((earlier, later))
        if not made:
            return
        ends = ends_of([earlier.known for earlier, _ in makers], stage, made, self._ways[stage], self._target)
        for (earlier, later), end in zip(makers, ends, strict=True):
            if self._seen.is_(end):
                yield earlier.candidate, later.candidate

    def of_other_shape(self) -> Iterator[tuple[Candidate, Candidate]]:
        """Pairs of which one alone gives the student's shape already."""
        for one in self._found:
            if one.known is None or np.shape(one.known[self._target]) != self._student.shape:
                continue
            first, replaced = self._first(one.candidate), one.candidate.replaced
            for other in (tried.candidate for tried in self._found):
                if not replaced.keys().isdisjoint(other.replaced):
                    continue
                both = carried(self._steps, self._values, {**replaced, **other.replaced})
                if both is not None and self._seen.is_(np.asarray(both[self._target])):
                    yield (one.candidate, other) if first < self._first(other) else (other, one.candidate)

    def _first(self, candidate: Candidate) -> int:
        return min(self._places[name] for name in candidate.replaced)


def _made(known: Mapping[str, Any], later: _One, stage: str) -> NDArray[Any] | None:
    """What the later mistake makes; the call is spared where the earlier one has changed nothing that it reads."""
    if all(known.get(read) is value for read, value in later.reads.items()):
        return np.asarray(later.known[stage])
    try:
        return np.asarray(later.candidate.replaced[stage](known))
    except Exception:  # a wrong stage may fail in any way on some shapes
        return None


class _Seen:
    """The student's array. One cell decides nearly always, so it is looked at first."""

    def __init__(self, student: NDArray[Any]) -> None:
        self._shape, self._flat = student.shape, student.reshape(-1).astype(np.float64)
        self._finite = np.isfinite(self._flat)
        sizes = np.where(self._finite, np.abs(self._flat), -1.0)
        self._probe = int(sizes.argmax())
        self._allowed = MATCH * max(1e-12, float(sizes[self._probe]))

    def is_(self, end: NDArray[Any] | None) -> bool:
        """Whether ``end`` is the student's array."""
        if end is None or end.shape != self._shape:
            return False
        if self._finite[self._probe] and not abs(end.flat[self._probe] - self._flat[self._probe]) <= self._allowed:
            return False
        flat, finite = end.reshape(-1), self._finite
        lines_up = bool((np.isfinite(flat) == finite).all())
        return lines_up and float(np.abs(flat[finite] - self._flat[finite]).max(initial=0.0)) <= self._allowed
