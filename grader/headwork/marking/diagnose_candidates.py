"""Known mistakes carried through a chain to the value that a student gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.compare import LARGE_TOL, TOL, relative_distance
from headwork.mistakes import Replacement, applicable, applied
from headwork.model import Chain, Mistake
from headwork.rooms import Content
from headwork.stages import evaluate, upstream

MATCH = 2 * TOL
"""How close a student's array is to a mistake's for the mistake to be named; a fifth of GAP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One value that a student gave, and all that it could have been made of.

    ``values`` are inputs, sizes and stages. Where stages before the target are the student's own, then
    ``values[target]`` is what was wanted on top of these.
    """

    chain: Chain
    target: str
    values: Mapping[str, Any]
    in_reach: frozenset[str] | None
    """Names of values that the student's function was given; None: everything."""
    student: Any
    tolerance: float | NDArray[np.float64] | None = None
    """Absolute, as for rounded hand work; None: relative, as for code."""
    large: bool = False

    @property
    def reference(self) -> NDArray[Any]:
        """The right value."""
        if self.target in self.values:
            return np.asarray(self.values[self.target])
        return np.asarray(evaluate(self.chain, self.values, targets=[self.target])[self.target])

    @property
    def isolated(self) -> bool:
        """Whether one operation was run on its own."""
        return self.in_reach is not None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A mistake where it may have been made, and what it replaces there."""

    mistake: Mistake
    replaced: Mapping[str, Replacement]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A candidate, and all values with it in place; None where it fails on these inputs."""

    candidate: Candidate
    known: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Step:
    """One stage to compute, with its function at hand."""

    name: str
    function: Callable[..., Any]
    needs: tuple[str, ...]
    axes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Those that were tried and give numbers in the student's shape, and what they give, one row of ``ends`` each."""

    tried: Sequence[Tried]
    ends: NDArray[np.float64]


def fitting(observation: Observation, found: Sequence[Tried]) -> Fitting:
    """What of ``found`` may be what the student did."""
    student = np.asarray(observation.student)
    kept: list[Tried] = []
    rows: list[NDArray[Any]] = []
    for tried in found:
        end = None if tried.known is None else np.asarray(tried.known[observation.target])
        if end is not None and end.shape == student.shape and end.dtype.kind in "bifu":
            kept.append(tried)
            rows.append(end.reshape(-1))
    return Fitting(tried=kept, ends=np.array(rows, np.float64).reshape(len(rows), student.size))


def allowed_of(observation: Observation) -> float:
    """How far code may be from a mistake that is named, relative to the largest value."""
    return LARGE_TOL if observation.large else MATCH


def distance(observation: Observation, value: Any) -> float:
    """How far the student's array is from ``value``, in units of what still counts as the same."""
    if observation.tolerance is None:
        return relative_distance(value, observation.student) / allowed_of(observation)
    wanted, seen = np.asarray(value), np.asarray(observation.student)
    if not np.isfinite(relative_distance(wanted, seen)):
        return np.inf
    finite = np.isfinite(wanted)
    allowed = np.broadcast_to(np.asarray(observation.tolerance, np.float64), wanted.shape)[finite] + 1e-9
    off = np.abs(wanted[finite].astype(np.float64) - seen[finite].astype(np.float64)) / allowed
    return float(off.max(initial=0.0))


def is_wrong(observation: Observation) -> bool:
    """Whether the student's array is not the reference."""
    if observation.tolerance is not None:
        return distance(observation, observation.reference) > 1.0
    allowed = LARGE_TOL if observation.large else TOL
    return relative_distance(observation.reference, observation.student) > allowed


def candidates(content: Content, observation: Observation) -> tuple[Candidate, ...]:
    """Mistakes that can have been made on the way to the observed value, in the order of the chain."""
    return _candidates(content, observation.chain, observation.target, observation.in_reach)


@lru_cache(maxsize=1024)
def _candidates(content: Content, chain: Chain, target: str, in_reach: frozenset[str] | None) -> tuple[Candidate, ...]:
    steps = steps_to(chain, target)[0 if in_reach is None else -1 :]
    places = {step.name: place for place, step in enumerate(steps)}
    found: list[Candidate] = []
    for mistake in content.mistakes_of(chain):
        replaced = {name: function for name, function in applied(chain, mistake).items() if name in places}
        if not replaced:
            continue
        if applicable(chain, mistake, in_reach, stage=None if in_reach is None else target):
            found.append(Candidate(mistake=mistake, replaced=replaced))
    return tuple(sorted(found, key=lambda candidate: min(places[name] for name in candidate.replaced)))


@cache
def steps_to(chain: Chain, target: str) -> tuple[Step, ...]:
    """The stages up to ``target``, in order of computation."""
    return tuple(
        Step(name=name, function=stage.operation.function, needs=stage.needs, axes=stage.axes)
        for name in upstream(chain, [target])
        for stage in (chain.stages[name],)
    )


def steps_of(observation: Observation) -> tuple[Step, ...]:
    """The stages that the student's function computed: one, or the whole way to the target."""
    steps = steps_to(observation.chain, observation.target)
    return steps[-1:] if observation.isolated else steps


def carried(
    steps: Sequence[Step], values: Mapping[str, Any], replaced: Mapping[str, Replacement]
) -> dict[str, Any] | None:
    """All values with ``replaced`` in place, recomputing only what depends on it; None where that fails."""
    known = dict(values)
    absent = frozenset(step.name for step in steps if step.name not in known)
    try:
        for step in _to_compute(tuple(steps), frozenset(replaced), absent):
            instead = replaced.get(step.name)
            known[step.name] = instead(known) if instead else step.function(*[known[need] for need in step.needs])
    except Exception:  # a wrong stage may fail in any way on some shapes
        return None
    return known


@lru_cache(maxsize=4096)
def _to_compute(steps: tuple[Step, ...], replaced: frozenset[str], absent: frozenset[str]) -> tuple[Step, ...]:
    """What is replaced, made of that, or not there."""
    touched = set[str]()
    for step in steps:
        if step.name in replaced or not touched.isdisjoint(step.needs):
            touched.add(step.name)
    return tuple(step for step in steps if step.name in touched or step.name in absent)


def dialects(steps: Sequence[Step], replaced: Mapping[str, Replacement]) -> Iterator[Mapping[str, Replacement]]:
    """The same mistake with hidden scores at minus infinity, at -1e9, and with -1e9 added.

    The three agree wherever a row has something visible, and differ where a mistake hides a whole row.
    """
    yield replaced
    logits = next((step for step in steps if step.name == "logits"), None)
    if logits is None:
        return
    instead, scaled = replaced.get("logits"), logits.needs[0]

    def made(known: Mapping[str, Any]) -> Any:
        return instead(known) if instead else logits.function(*[known[need] for need in logits.needs])

    def filled(known: Mapping[str, Any]) -> Any:
        value = np.asarray(made(known))
        return np.where(np.isneginf(value), -1e9, value)

    def added(known: Mapping[str, Any]) -> Any:
        value = np.asarray(made(known))
        return np.where(np.isneginf(value), np.asarray(known[scaled]) - 1e9, value)

    yield {**replaced, "logits": filled}
    yield {**replaced, "logits": added}
