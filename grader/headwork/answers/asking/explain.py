"""Explain: a sentence or two, kept for a person to mark, with a rubric."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from headwork.answers.asking.scene import NONE, Finding, Question, Scene, question_of
from headwork.model import Verdict

LONGEST = 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Say in a sentence. No machine marks it, and it holds up nothing else in the report."""

    slug: str
    points: Fraction
    question: str
    rubric: tuple[str, ...]
    """What the sentence must hold, a line per point to look for; for the person who marks."""

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "explain"

    def asked(self, scene: Scene) -> Question:
        """The question."""
        return question_of(self, scene, how="a sentence")

    def key(self, scene: Scene) -> str:
        """What to look for."""
        return "; ".join(self.rubric)

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Wait for a person; the answer goes along as it was typed."""
        text = typed if len(typed) <= LONGEST else typed[:LONGEST] + " …"
        return Finding(
            verdict=Verdict.ATTENTION,
            share=NONE,
            summary="waits for a person to read it",
            messages=("Its points are added once a person has read it.",),
            read_as=text,
        )
