"""What is drawn for a student, and the certificate that goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The drawn inputs of one chain.

    ``values`` are floats, integers and booleans as the code sees them; ``exact`` spells the same
    numbers for hand work, as text of the answer grammar ("1/5*sqrt(2)"), and is empty for dense code draws.
    """

    chain: str
    values: Mapping[str, Any]
    exact: Mapping[str, Any] = field(default_factory=dict[str, Any])
    words: tuple[tuple[str, ...], ...] = ()
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What one student got for one exercise: inputs and their digest, and no answers."""

    exercise: str
    version: int
    student: str
    instance: Instance
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a known mistake ends up from the right answer on one instance (relative, see compare)."""

    mistake: str
    at_stage: float
    at_end: float | None
    nearest: float
    nearest_mistake: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """For the instructor: every applicable mistake shows on this instance."""

    exercise: str
    chain: str
    attempt: int
    by_hand: bool
    gap: float
    distances: tuple[Distance, ...]
