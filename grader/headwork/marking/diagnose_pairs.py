"""Two known mistakes at different stages of one composed computation.

With some hundred mistakes there are thousands of pairs. One mistake of a pair, made alone, nearly always
points about the same way as both together (cosine of the two arrays), so those that point as the student's
array does are tried with all others, as the earlier mistake and as the later one. The likeliest goes first, then
seven more together. What is tried together is laid side by side along the batch, so that the way to the target is
computed once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_candidates import MATCH, Candidate, Fitting, Observation, Tried, carried, steps_to
from headwork.marking.diagnose_side_by_side import ends_of, ways_to
from headwork.mistakes import reads

MISSING = object()
"""Stands for a value that is not at hand; equal to none."""

FEWEST = 6
"""Finite cells that a pair must explain; fewer would fit by chance."""

_ROUNDS = (0, 1, 8)
"""Where the likeliest candidates are cut into those that are tried together; the last is how many are tried at all.

Most pairs are found in the first round; what is tried together costs less apiece. See bench/diagnosis.py.
"""


def pairs_for(observation: Observation, found: Sequence[Tried], fits: Fitting) -> Iterator[tuple[Candidate, Candidate]]:
    """Pairs of candidates at different stages that give the student's array, each in the order of the chain.

    ``found`` are all candidates, ``fits`` those of them that give the student's shape alone.
    """
    student = np.asarray(observation.student)
    if np.isfinite(student).sum() < FEWEST:
        return
    if student.shape != observation.reference.shape:
        yield from _Search(observation, fits).of_other_shape(found)
        return
    search = _Search(observation, fits)
    likeliest = search.likeliest()
    for start, end in itertools.pairwise(_ROUNDS):
        yield from search.with_all(likeliest[start:end], tried=likeliest[:start])


@dataclass(frozen=True, slots=True, kw_only=True)
class _One:
    """A candidate that may be one of a pair, and everything that it gives alone."""

    candidate: Candidate
    known: Mapping[str, Any]
    first: int
    """The place in the chain where it is made first."""
    replaced: frozenset[str]
    stage: str | None
    """The stage it replaces; None for one that replaces several."""
    reads: Mapping[str, Any]
    """What it reads, as it is without another mistake."""

    def ignores(self, other: _One) -> bool:
        """Whether the other one changes nothing that this one reads."""
        return all(other.known.get(read) is value for read, value in self.reads.items())


class _Search:
    """The candidates for one wrong array."""

    def __init__(self, observation: Observation, fits: Fitting) -> None:
        self._values, self._target = observation.values, observation.target
        self._seen = _Seen(np.asarray(observation.student))
        self._steps = steps_to(observation.chain, observation.target)
        self._ways = ways_to(observation.chain, observation.target)
        self._fits = fits
        self._places = {step.name: place for place, step in enumerate(self._steps)}
        # What is not a number stays so under any second mistake.
        broken = np.isnan(fits.ends[:, self._seen.finite])
        rows = [row for row, one in enumerate(fits.tried) if not broken[row].any() and self._keeps_shapes(one)]
        self._ones = [self._one(observation, fits.tried[row]) for row in rows]
        self._ends = fits.ends[rows]

    def _keeps_shapes(self, tried: Tried) -> bool:
        """Whether it keeps the shape of what it replaces."""
        known = tried.known
        assert known is not None
        return all(np.shape(known[name]) == np.shape(self._values[name]) for name in tried.candidate.replaced)

    def _one(self, observation: Observation, tried: Tried) -> _One:
        assert tried.known is not None
        replaced = tried.candidate.replaced
        stage = next(iter(replaced)) if len(replaced) == 1 else None
        names = reads(observation.chain, tried.candidate.mistake, observation.chain.stages[stage]) if stage else ()
        return _One(
            candidate=tried.candidate,
            known=tried.known,
            first=min(self._places[name] for name in replaced),
            replaced=frozenset(replaced),
            stage=stage,
            reads={name: self._values.get(name, MISSING) for name in names},
        )

    def likeliest(self) -> list[int]:
        """Candidates whose array points most nearly as the student's does, either way."""
        if not self._ones:
            return []
        finite = np.isfinite(self._ends) & self._seen.finite
        # The largest entry is made 1, so that no square overflows.
        ends = np.where(finite, self._ends, 0.0)
        ends /= np.maximum(1e-300, np.abs(ends).max(axis=1, keepdims=True, initial=0.0))
        seen = np.where(finite, self._seen.flat, 0.0)
        seen /= np.maximum(1e-300, np.abs(seen).max(axis=1, keepdims=True, initial=0.0))
        lengths = np.sqrt((ends**2).sum(axis=1) * (seen**2).sum(axis=1))
        cosines = np.abs((ends * seen).sum(axis=1)) / np.maximum(1e-300, lengths)
        return [int(place) for place in np.argsort(-cosines, kind="stable")[: _ROUNDS[-1]]]

    def with_all(self, places: Sequence[int], *, tried: Sequence[int]) -> Iterator[tuple[Candidate, Candidate]]:
        """Pairs of a candidate at one of ``places`` and any other one that was not ``tried`` with all before."""
        by_stage: dict[str, list[tuple[_One, _One]]] = {}
        done = set(tried)
        for place in places:
            done.add(place)
            for number, other in enumerate(self._ones):
                if number in done:
                    continue
                base, last = sorted((self._ones[place], other), key=lambda one: one.first)
                if base.first == last.first or not base.replaced.isdisjoint(last.replaced):
                    continue
                if self._beside(base, last):
                    base, last = last, base
                if last.stage is None:
                    yield from self._both(base, last)
                elif self._ways[last.stage].names.isdisjoint(base.replaced):
                    by_stage.setdefault(last.stage, []).append((base, last))
        for stage, pairs in by_stage.items():
            yield from self._side_by_side(stage, pairs)

    def _beside(self, one: _One, other: _One) -> bool:
        """Whether neither changes what the other reads, as with a mask and the scores: then they may change places."""
        if one.stage is None or other.stage is None or not self._ways[one.stage].names.isdisjoint(other.replaced):
            return False
        return one.ignores(other) and other.ignores(one)

    def _both(self, one: _One, other: _One) -> Iterator[tuple[Candidate, Candidate]]:
        """A pair that is carried on its own."""
        both = carried(self._steps, self._values, {**one.candidate.replaced, **other.candidate.replaced})
        if both is not None and self._seen.is_(np.asarray(both[self._target])):
            yield one.candidate, other.candidate

    def _side_by_side(self, stage: str, pairs: Sequence[tuple[_One, _One]]) -> Iterator[tuple[Candidate, Candidate]]:
        """Of pairs of which the second one is at ``stage``, those that give the student's array."""
        shape = np.shape(self._values[stage])
        made: list[NDArray[Any]] = []
        makers: list[tuple[_One, _One]] = []
        for base, last in pairs:
            value = _made(base, last, stage)
            if value is not None and value.shape == shape:
                made.append(value)
                makers.append((base, last))
        ends = ends_of([base.known for base, _ in makers], stage, made, self._ways[stage].steps, self._target)
        for pair, end in zip(makers, ends, strict=True):
            if self._seen.is_(end):
                first, second = sorted(pair, key=lambda one: one.first)
                yield first.candidate, second.candidate

    def of_other_shape(self, found: Sequence[Tried]) -> Iterator[tuple[Candidate, Candidate]]:
        """Pairs of which one alone gives the student's shape already."""
        for one in (tried.candidate for tried in self._fits.tried):
            for other in (tried.candidate for tried in found):
                if not one.replaced.keys().isdisjoint(other.replaced):
                    continue
                both = carried(self._steps, self._values, {**one.replaced, **other.replaced})
                if both is not None and self._seen.is_(np.asarray(both[self._target])):
                    yield (one, other) if self._first(one) < self._first(other) else (other, one)

    def _first(self, candidate: Candidate) -> int:
        return min(self._places[name] for name in candidate.replaced)


