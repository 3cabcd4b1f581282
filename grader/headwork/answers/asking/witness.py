"""Witness: the student gives inputs, and the machine runs the right and the wrong computation on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from headwork.answers.asking.scene import Finding, Question, Scene, question_of, right, wrong
from headwork.answers.asking.typed_inputs import Given, inputs_from, what_to_type
from headwork.marking.compare import GAP, relative_distance
from headwork.mistakes import diagnosis_of
from headwork.model import ContentError, Mistake, Stage
from headwork.stages import evaluate

__all__ = ["BreakClaim", "Given", "TellApart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TellApart:
    """Give inputs on which a wrong stage shows; or, with ``alike``, inputs on which it does not."""

    slug: str
    points: Fraction
    question: str
    mistake: str
    stage: str
    given: tuple[Given, ...]
    """What the student types; other values that either computation needs are the student's own."""
    example: str
    """Inputs that do it, as one would type them; for the key."""
    alike: bool = False
    """Ask for a boundary: inputs on which the wrong computation is right."""

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "witness"

    def asked(self, scene: Scene) -> Question:
        """The question. Raises ContentError where mistake or stage is not there."""
        self._both(scene)
        return question_of(
            self,
            scene,
            how=what_to_type(self.given),
        )

    def _both(self, scene: Scene) -> tuple[Stage, Mistake]:
        mistake = scene.content.mistakes.get(self.mistake)
        if mistake is None or self.stage not in scene.chain.stages:
            missing = f'stage "{self.stage}"' if mistake else f'mistake "{self.mistake}"'
            raise ContentError(f"{scene.exercise.path}: {self.slug}: {missing} is not there")
        return scene.chain.stages[self.stage], mistake

    def key(self, scene: Scene) -> str:
        """Inputs that do it."""
        return scene.filled(self.example)

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Run both on what was typed, and compare."""
        stage, mistake = self._both(scene)
        inputs = inputs_from(typed, self.given, scene)
        if isinstance(inputs, Finding):
            return inputs
        read_as = _shown(inputs)
        own = dict(zip(stage.operation.needs, stage.needs, strict=True))
        reads = [own.get(name, name) for name in mistake.needs]
        with np.errstate(all="ignore"):
            try:
                values = _worked(scene, inputs, targets=[*stage.needs, *reads])
                reference = stage.operation.function(*[values[name] for name in stage.needs])
            except Exception:  # typed sizes may not fit the student's own numbers
                return wrong("the inputs do not fit each other, or your own numbers", read_as=read_as)
            try:
                other = mistake.function(*[values[name] for name in reads])
                distance = relative_distance(np.asarray(reference), np.asarray(other))
            except Exception:  # the wrong computation may fail on any input; that tells them apart too
                distance = np.inf
        if not np.isfinite(np.asarray(reference, np.float64)).any():
            return wrong("the right computation gives no number on these inputs", read_as=read_as)
        apart = distance > GAP
        if apart is not self.alike:
            return right("the two give the same here" if self.alike else "the two differ here", read_as=read_as)
        if self.alike:
            return wrong("the two still differ on these inputs", diagnosis=diagnosis_of(mistake), read_as=read_as)
        return wrong("the two give the same on these inputs", diagnosis=diagnosis_of(mistake), read_as=read_as)


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakClaim:
    """Give inputs for which a claim fails."""

    slug: str
    points: Fraction
    question: str
    claim: Callable[[Mapping[str, Any]], bool] = field(repr=False)
    """Whether the claim holds, from the typed inputs and the student's own values."""
    given: tuple[Given, ...]
    example: str
    """Inputs that do it, as one would type them; for the key."""
    uses: tuple[str, ...] = ()
    """Stages that the claim speaks of; they are worked from what was typed."""
    assumes: Callable[[Mapping[str, Any]], str] | None = field(default=None, repr=False)
    """What the inputs must be for the claim to speak of them: a sentence where they are not, else empty."""

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "witness"

    def asked(self, scene: Scene) -> Question:
        """The question."""
        return question_of(
            self,
            scene,
            how=what_to_type(self.given),
        )

    def key(self, scene: Scene) -> str:
        """Inputs that do it."""
        return scene.filled(self.example)

    def judge(self, scene: Scene, typed: str) -> Finding:
        """See whether the claim holds for what was typed."""
        inputs = inputs_from(typed, self.given, scene)
        if isinstance(inputs, Finding):
            return inputs
        read_as = _shown(inputs)
        with np.errstate(all="ignore"):
            try:
                values = _worked(scene, inputs, targets=list(self.uses))
            except Exception:  # as above
                return wrong("the inputs do not fit your own numbers", read_as=read_as)
            outside = self.assumes(values) if self.assumes else ""
            if outside:
                return wrong(f"the claim does not speak of these inputs: {outside}", read_as=read_as)
            holds = bool(self.claim(values))
        if holds:
            return wrong("the claim holds for these inputs", read_as=read_as)
        return right("the claim fails here", read_as=read_as)


def _worked(scene: Scene, inputs: Mapping[str, Any], *, targets: list[str] | None) -> dict[str, Any]:
    """The chain on the student's own inputs, with the typed ones in their place."""
    return evaluate(scene.chain, {**scene.instance.values, **inputs}, targets=targets)


def _shown(inputs: Mapping[str, Any]) -> str:
    from headwork.answers.asking.choose import value_text

    return "; ".join(f"{name} = {value_text(value)}" for name, value in inputs.items())
