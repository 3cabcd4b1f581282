"""What authors write: operations, chains, mistakes, exercises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, TypeAlias


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

    @property
    def function(self) -> str:
        """What the student's function is called."""
        return self.operation


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposePart:
    """Implement a whole chain, up to ``target``, in one function called ``name``."""

    name: str
    chain: str
    target: str
    arguments: tuple[str, ...]
    points: Fraction

    @property
    def function(self) -> str:
        """What the student's function is called."""
        return self.name


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
