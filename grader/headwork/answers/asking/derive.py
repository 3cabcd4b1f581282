"""Derive: an exact expression in declared symbols, equal by proof or by many digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from headwork.answers.asking.scene import NONE, Finding, Question, Scene, question_of, right, unreadable, wrong
from headwork.model import ContentError, Diagnosis, Verdict

if TYPE_CHECKING:
    from headwork.answers.tree import Tree

Expected: TypeAlias = str | Callable[[Scene], str]
"""Text of the answer grammar, or how it follows from the student's numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A wrong answer that is known, and what a student who gave it should read."""

    answer: Expected = field(repr=False)
    title: str
    why: str
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derive:
    """Give an expression."""

    slug: str
    points: Fraction
    question: str
    answer: Expected = field(repr=False)
    symbols: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name -> "positive" or "real"."""
    given: Mapping[str, str] = field(default_factory=dict[str, str])
    """What symbols stand for ({"p_2": "1 - p_0 - p_1"}): filled in on both sides before comparing."""
    form: str = ""
    """A form that is asked for (see answers.form); the right value in another form earns half."""
    slips: tuple[Slip, ...] = ()

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "derive"

    def asked(self, scene: Scene) -> Question:
        """The question; the expected answer is read here too, so that a wrong one is found early."""
        self.expected(scene)
        names = f", in {', '.join(self.symbols)}" if self.symbols else ""
        return question_of(
            self,
            scene,
            how=f"an exact expression{names}",
        )

    def expected(self, scene: Scene) -> Tree:
        """The right answer as a tree. Raises ContentError where it is not of the grammar."""
        return _own(self, scene, self.answer)

    def key(self, scene: Scene) -> str:
        """The expression."""
        from headwork.answers.tree import show

        return show(self.expected(scene))

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Equal, equal in another form, a known slip, different, or undecided."""
        from headwork.answers.form import form_fault
        from headwork.answers.reader import Invalid, read
        from headwork.answers.tokens import Grammar
        from headwork.answers.tree import show

        reading = read(typed, Grammar(symbols=dict(self.symbols), decimal_comma=scene.decimal_comma))
        if isinstance(reading, Invalid):
            return unreadable("it cannot be read", messages=(reading.pointed(),))
        reference = self.expected(scene)
        told: dict[str, Any] = {"read_as": reading.text, "right_answer": show(reference)}
        equal, note = _equal(self, reading.tree, reference)
        if equal is None and note:
            return unreadable(f"it has no value: {note}", read_as=reading.text)
        if equal is None:
            return Finding(
                verdict=Verdict.ATTENTION, share=NONE, summary="equality could not be decided by machine", **told
            )
        if equal:
            fault = form_fault(reading.tree, self.form) if self.form else None
            if fault:
                return wrong(f"the right value in another form: {fault}", share=Fraction(1, 2), **told)
            return right(**told)
        for slip in self.slips:
            if _equal(self, reading.tree, _own(self, scene, slip.answer))[0]:
                about = Diagnosis(kind="mistake", title=slip.title, why=slip.why, look=slip.look)
                return wrong("another expression than asked for", diagnosis=about, **told)
        return wrong("another expression than asked for", **told)


def _own(part: Derive, scene: Scene, text: Expected) -> Tree:
    from headwork.answers.reader import Invalid, read
    from headwork.answers.tokens import Grammar

    spelled = text if isinstance(text, str) else text(scene)
    reading = read(spelled, Grammar(symbols=dict(part.symbols)))
    if isinstance(reading, Invalid):
        raise ContentError(f"{scene.exercise.path}: {part.slug}: the answer {reading.pointed()}")
    return reading.tree


def _equal(part: Derive, student: Tree, reference: Tree) -> tuple[bool | None, str]:
    """Equal or not; None is undecided, or with a note has no value."""
    from headwork.answers.characters import Refused
    from headwork.answers.equality import compare
    from headwork.answers.reader import read
    from headwork.answers.tokens import Grammar

    grammar = Grammar(symbols=dict(part.symbols))
    stands_for = {name: read(text, grammar) for name, text in part.given.items()}
    trees = {name: getattr(reading, "tree") for name, reading in stands_for.items()}  # noqa: B009 - content's own text
    try:
        found = compare(filled_in(student, trees), filled_in(reference, trees), part.symbols)
    except Refused as refused:
        return None, refused.message
    return found.equal, ""


def filled_in(tree: Tree, stands_for: Mapping[str, Tree]) -> Tree:
    """The tree with symbols replaced by what they stand for."""
    from headwork.answers.tree import Call, Negative, Power, Product, Quotient, Sum, Symbol

    match tree:
        case Symbol(name=name):
            return stands_for.get(name, tree)
        case Negative(operand=operand):
            return Negative(operand=filled_in(operand, stands_for))
        case Sum(terms=terms):
            return Sum(terms=tuple(filled_in(term, stands_for) for term in terms))
        case Product(factors=factors):
            return Product(factors=tuple(filled_in(factor, stands_for) for factor in factors))
        case Quotient(top=top, bottom=bottom, at=at):
            return Quotient(top=filled_in(top, stands_for), bottom=filled_in(bottom, stands_for), at=at)
        case Power(base=base, exponent=exponent, at=at):
            return Power(base=filled_in(base, stands_for), exponent=filled_in(exponent, stands_for), at=at)
        case Call(function=function, argument=argument, at=at):
            return Call(function=function, argument=filled_in(argument, stands_for), at=at)
        case _:
            return tree
