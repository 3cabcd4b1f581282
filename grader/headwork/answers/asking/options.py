"""Options in a drawn order, and what a typed letter or option means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwork.answers.asking.letters import first_letters, one_letter
from headwork.answers.asking.scene import LETTERS, Finding, Option, right, unreadable, wrong
from headwork.draw.stream import Stream


def drawn_options(stream: Stream, correct: Option, others: Sequence[Option]) -> tuple[Option, ...]:
    """All of them in a drawn order."""
    return tuple(stream.child("order").shuffled((correct, *others)))


def lettered(options: Sequence[Option], at: int) -> str:
    """ "b: 0.599, 0.401"."""
    return f"{LETTERS[at]}: {options[at].text}"


def judge_choice(options: Sequence[Option], typed: str) -> Finding:
    """Judge a letter, or an option typed out."""
    at = one_letter(typed, len(options))
    if at is None:
        plain = _squeezed(typed)
        at = next((place for place, option in enumerate(options) if _squeezed(option.text) == plain), None)
    if at is None and one_letter(typed, len(LETTERS)) is not None:
        return wrong("there is no such option", read_as=typed.strip())
    if at is None:
        return unreadable(f"not one of the letters {first_letters(len(options))}")
    return finding_for(options, at)


def finding_for(options: Sequence[Option], at: int) -> Finding:
    """What taking option ``at`` earns."""
    correct = next(place for place, option in enumerate(options) if option.is_right)
    told: dict[str, Any] = {"read_as": lettered(options, at), "right_answer": lettered(options, correct)}
    if options[at].is_right:
        return right(**told)
    reasons = (options[at].why,) if options[at].why else ()
    return wrong(f"option {LETTERS[at]} does not hold", diagnosis=options[at].diagnosis, messages=reasons, **told)


def letter_of_right(options: Sequence[Option]) -> str:
    """The letter to type."""
    return next(letter for letter, option in zip(LETTERS, options, strict=False) if option.is_right)


def _squeezed(text: str) -> str:
    return "".join(text.split()).rstrip(".").lower()
