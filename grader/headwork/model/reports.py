"""Judgements, and the report that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any


class Verdict(StrEnum):
    """What a part earned, in one word."""

    RIGHT = "right"
    FOLLOWS = "follows"
    WRONG = "wrong"
    CRASHED = "crashed"
    OUT_OF_TIME = "out of time"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    NOT_RUN = "not run"
    ATTENTION = "needs attention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The likely cause of a wrong value."""

    kind: str
    """"mistake", "pair", "relation", "shape", "behaviour" or "cell"."""
    title: str
    mistakes: tuple[str, ...] = ()
    why: str = ""
    look: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The worst cell of a wrong array, in words that may be shown (index by axis name)."""

    where: str
    student: str
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualMark:
    """Points that a person gave, with the reason."""

    points: Fraction
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One part (or one stage of a hand trace), marked."""

    exercise: str
    part: str
    kind: str
    """"code", "compose", "hand" or the slug of another way of asking."""
    verdict: Verdict
    points: Fraction
    maximum: Fraction
    summary: str
    """One sentence for the student."""
    messages: tuple[str, ...] = ()
    axes: str = ""
    seen_shape: tuple[int, ...] | None = None
    wanted_shape: tuple[int, ...] | None = None
    cell: Cell | None = None
    diagnosis: Diagnosis | None = None
    follows: tuple[str, ...] = ()
    """Parts of the student's own that the value was judged from."""
    shown: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the page may draw, on the student's own numbers only: "student" and, once released,
    "reference" matrices as nested lists of text; never anything of a hidden draw."""
    read_as: Mapping[str, str] = field(default_factory=dict[str, str])
    """Typed answers: how each was read."""
    manual: ManualMark | None = None
    """A mark given by hand, which ``points`` then are; it is kept apart from the record of the grading."""


class Status(StrEnum):
    """What may be done with a report."""

    GRADED = "graded"
    GRADED_WITH_NOTICE = "graded_with_notice"
    NEEDS_ATTENTION = "needs_attention"
    NOT_GRADABLE = "not_gradable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The record of one grading; everything else is a view of it."""

    assignment: str
    student: str
    status: Status
    judgements: tuple[Judgement, ...]
    total: Fraction
    maximum: Fraction
    reason: str = ""
    notices: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    isolation: str = ""
    submission_digest: str = ""
    fingerprint: str = ""
    """Digest of all that the marks depend on; the same fingerprint need not be graded again."""
