"""What came back from a student, and what its code did when it was called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from headwork.model.arrays import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What came back from one student, as text. ``cells`` are units that are run one by one."""

    student: str
    cells: tuple[str, ...]
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """exercise slug -> field -> what the student typed."""
    files: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """For staff."""
    messages: tuple[str, ...] = ()
    """For the student."""
    unreadable: str | None = None
    """Why nothing can be graded, where that is so."""
    needs_attention: str | None = None
    cell_names: tuple[str, ...] = ()
    """What to call each cell in a message: its grade id, "cell 3", or the file's name."""
    digest: str = ""
    late: bool = False
    problem: Mapping[str, Any] | None = None
    """A problem.json that came along, as read."""


@dataclass(frozen=True, slots=True)
class Result:
    """As an argument of a Call: what an earlier call of the same job returned."""

    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a student's function. Arguments are positional, in the order of the stub.

    Results that earlier calls gave are passed on inside the child; a call whose ``Result`` has no
    value is not run.
    """

    function: str
    arguments: tuple[Any, ...]
    expected_bytes: int = 0
    picks: int | None = None
    """Of a function that returns several values: which item of the tuple is the value of this call.
    Two calls with the same arguments and other ``picks`` see both (a cache returns keys and values)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Per job, in seconds and bytes."""

    wall: float = 10.0
    """For one call, and for loading the file."""
    total: float = 30.0
    """For the whole submission."""
    memory: int = 1 << 30
    output: int = 1 << 16
    source: int = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A value came back, as plain numbers."""

    value: Array
    type_name: str = "ndarray"
    changed_arguments: tuple[int, ...] = ()
    """What the child says about its arguments: advice, never a verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """The call ended in an exception."""

    exception: str
    message: str
    line: int | None = None
    cell: int | None = None
    """Which of the submission's cells, from 0, where the error came while it was loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """Something came back that is not an array of numbers ("text", "a dict", "nothing (None)")."""

    seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut:
    """The call ran into the wall limit, in seconds."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """The child ended in the call: "memory", "output", "signal 11", "exit"."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The function is not there; ``reason`` says so, or what ended the file before it."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRun:
    """An argument was to come from call ``blame`` of the same job, which gave none."""

    blame: int


Outcome: TypeAlias = Returned | Raised | Unusable | TimedOut | Killed | Missing | NotRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one submission did: an outcome per call, and what it printed (for staff only)."""

    outcomes: tuple[Outcome, ...]
    load_errors: tuple[Raised | TimedOut | Killed, ...] = ()
    printed: str = ""
    tier: str = ""
