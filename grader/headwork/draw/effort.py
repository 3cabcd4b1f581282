"""How much work the hand numbers of a student are, measured on the numbers themselves, and how that spreads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.draw.readable import BAND, Effort
from headwork.model import ContentError, Exercise, Instance, Parameters
from headwork.rooms import Content

Ints = NDArray[np.int64]
MEASURES = ("multiplications", "largest", "denominator")
_LOGARITHM = re.compile(r"ln\((\d+)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The least and the most work among variants of one exercise."""

    exercise: str
    variants: int
    least: Effort
    most: Effort

    @property
    def is_even(self) -> bool:
        """True where every variant is within 10 % of one and the same effort, in all three measures."""
        # Numbers from 0.9 c to 1.1 c for some c.
        widest = (1 + BAND) / (1 - BAND)
        return all(getattr(self.most, name) <= widest * getattr(self.least, name) for name in MEASURES)

    @property
    def text(self) -> str:
        """One line: "12 to 13 multiplications, numbers up to 8, denominators up to 17"."""
        parts = [
            f"{_range(self.least.multiplications, self.most.multiplications)} multiplications",
            f"numbers up to {_range(self.least.largest, self.most.largest)}",
        ]
        if self.most.denominator:
            parts.append(f"denominators up to {_range(self.least.denominator, self.most.denominator)}")
        return ", ".join(parts)


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def effort_of(instance: Instance) -> Effort:
    """Multiplications of two numbers that are not 0, the largest whole number, the largest denominator of a weight.

    Scores are counted in the units that they were drawn in (fifths, ln 2, ln 3); weights that are no
    fractions have denominator 0. Raises ContentError for numbers that are not for hand work.
    """
    if not instance.exact:
        raise ContentError(f"{instance.chain}: these numbers are not for hand work")
    x = _whole(instance, "x")
    if "w_q" not in instance.exact:
        T = x.shape[-2]
        return Effort(multiplications=T * (T + 1) // 2, largest=int(np.abs(x).max()), denominator=T)
    base = _base(instance)
    w_q, w_k, w_v = _whole(instance, "w_q"), _key_steps(instance, base), _whole(instance, "w_v")
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    seen = np.tril(np.ones(scores.shape, bool)) if instance.values.get("causal", True) else np.ones(scores.shape, bool)
    work = sum(_products(x, w) for w in (w_q, w_k, w_v)) + _products(q, k.T) + _products(seen.astype(np.int64), v)
    return Effort(
        multiplications=work,
        largest=int(max(np.abs(each).max() for each in (q, k, v, scores))),
        denominator=_denominator(scores, seen, base),
    )


def _whole(instance: Instance, name: str) -> Ints:
    return np.rint(np.asarray(instance.values[name], np.float64)).astype(np.int64)


def _base(instance: Instance) -> int | None:
    found = _LOGARITHM.search(" ".join(str(entry) for row in instance.exact["w_k"] for entry in row))
    return int(found[1]) if found else None


def _key_steps(instance: Instance, base: int | None) -> Ints:
    """w_k in whole steps: the root of d_head and the unit of the scores taken out."""
    d_head = int(instance.values["d_head"])
    root = isqrt(d_head)
    whole, radical = (root, 1) if root * root == d_head else (1, d_head)
    step = float(Fraction(whole, 5)) if base is None else whole * log(base)
    return np.rint(np.asarray(instance.values["w_k"], np.float64) / (step * sqrt(radical))).astype(np.int64)


def _products(left: Ints, right: Ints) -> int:
    return int(((left != 0).astype(np.int64) @ (right != 0).astype(np.int64)).sum())


def _denominator(scores: Ints, seen: Any, base: int | None) -> int:
    if base is None:
        return 0
    largest = 0
    for row, sight in zip(scores, seen, strict=True):
        powers = [int(score) for score in row[sight]]
        largest = max(largest, sum(base ** (power - min(powers)) for power in powers))
    return largest


def effort_spread(
    content: Content, exercise: Exercise, seeds: Sequence[int], *, parameters: Parameters | None = None
) -> Spread:
    """Draw a variant per seed, as students would get them, and measure each.

    Raises ContentError where the exercise has no hand work, CourseError where it can't be drawn.
    """
    from headwork.assignment import ad_hoc
    from headwork.draw.seeds import seed_from_integer
    from headwork.draw.student import draw_own_for

    if exercise.hand_chain is None:
        raise ContentError(f"{exercise.slug}: there is no hand work in it")
    assignment = ad_hoc("effort", [exercise], parameters)
    efforts = [
        effort_of(
            draw_own_for(content, assignment, (exercise,), secret=seed_from_integer(seed), student="effort").instance
        )
        for seed in seeds
    ]
    return Spread(
        exercise=exercise.slug,
        variants=len(efforts),
        least=Effort(**{name: min(getattr(effort, name) for effort in efforts) for name in MEASURES}),
        most=Effort(**{name: max(getattr(effort, name) for effort in efforts) for name in MEASURES}),
    )
