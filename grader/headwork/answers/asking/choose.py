"""Choose: the wrong options are known mistakes, worked on the student's own numbers, or sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from headwork.answers.asking.arrays import floats_of
from headwork.answers.asking.options import drawn_options, finding_for, judge_choice, letter_of_right
from headwork.answers.asking.predict import Change
from headwork.answers.asking.scene import Finding, Option, Question, Scene, question_of, wrong
from headwork.mistakes import applicable, applied, diagnosis_of, shows_on, stages_of
from headwork.model import ContentError
from headwork.pages.matrix import decimal_texts
from headwork.stages import evaluate, upstream

DISTANCE = 5e-3
"""Options differ by at least this in some cell, so that three decimals tell them apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseValue:
    """Which of these is the value of a stage, or of one row or cell of it, on your numbers?"""

    slug: str
    points: Fraction
    question: str
    of: str
    at: tuple[int, ...] = ()
    """Row, or row and cell; counted from the end where negative."""
    options: int = 4
    prefer: tuple[str, ...] = ()
    """Mistakes to draw from first."""
    change: Change | None = field(default=None, repr=False)
    """Inputs to change before (the second prompt in place of the first)."""

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "choose"

    def drawn(self, scene: Scene) -> tuple[Option, ...]:
        """The options in the order shown.

        Raises ContentError where no mistake gives another value.
        """
        if self.of not in scene.chain.stages:
            raise ContentError(f'{scene.exercise.path}: {self.slug}: stage "{self.of}" is not in {scene.chain.slug}')
        inputs = {**scene.instance.values, **(self.change(scene.instance.values) if self.change else {})}
        with np.errstate(all="ignore"):
            values = evaluate(scene.chain, inputs)
        reference = np.asarray(values[self.of])[self.at]
        others = _wrong_values(self, scene, inputs, values, reference)
        if not others:
            raise ContentError(f"{scene.exercise.path}: {self.slug}: no known mistake gives another {self.of}")
        return drawn_options(scene.stream, Option(text=value_text(reference), is_right=True, number=reference), others)

    def asked(self, scene: Scene) -> Question:
        """The question with its options."""
        return question_of(
            self,
            scene,
            how="one letter, or the value",
            options=tuple(option.text for option in self.drawn(scene)),
        )

    def key(self, scene: Scene) -> str:
        """The letter of the right option."""
        return letter_of_right(self.drawn(scene))

    def judge(self, scene: Scene, typed: str) -> Finding:
        """A letter, or numbers that are one of the options."""
        options = self.drawn(scene)
        finding = judge_choice(options, typed)
        if finding.read_as:
            return finding
        read = floats_of(typed, decimal_comma=scene.decimal_comma)
        if isinstance(read, str):
            return finding
        at = _option_of(options, read)
        if at is None:
            return wrong("a value that is none of the options", read_as=value_text(read))
        return finding_for(options, at)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseSentence:
    """Which sentence holds? Every wrong one brings the reason why it does not."""

    slug: str
    points: Fraction
    question: str
    right: str
    wrong: Mapping[str, str]
    """Sentence -> why it does not hold (shown to those who chose it), or the slug of a known mistake."""

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "choose"

    def drawn(self, scene: Scene) -> tuple[Option, ...]:
        """The options in the order shown."""
        others = [_wrong_sentence(scene, text, why) for text, why in self.wrong.items()]
        return drawn_options(scene.stream, Option(text=scene.filled(self.right), is_right=True), others)

    def asked(self, scene: Scene) -> Question:
        """The question with its options."""
        return question_of(
            self,
            scene,
            how="one letter",
            options=tuple(option.text for option in self.drawn(scene)),
        )

    def key(self, scene: Scene) -> str:
        """The letter of the right option."""
        return letter_of_right(self.drawn(scene))

    def judge(self, scene: Scene, typed: str) -> Finding:
        """A letter, or the sentence typed out."""
        return judge_choice(self.drawn(scene), typed)


def _wrong_sentence(scene: Scene, text: str, why: str) -> Option:
    mistake = scene.content.mistakes.get(why)
    if mistake:
        return Option(text=scene.filled(text), diagnosis=diagnosis_of(mistake))
    return Option(text=scene.filled(text), why=scene.filled(why))


def value_text(value: Any) -> str:
    """A number, a row ("0.599, 0.401") or rows ("1, 0; 0, 1") at three decimals."""
    texts = decimal_texts(value)
    if isinstance(texts, str):
        return texts
    rows = [", ".join(row) for row in texts] if np.ndim(value) > 1 else [", ".join(texts)]
    return "; ".join(rows)


def _wrong_values(
    part: ChooseValue, scene: Scene, inputs: Mapping[str, Any], values: Mapping[str, Any], reference: Any
) -> list[Option]:
    """Values of known mistakes, apart from the right one and from each other."""
    found: list[Option] = []
    of, at = part.of, part.at
    reach = set(upstream(scene.chain, [of]))
    pool = [
        mistake for mistake in scene.content.mistakes_of(scene.chain) if reach & set(stages_of(scene.chain, mistake))
    ]
    drawn = scene.stream.child("mistakes").shuffled(sorted(pool, key=lambda mistake: mistake.slug))
    drawn.sort(key=lambda mistake: (mistake.slug not in part.prefer, of not in stages_of(scene.chain, mistake)))
    for mistake in drawn:
        if len(found) == part.options - 1:
            break
        if not applicable(scene.chain, mistake) or not shows_on(mistake, values):
            continue
        try:
            with np.errstate(all="ignore"):
                made = evaluate(scene.chain, inputs, targets=[of], replaced=applied(scene.chain, mistake))[of]
                value = np.asarray(made)[at]
        except Exception:  # a wrong stage may fail in any way on some shapes
            continue
        if all(_differ(value, other) for other in (reference, *(option.number for option in found))):
            found.append(Option(text=value_text(value), diagnosis=diagnosis_of(mistake), number=value))
    return found


def _differ(value: Any, other: Any) -> bool:
    """Of one shape, without nan, and apart in some cell as far as three decimals show."""
    left, right = np.asarray(value, np.float64), np.asarray(other, np.float64)
    if left.shape != right.shape or np.isnan(left).any():
        return False
    finite = np.isfinite(left) & np.isfinite(right)
    if not np.array_equal(left[~finite], right[~finite]):
        return True
    return bool(np.abs(left[finite] - right[finite]).max(initial=0.0) > DISTANCE)


def _option_of(options: tuple[Option, ...], read: Any) -> int | None:
    """The option whose numbers these are; None where they are none of them."""
    for place, option in enumerate(options):
        number = np.asarray(option.number, np.float64)
        if read.size == number.size and _close(read.reshape(number.shape), number):
            return place
    return None


def _close(left: Any, right: Any) -> bool:
    finite = np.isfinite(right)
    if not np.array_equal(np.isfinite(left), finite) or not np.array_equal(left[~finite], right[~finite]):
        return False
    # Half of a third decimal, and the last bit of both.
    return bool(np.abs(left[finite] - right[finite]).max(initial=0.0) <= 5.1e-4)
