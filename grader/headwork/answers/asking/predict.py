"""Predict: what changes and what stays when an input changes. The machine changes it and looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from headwork.answers.asking.letters import first_letters, several_letters
from headwork.answers.asking.scene import LETTERS, Finding, Question, Scene, question_of, right, unreadable, wrong
from headwork.draw.stream import Stream
from headwork.marking.compare import GAP, relative_distance
from headwork.model import Chain, ContentError
from headwork.stages import evaluate

Change: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""The inputs that are different afterwards, from all inputs before."""


def first_word_replaced(values: Mapping[str, Any]) -> dict[str, Any]:
    """Position 0 of x becomes that of x_b, the second prompt; the other positions stay."""
    x = np.array(values["x"])
    x[..., 0, :] = np.asarray(values["x_b"])[..., 0, :]
    return {"x": x}


def last_position_doubled(values: Mapping[str, Any]) -> dict[str, Any]:
    """The features of the last position count double."""
    x = np.array(values["x"])
    x[..., -1, :] = 2 * x[..., -1, :]
    return {"x": x}


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A value to predict: a stage, or a row or cell of it."""

    text: str
    of: str
    at: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Predict:
    """Which of these change? Asked before computing, recorded and marked apart; every item counts."""

    slug: str
    points: Fraction
    question: str
    change: Change = field(repr=False)
    watched: tuple[Watched, ...]

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "predict"

    def drawn(self, scene: Scene) -> tuple[Watched, ...]:
        """The items in the order shown."""
        return tuple(scene.stream.shuffled(self.watched))

    def asked(self, scene: Scene) -> Question:
        """The question with its items."""
        self.changing(scene)
        return question_of(
            self,
            scene,
            how="the letters of those that change, or none",
            options=tuple(scene.filled(item.text) for item in self.drawn(scene)),
        )

    def changing(self, scene: Scene) -> dict[Watched, bool | None]:
        """Whether each item changes, found by changing the input.

        None: it changes on other numbers but happens not to on these (or the reverse), so that either answer counts.
        Raises ContentError for a stage that the chain does not have.
        """
        missing = [item.of for item in self.watched if item.of not in scene.chain.stages]
        if missing:
            raise ContentError(f'{scene.exercise.path}: {self.slug}: stage "{missing[0]}" is not in {scene.chain.slug}')
        here = _changes(self, scene.chain, scene.instance.values)
        elsewhere = _elsewhere(self, scene.chain, _kinds(scene.instance.values))
        return {item: here[item] if here[item] == elsewhere[item] else None for item in self.watched}

    def key(self, scene: Scene) -> str:
        """The letters of what changes."""
        truth = self.changing(scene)
        return (
            " ".join(letter for letter, item in zip(LETTERS, self.drawn(scene), strict=False) if truth[item]) or "none"
        )

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Letters of the items that are said to change; every item is marked by itself."""
        shown = self.drawn(scene)
        said = several_letters(typed, len(shown))
        if said is None:
            return unreadable(f"letters {first_letters(len(shown))} of those that change, or none")
        truth = self.changing(scene)
        off = [at for at, item in enumerate(shown) if truth[item] is not None and truth[item] is not (at in said)]
        told: dict[str, Any] = {
            "read_as": f"{_letters(list(said))} change" if said else "nothing changes",
            "right_answer": f"{_letters([at for at, item in enumerate(shown) if truth[item]])} change",
        }
        if not off:
            return right(**told)
        share = Fraction(len(shown) - len(off), len(shown))
        summary = f"{len(shown) - len(off)} of {len(shown)} predicted as it turns out"
        return wrong(summary, share=share, messages=(f"Look again at {_letters(off)}.",), **told)


def _letters(places: list[int]) -> str:
    return ", ".join(LETTERS[at] for at in sorted(places)) or "none"


def _changes(part: Predict, chain: Chain, inputs: Mapping[str, Any]) -> dict[Watched, bool]:
    with np.errstate(all="ignore"):
        before = evaluate(chain, inputs)
        after = evaluate(chain, {**inputs, **part.change(inputs)})
    return {item: _moved(before[item.of], after[item.of], item.at) for item in part.watched}


def _moved(before: Any, after: Any, at: tuple[int, ...]) -> bool:
    # Seen from the whole stage, so that the last bit of a zero does not count as a change.
    there = np.array(before)
    there[at] = np.asarray(after)[at]
    return relative_distance(before, there) > GAP


Kinds: TypeAlias = tuple[tuple[str, tuple[int, ...] | int | float | bool], ...]
"""Names of inputs, with the shapes of arrays and the values of everything else."""


def _kinds(values: Mapping[str, Any]) -> Kinds:
    return tuple((name, np.shape(value) if np.ndim(value) else value) for name, value in sorted(values.items()))


@lru_cache(maxsize=256)
def _elsewhere(part: Predict, chain: Chain, kinds: Kinds) -> Mapping[Watched, bool]:
    """Whether each item changes on any of three other sets of numbers of these sizes, the same for everyone."""
    others = [_changes(part, chain, _other_numbers(kinds, draw)) for draw in range(3)]
    return {item: any(other[item] for other in others) for item in part.watched}


def _other_numbers(kinds: Kinds, draw: int) -> dict[str, Any]:
    """The same sizes with arbitrary numbers in every array, small enough that no softmax saturates."""
    stream = Stream(f"other numbers {draw}".encode())
    return {
        name: stream.integers(-10, 10, value) / (20 if name.startswith("w_") else 10)
        if isinstance(value, tuple)
        else value
        for name, value in kinds
    }
