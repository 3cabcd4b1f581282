"""What a submission's code is asked: calls for the sandbox, and what each should give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.model import Call, Chain, CodePart, ComposePart, Exercise, Result
from headwork.stages import between

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
    chained: bool = False
    """True for a composed function where all operations that it is made of are asked for as well."""

    @property
    def compositions(self) -> tuple[Composition, ...]:
        """The student's own operations in place of the composed function, on hidden draws; ordinary numbers first."""
        if not (self.chained and isinstance(self.part, ComposePart)):
            return ()
        ordinary_first = sorted(self.checks, key=lambda check: check.aspect != VALUES)
        return tuple(_composition(self.part, check) for check in ordinary_first if not check.own)

    @property
    def repeated(self) -> tuple[Check, Check]:
        """A check and the same one again, after all others."""
        return first_ordinary(self.checks), self.checks[-1]

    @property
    def kind(self) -> str:
        """What judgements of it say they are."""
        return "code" if isinstance(self.part, CodePart) else "compose"

    @property
    def function(self) -> str:
        """The name of the student's function."""
        return self.part.function


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All calls of a submission, in order, and the parts that read their outcomes."""

    calls: tuple[Call, ...]
    parts: tuple[PartPlan, ...]


def call_of(function: str, arguments: tuple[Any, ...], reference: Any) -> Call:
    """A call of a student's function; how large its result may be follows from the reference."""
    return Call(function=function, arguments=arguments, expected_bytes=int(np.asarray(reference).nbytes))


def first_ordinary(checks: Sequence[Check]) -> Check:
    """The first check on ordinary values."""
    return next(check for check in checks if check.aspect == VALUES)


def _composition(part: ComposePart, check: Check) -> Composition:
    """Chain the student's own functions on the inputs of a hidden check."""
    calls: list[Call] = []
    made: dict[str, int] = {}
    for name in between(check.chain, part.target, part.arguments):
        stage = check.chain.stages[name]
        arguments = tuple(Result(made[need]) if need in made else check.values[need] for need in stage.needs)
        made[name] = len(calls)
        calls.append(call_of(stage.operation.name, arguments, check.values[name]))
    return Composition(check=check, calls=tuple(calls), stages=made)