def _made(base: _One, last: _One, stage: str) -> NDArray[Any] | None:
    """What the last mistake makes; the call is spared where the other one has changed nothing that it reads."""
    if last.ignores(base):
        return np.asarray(last.known[stage])
    try:
        return np.asarray(last.candidate.replaced[stage](base.known))
    except Exception:  # a wrong stage may fail in any way on some shapes
        return None


class _Seen:
    """The student's array. One cell decides nearly always, so it is looked at first."""

    def __init__(self, student: NDArray[Any]) -> None:
        self._shape, self.flat = student.shape, student.reshape(-1).astype(np.float64)
        self.finite = np.isfinite(self.flat)
        sizes = np.where(self.finite, np.abs(self.flat), -1.0)
        self._probe = int(sizes.argmax())
        self._allowed = MATCH * max(1e-12, float(sizes[self._probe]))

    def is_(self, end: NDArray[Any] | None) -> bool:
        """Whether ``end`` is the student's array."""
        if end is None or end.shape != self._shape:
            return False
        if self.finite[self._probe] and not abs(end.flat[self._probe] - self.flat[self._probe]) <= self._allowed:
            return False
        flat, finite = end.reshape(-1), self.finite
        lines_up = bool((np.isfinite(flat) == finite).all())
        return lines_up and float(np.abs(flat[finite] - self.flat[finite]).max(initial=0.0)) <= self._allowed
