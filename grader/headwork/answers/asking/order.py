"""Order: put the stages of a computation in an order in which they can be computed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headwork.answers.asking.letters import first_letters, several_letters
from headwork.answers.asking.scene import LETTERS, Finding, Question, Scene, question_of, right, unreadable, wrong
from headwork.model import Chain, ContentError
from headwork.stages import upstream


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Put stages in order. Every order in which each stage comes after what it needs is right."""

    slug: str
    points: Fraction
    question: str
    stages: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "order"

    def drawn(self, scene: Scene) -> tuple[str, ...]:
        """The stages in the order shown, which is never a right one.

        Raises ContentError for a stage that the chain does not have.
        """
        for name in self.stages:
            if name not in scene.chain.stages:
                raise ContentError(f'{scene.exercise.path}: {self.slug}: stage "{name}" is not in {scene.chain.slug}')
        for attempt in range(100):
            shown = tuple(scene.stream.child(f"order {attempt}").shuffled(self.stages))
            if _too_early(scene.chain, shown) is not None:
                return shown
        raise ContentError(f"{scene.exercise.path}: {self.slug}: every order of these stages is right")

    def asked(self, scene: Scene) -> Question:
        """The question; a stage is shown by what its contract says of it."""
        shown = self.drawn(scene)
        return question_of(
            self,
            scene,
            how=f"the letters {first_letters(len(shown))} in order",
            options=tuple(f"`{name}`: {_first_sentence(scene.chain, name)}" for name in shown),
        )

    def key(self, scene: Scene) -> str:
        """The letters in the order of computation."""
        shown = self.drawn(scene)
        return " ".join(LETTERS[shown.index(name)] for name in scene.chain.stages if name in shown)

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Letters or names of stages, each once."""
        shown = self.drawn(scene)
        names = tuple(re.findall(r"\w+", typed))
        order = several_letters(typed, len(shown))
        given = names if set(names) == set(shown) else tuple(shown[at] for at in order or ())
        if sorted(given) != sorted(shown):
            return unreadable(f"each of the letters {first_letters(len(shown))} once, in order")
        correct = [name for name in scene.chain.stages if name in shown]
        told: dict[str, Any] = {
            "read_as": " → ".join(given),
            "right_answer": " ".join(LETTERS[shown.index(name)] for name in correct) + f" ({' → '.join(correct)})",
        }
        early = _too_early(scene.chain, given)
        if early is None:
            return right(**told)
        return wrong(f"{early[0]} stands before {early[1]}, which it is made of", **told)


def _too_early(chain: Chain, order: tuple[str, ...]) -> tuple[str, str] | None:
    """The first stage that stands before one that it needs, and that one."""
    for place, name in enumerate(order):
        needed = set(upstream(chain, [name])) - {name}
        for later in order[place + 1 :]:
            if later in needed:
                return name, later
    return None


def _first_sentence(chain: Chain, name: str) -> str:
    contract = " ".join(chain.stages[name].operation.contract.split("\n\n")[0].split())
    return contract.split(". ")[0].rstrip(".")
