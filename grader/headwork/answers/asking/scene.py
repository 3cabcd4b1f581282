"""What a way of asking works with, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from headwork.draw.stream import Stream
from headwork.model import AskedPart, Chain, Diagnosis, Exercise, Instance, Verdict
from headwork.rooms import Content

if TYPE_CHECKING:
    from headwork.sandbox import Runner

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One student's instance with every stage of the reference on it, and a stream for drawn options."""

    content: Content
    exercise: Exercise
    chain: Chain
    instance: Instance
    work: Callable[[], Mapping[str, Any]]
    """Works out every stage of the reference, once; many questions need none of them."""
    stream: Stream
    decimal_comma: bool = False
    runner: Runner | None = None
    """Where a way may run what was typed; None where nothing is to be run."""

    @property
    def values(self) -> Mapping[str, Any]:
        """The inputs and every stage of the reference."""
        return self.work()

    def filled(self, text: str) -> str:
        """A question of the content with its names filled in.

        Raises ContentError for a name that is not there.
        """
        from headwork.pages.environment import rendered_text

        where = str(self.exercise.path or self.exercise.slug)
        return rendered_text(text, where=where, content=self.content, context=self._names()).strip()

    def _names(self) -> dict[str, object]:
        import numpy as np

        sizes = {name: value for name, value in self.instance.values.items() if np.ndim(value) == 0}
        spoken = [" ".join(prompt) for prompt in self.instance.words]
        prompts = {f"prompt_{letter}": text for letter, text in zip("ab", spoken, strict=False)}
        return {**sizes, **prompts, "sizes": sizes, "words": self.instance.words}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What one student is asked: an answer field, with options or a listing where there are any."""

    field: str
    text: str
    points: Fraction
    kind: str
    how: str
    """What to type: "one letter", "letters", "a matrix", ..."""
    options: tuple[str, ...] = ()
    """Shown with the letters a, b, c, ... in this order."""
    listing: tuple[str, ...] = ()
    """Lines of code, shown with numbers from 1."""


class Asks(AskedPart, Protocol):
    """A part that asks one question."""

    @property
    def question(self) -> str:
        """The text, with fields for what was drawn."""
        ...

    @property
    def kind(self) -> str:
        """The way of asking."""
        ...


def question_of(
    part: Asks, scene: Scene, *, how: str, options: tuple[str, ...] = (), listing: tuple[str, ...] = ()
) -> Question:
    """What a student is asked by ``part``. See Question for the rest."""
    return Question(
        field=part.slug,
        text=scene.filled(part.question),
        points=part.points,
        kind=part.kind,
        how=how,
        options=options,
        listing=listing,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How a typed answer was judged; ``share`` is the part of the points that it earned."""

    verdict: Verdict
    share: Fraction
    summary: str
    messages: tuple[str, ...] = ()
    diagnosis: Diagnosis | None = None
    read_as: str = ""
    right_answer: str = ""
    """Shown once worked solutions are released."""


class Way(Protocol):
    """A way of asking, as ``mark_asked`` uses it: ``key`` is a right answer as it would be typed."""

    @property
    def slug(self) -> str:
        """The name of its answer field."""
        ...

    @property
    def points(self) -> Fraction:
        """What it is worth."""
        ...

    @property
    def kind(self) -> str:
        """The way of asking, in a word."""
        ...

    def asked(self, scene: Scene) -> Question:
        """What this student is asked."""
        ...

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Judge what was typed."""
        ...

    def key(self, scene: Scene) -> str:
        """A right answer as it would be typed."""
        ...


NONE = Fraction(0)
ALL = Fraction(1)


def right(summary: str = "right", **rest: Any) -> Finding:
    """A finding with all points."""
    return Finding(verdict=Verdict.RIGHT, share=ALL, summary=summary, **rest)


def wrong(summary: str, *, share: Fraction = NONE, **rest: Any) -> Finding:
    """A finding with ``share`` of the points."""
    return Finding(verdict=Verdict.WRONG, share=share, summary=summary, **rest)


def unreadable(summary: str, **rest: Any) -> Finding:
    """A finding that says what to type instead."""
    return Finding(verdict=Verdict.UNREADABLE, share=NONE, summary=summary, **rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One of several options, and what a student who takes it should read."""

    text: str
    is_right: bool = False
    diagnosis: Diagnosis | None = None
    why: str = ""
    """Why it does not hold, where it is no known mistake."""
    number: Any = field(default=None, repr=False)
