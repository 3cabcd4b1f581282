"""Spot and repair: a listing with one known mistake in it, drawn for each student."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from headwork.answers.asking.listing import Line, listing_of, mistaken_lines, stage_lines
from headwork.answers.asking.options import drawn_options, judge_choice, letter_of_right
from headwork.answers.asking.scene import Finding, Option, Question, Scene, question_of, right, unreadable, wrong
from headwork.marking.compare import GAP, relative_distance
from headwork.mistakes import applicable, applied, diagnosis_of, shows_on
from headwork.model import ContentError, Mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A listing, the stage that is wrong in it, and the mistake."""

    lines: tuple[Line, ...]
    stage: str
    mistake: Mistake

    def wrong_numbers(self, right_lines: tuple[str, ...]) -> tuple[int, ...]:
        """Numbers of the lines that are not among the right ones; all of the stage where none is."""
        own = [number for number, line in enumerate(self.lines, start=1) if line.stage == self.stage]
        changed = [number for number in own if self.lines[number - 1].text not in right_lines]
        return tuple(changed or own)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Which line of a listing is wrong?"""

    slug: str
    points: Fraction
    question: str
    up_to: str
    stages: tuple[str, ...]
    """Where the mistake may be."""
    listing: str = "listing"
    """Parts of one exercise with the same name here speak of the same listing."""

    @property
    def shows_code(self) -> bool:
        """Whether the question shows how stages are computed, and so must wait until none of them is asked for."""
        return True

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "spot"

    def asked(self, scene: Scene) -> Question:
        """The question with the listing."""
        broken = broken_listing(scene, self.up_to, self.stages, self.slug)
        return question_of(
            self,
            scene,
            how="the number of one line",
            listing=tuple(line.text for line in broken.lines),
        )

    def key(self, scene: Scene) -> str:
        """The number of the wrong line."""
        broken = broken_listing(scene, self.up_to, self.stages, self.slug)
        return str(broken.wrong_numbers(stage_lines(scene.chain, broken.stage))[0])

    def judge(self, scene: Scene, typed: str) -> Finding:
        """A number of a line, or the name of a stage."""
        broken = broken_listing(scene, self.up_to, self.stages, self.slug)
        numbers = broken.wrong_numbers(stage_lines(scene.chain, broken.stage))
        told: dict[str, Any] = {"right_answer": f"line {numbers[0]} ({broken.stage}): {broken.mistake.title}"}
        found = re.fullmatch(r"(?:line|no\.?|#)?\s*(\d{1,3})\s*[.)]?", typed.strip(), re.IGNORECASE)
        if typed.strip() in {line.stage for line in broken.lines}:
            numbers_said = [number for number, line in enumerate(broken.lines, start=1) if line.stage == typed.strip()]
        elif found and not 1 <= int(found[1]) <= len(broken.lines):
            return wrong("there is no such line", read_as=f"line {found[1]}")
        elif found:
            numbers_said = [int(found[1])]
        else:
            return unreadable(f"not a number of a line, 1 to {len(broken.lines)}")
        told["read_as"] = f"line {numbers_said[0]}: {broken.lines[numbers_said[0] - 1].text.strip()}"
        if set(numbers_said) & set(numbers):
            return right(**told)
        return wrong("this line is as it should be", **told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """Choose the lines that put the listing right; the other options are other known mistakes."""

    slug: str
    points: Fraction
    question: str
    up_to: str
    stages: tuple[str, ...]
    listing: str = "listing"
    options: int = 4

    @property
    def shows_code(self) -> bool:
        """Whether the question shows how stages are computed, and so must wait until none of them is asked for."""
        return True

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "repair"

    def drawn(self, scene: Scene) -> tuple[Option, ...]:
        """The options in the order shown."""
        broken = broken_listing(scene, self.up_to, self.stages, self.slug)
        good = "; ".join(line.strip() for line in stage_lines(scene.chain, broken.stage))
        shown = {"; ".join(line.text.strip() for line in broken.lines if line.stage == broken.stage), good}
        others: list[Option] = []
        for mistake, lines in _showable(scene, broken.stage):
            text = "; ".join(line.strip() for line in lines)
            if text not in shown and len(others) < self.options - 1:
                shown.add(text)
                others.append(Option(text=f"`{text}`", diagnosis=diagnosis_of(mistake)))
        return drawn_options(scene.stream.child("repair"), Option(text=f"`{good}`", is_right=True), others)

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
        """A letter, or the line typed out."""
        return judge_choice(self.drawn(scene), typed.strip().strip("`") if len(typed) < 3 else typed)


def broken_listing(scene: Scene, target: str, stages: tuple[str, ...], slug: str) -> Broken:
    """The listing up to ``target`` with one line of one stage as a mistake has it that shows on these numbers.

    Raises ContentError where no known mistake of these stages can be shown.
    """
    lines = listing_of(scene.chain, target)
    pool = [
        (name, mistake, made)
        for name in stages
        if name in scene.chain.stages
        for mistake, made in _showable(scene, name)
        if len(set(made) - set(stage_lines(scene.chain, name))) == 1
    ]
    if not pool:
        raise ContentError(f"{scene.exercise.path}: {slug}: no known mistake of {', '.join(stages)} can be shown")
    name, mistake, made = scene.stream.child("mistake").choice(pool)
    first = next(at for at, line in enumerate(lines) if line.stage == name)
    before, after = lines[:first], [line for line in lines[first:] if line.stage != name]
    return Broken(lines=(*before, *(Line(stage=name, text=text) for text in made), *after), stage=name, mistake=mistake)


def _showable(scene: Scene, name: str) -> list[tuple[Mistake, tuple[str, ...]]]:
    """Mistakes of one stage that show on these numbers and can be written in a few plain lines, in a drawn order."""
    found: list[tuple[Mistake, tuple[str, ...]]] = []
    for mistake in sorted(scene.content.mistakes_of(scene.chain), key=lambda mistake: mistake.slug):
        replaced = applied(scene.chain, mistake)
        if name not in replaced or not applicable(scene.chain, mistake) or not shows_on(mistake, scene.values):
            continue
        lines = mistaken_lines(scene.chain, name, mistake)
        if lines is None or len(lines) > 3 or max(map(len, lines)) > 100:
            continue
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(replaced[name](scene.values))
                # A listing that breaks off, or whose shapes are off, would give its line away.
                far = value.shape == np.shape(scene.values[name]) and relative_distance(scene.values[name], value) > GAP
        except Exception:  # a wrong stage that fails shows, but is easy to see
            continue
        if far:
            found.append((mistake, lines))
    return scene.stream.child(f"showable {name}").shuffled(found)
