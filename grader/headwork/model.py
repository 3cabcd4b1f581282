"""The frozen types that pass between the rooms of headwork.

This module imports nothing else of ours, and NumPy only for the type checker, so that
a command which only lists things starts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
    Value: TypeAlias = Array | int | float | bool
else:  # content modules annotate with these names; at run time they need no NumPy
    Array = Any
    Value = Any


# --- what can go wrong, for three audiences ---------------------------------------------------


class ContentError(Exception):
    """An author's file is not as it must be. The text says which file, what was seen, what to do."""


class CourseError(Exception):
    """An instructor's file, folder or option is not as it must be. Same rules for the text."""


class GraderFault(Exception):
    """headwork itself, or the machine under it, failed. It is never a mark."""


# --- content ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One function that a student can be asked for: its parameters, axes and contract."""

    name: str
    function: Callable[..., Any]
    needs: tuple[str, ...]
    needs_axes: Mapping[str, str]
    axes: str
    contract: str


@dataclass(frozen=True, slots=True)
class Applied:
    """A stage that applies an operation to values of other names (``q = stage(project, w="w_q")``)."""

    operation: Callable[..., Any]
    bindings: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A value of a chain: the operation that makes it, and the values it is made of, in order."""

    name: str
    operation: Operation
    needs: tuple[str, ...]
    axes: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """The graph of one module of ``solutions/``: stages in an order in which they can be computed."""

    slug: str
    title: str
    stages: Mapping[str, Stage]
    sources: tuple[str, ...]
    axes: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mistake:
    """A wrong stage function that a student may have written, with words a student may read.

    ``target`` is the operation or the stage that it stands in for; ``needs`` are the values of the
    chain that it reads, under the operation's parameter names where it has those.
    """

    slug: str
    target: str
    function: Callable[..., Any]
    needs: tuple[str, ...]
    title: str
    why: str
    look: str
    hint: str
    alike: Mapping[str, str] = field(default_factory=dict[str, str])
    """Slugs of mistakes that cannot be told from this one, each with the reason."""
    shows_when: Callable[[Mapping[str, Any]], bool] | None = None
    """On which values of a chain (reference stages included) the mistake can show; ``None``: on all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePart:
    """Implement one operation. It is judged at every stage of the drawn chains that applies it."""

    operation: str
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposePart:
    """Implement a whole chain, up to ``target``, in one function called ``name``."""

    name: str
    chain: str
    target: str
    arguments: tuple[str, ...]
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePart:
    """Work stages of the drawn problem by hand, each for ``points``."""

    stages: tuple[str, ...]
    points: Fraction
    decimals: int = 3


class AskedPart(Protocol):
    """Any further way of asking (``answers/asking/``): a slug, points, and its own judge."""

    @property
    def slug(self) -> str:
        """Names the part, and its field in answers.toml."""
        ...

    @property
    def points(self) -> Fraction:
        """What it can earn."""
        ...


Part: TypeAlias = CodePart | ComposePart | TracePart | AskedPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What an assignment may set for an exercise; ``None`` leaves it to the draw."""

    T: int | None = None
    d_model: int | None = None
    d_head: int | None = None
    n_heads: int | None = None
    causal: bool | None = None
    words: str | None = None
    numbers: str | None = None
    difficulty: str = "standard"
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exercise:
    """One file of ``exercises/``: the prompt, how numbers are drawn, and the ways of asking.

    Loaded once per process, so exercises are compared by identity.
    """

    slug: str = ""
    title: str = ""
    prompt: str = ""
    unit: int
    version: int = 1
    code_chains: tuple[str, ...] = ()
    """Chains that the hidden draws of the code parts come from, one draw each."""
    hand_chain: str | None = None
    """Chain of the student's own numbers, worked by hand and run in code."""
    hand_numbers: str = "tenths"
    """How hand numbers are made readable: "tenths", "ln2" or "ln3" (see draw/readable.py)."""
    large_scores: bool = False
    """Also draw one instance whose scores are in the hundreds, to see overflow."""
    shows_numbers: bool = True
    """Whether the prompt shows the drawn matrices; exercises about sizes and symbols alone need none."""
    parts: tuple[Part, ...]
    path: Path | None = None


# --- problems ---------------------------------------------------------------------------------


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


# --- submissions ------------------------------------------------------------------------------


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


# --- running code -----------------------------------------------------------------------------


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


# --- judging ----------------------------------------------------------------------------------


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
