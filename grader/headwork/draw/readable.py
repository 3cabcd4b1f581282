"""Readable inputs for hand work: small integers, few of them, and an effort that all variants share.

Scaled scores come out as multiples of 1/5 ("tenths": the square root of d_head is folded into w_k, as
in the first golden trace), or as multiples of ln 2 or ln 3 ("ln2", "ln3"), so that weights are fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.draw.sizes import hand_sizes
from headwork.draw.stream import Stream
from headwork.draw.words import word_pair
from headwork.model import CourseError, Parameters

Ints = NDArray[np.int64]

CANDIDATES = 256
BAND = Fraction(1, 10)
BASES = {"tenths": None, "ln2": 2, "ln3": 3}
_DENOMINATORS = {"tenths": (0, 0), "ln2": (5, 20), "ln3": (5, 40)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much work a hand problem is: multiplications, largest whole number, largest denominator."""

    multiplications: int
    largest: int
    denominator: int

    def allows(self, other: Effort) -> bool:
        """True where ``other`` is within 10 % of this effort in all three."""
        return all(
            abs(getattr(self, name) - getattr(other, name)) <= BAND * getattr(self, name)
            for name in ("multiplications", "largest", "denominator")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Candidates side by side; the leading axis counts them."""

    x: Ints
    w_q: Ints
    w_k: Ints
    multiplications: Ints
    largest: Ints
    denominator: Ints
    telling: NDArray[np.bool_]
    """Every query and every key has something in it, so that no row of scores is all zeros by itself."""


def _sparse(stream: Stream, columns: int, rows: int, nonzero: int, top: int, *, signed: bool) -> Ints:
    """CANDIDATES matrices (rows, columns); every column has at most ``nonzero`` entries up to ``top``."""
    out = np.zeros((CANDIDATES, columns, rows), np.int64)
    for _ in range(nonzero):
        at = stream.integers(0, rows - 1, (CANDIDATES, columns))
        entries = stream.integers(1, top, (CANDIDATES, columns))
        if signed:
            entries = np.where(stream.integers(0, 2, (CANDIDATES, columns)) == 0, -entries, entries)
        np.put_along_axis(out, at[..., None], entries[..., None], -1)
    return out.swapaxes(1, 2)


def _products(left: Ints, right: Ints) -> Ints:
    """How many products of two nonzero factors ``left @ right`` takes, per candidate."""
    return ((left != 0).astype(np.int64) @ (right != 0).astype(np.int64)).sum(axis=(1, 2))


def _candidates(stream: Stream, numbers: str, sizes: Mapping[str, int]) -> _Batch:
    T, d_model, d_head = sizes["T"], sizes["d_model"], sizes["d_head"]
    logs = numbers != "tenths"
    few = 1 if d_head > 4 else 2
    x = _sparse(stream, T, d_model, 2, 1 if logs and d_head <= 4 else 2, signed=False).swapaxes(1, 2)
    w_q = _sparse(stream, d_head, d_model, few, 1 if d_head > 4 else 2, signed=True)
    w_k = _sparse(stream, d_head, d_model, 1 if logs else 2, 1 if logs else 2, signed=True)
    q, k = x @ w_q, x @ w_k
    scores = q @ k.swapaxes(1, 2)
    largest = np.maximum.reduce([np.abs(a).max(axis=(1, 2)) for a in (q, k, scores)])
    multiplications = _products(x, w_q) + _products(x, w_k) + _products(q, k.swapaxes(1, 2))
    return _Batch(
        x=x, w_q=w_q, w_k=w_k, multiplications=multiplications, largest=largest,
        denominator=_denominators(scores, BASES[numbers]),
        telling=np.asarray(q.any(axis=-1).all(axis=-1) & k.any(axis=-1).all(axis=-1)),
    )  # fmt: skip


def _denominators(scores: Ints, base: int | None) -> Ints:
    """The largest denominator among causal weights that are fractions; 0 where weights are not."""
    if base is None:
        return np.zeros(len(scores), np.int64)
    T = scores.shape[-1]
    seen = np.tril(np.ones((T, T), bool))
    powers = np.clip(scores - np.where(seen, scores, 99).min(axis=-1, keepdims=True), 0, 12)
    return np.where(seen, base**powers, 0).sum(axis=-1).max(axis=-1)


@lru_cache(maxsize=64)
def budget(numbers: str, T: int, d_model: int, d_head: int) -> Effort:
    """The effort that every variant of these sizes is held to: what is most usual among a fixed sample."""
    sizes = {"T": T, "d_model": d_model, "d_head": d_head}
    stream = Stream(f"effort {numbers} {T} {d_model} {d_head}".encode())
    low, high = _DENOMINATORS[numbers]
    batches = [_candidates(stream, numbers, sizes) for _ in range(4)]
    denominators, largest, work, telling = (
        np.concatenate([getattr(batch, name) for batch in batches])
        for name in ("denominator", "largest", "multiplications", "telling")
    )
    fits = telling & (denominators >= low) & (denominators <= high) & (largest >= 3)
    if not fits.any():
        raise CourseError(f"no readable numbers for T={T}, d_model={d_model}, d_head={d_head}; choose other sizes")
    denominator = int(np.bincount(denominators[fits]).argmax())
    fits &= np.abs(denominators - denominator) <= denominator / 10
    most = int(np.bincount(largest[fits]).argmax())
    fits &= np.abs(largest - most) <= most / 10
    projections = [_sparse(stream, d_head, d_model, 2, 3, signed=True) for _ in batches]
    usual, more = (
        np.concatenate(parts)
        for parts in zip(*(_with_values(b.x, w_v) for b, w_v in zip(batches, projections, strict=True)), strict=True)
    )
    both = fits & usual if (fits & usual).any() else fits
    return Effort(multiplications=int(np.median((work + more)[both])), largest=most, denominator=denominator)


def _with_values(x: Ints, w_v: Ints) -> tuple[NDArray[np.bool_], Ints]:
    """Whether the largest value is 6, as in every variant, and the multiplications of x w_v and of the mixture."""
    values = x @ w_v
    seen = np.broadcast_to(np.tri(x.shape[-2], dtype=np.int64), (len(x), x.shape[-2], x.shape[-2]))
    return np.abs(values).max(axis=(1, 2)) == 6, _products(x, w_v) + _products(seen, values)


def readable_inputs(
    stream: Stream, numbers: str, parameters: Parameters
) -> tuple[dict[str, Any], dict[str, Any], tuple[tuple[str, ...], ...], Effort] | None:
    """Values as floats, the same values as exact text, the word prompts, and the effort.

    Returns None where no candidate of this part of the stream fits the budget: go on with the stream.
    """
    sizes = hand_sizes(numbers, parameters)
    words = word_pair(stream, sizes["T"], parameters.words)
    wanted = budget(numbers, sizes["T"], sizes["d_model"], sizes["d_head"])
    batch = _candidates(stream, numbers, sizes)
    # The work of the values comes on top, and is chosen so that it evens out what the scores take.
    near = (
        batch.telling
        & (np.abs(batch.denominator - wanted.denominator) <= wanted.denominator / 10)
        & (np.abs(batch.largest - wanted.largest) <= wanted.largest / 10)
        & (batch.x.max(axis=(1, 2)) == batch.x.max())
        & (batch.multiplications < wanted.multiplications)
    )
    if not near.any():
        return None
    at = int(stream.choice([int(i) for i in np.flatnonzero(near)]))
    x, w_q, w_k = batch.x[at], batch.w_q[at], batch.w_k[at]
    w_v = _value_projection(stream, x, sizes["d_head"], wanted.multiplications, int(batch.multiplications[at]))
    x_b = None if w_v is None else _other_prompt(stream, x, w_q, w_k, w_v)
    if w_v is None or x_b is None:
        return None
    values: dict[str, Any] = {**sizes, "causal": True if parameters.causal is None else parameters.causal}
    exact: dict[str, Any] = {}
    for name, whole in (("x", x), ("x_b", x_b), ("w_q", w_q), ("w_v", w_v)):
        values[name], exact[name] = whole.astype(np.float64), [[str(entry) for entry in row] for row in whole.tolist()]
    values["w_k"], exact["w_k"] = _scaled_keys(w_k, numbers, sizes["d_head"])
    effort = Effort(
        multiplications=int(batch.multiplications[at] + _with_values(x[None], w_v[None])[1][0]),
        largest=int(batch.largest[at]),
        denominator=int(batch.denominator[at]),
    )
    return values, exact, words, effort


def _value_projection(stream: Stream, x: Ints, d_head: int, wanted: int, spent: int) -> Ints | None:
    """Values whose largest entry is 6, and which bring the work to within 10 % of ``wanted``."""
    options = _sparse(stream, d_head, x.shape[-1], 2, 3, signed=True)
    different = np.array([len({tuple(row) for row in value.tolist()}) == len(x) for value in x @ options])
    usual, work = _with_values(np.broadcast_to(x, (CANDIDATES, *x.shape)), options)
    fits = np.flatnonzero(usual & different & (np.abs(work + spent - wanted) <= wanted / 10))
    return options[int(fits[0])] if len(fits) else None


def _other_prompt(stream: Stream, x: Ints, w_q: Ints, w_k: Ints, w_v: Ints) -> Ints | None:
    """The second prompt's positions: the same last word, and another first word that its last query can tell.

    The last query scores the two first keys differently and their values differ, so that weights and content change.
    """
    options = _sparse(stream, 1, x.shape[-1], 2, int(x.max()), signed=False)[..., 0]
    other = options - x[0]
    scored = ((other @ w_k) @ (x[-1] @ w_q)) != 0
    valued = ((other @ w_v) != 0).any(axis=-1)
    new = [row for row in options[scored & valued].tolist() if not (x == row).all(axis=1).any()]
    return np.concatenate([[new[0]], x[1:]]) if new else None


def _scaled_keys(w_k: Ints, numbers: str, d_head: int) -> tuple[NDArray[np.float64], list[list[str]]]:
    """w_k with the square root of d_head folded in, as floats and as text."""
    root = isqrt(d_head)
    whole, radical = (root, 1) if root * root == d_head else (1, d_head)
    base = BASES[numbers]
    step = Fraction(whole, 5) if base is None else Fraction(whole)
    unit = sqrt(radical) if base is None else sqrt(radical) * log(base)
    factors = ([f"sqrt({radical})"] if radical > 1 else []) + ([f"ln({base})"] if base else [])

    def text(entry: int) -> str:
        number = entry * step
        if not number or not factors:
            return str(number)
        sign = "-" if number < 0 else ""
        parts = factors if abs(number) == 1 else [str(abs(number)), *factors]
        return sign + "*".join(parts)

    return (w_k * (float(step) * unit)).astype(np.float64), [[text(entry) for entry in row] for row in w_k.tolist()]
