"""The values behind a hand trace: exact ones, those of every stage rounded, and the student's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from headwork.answers.exact_chain import evaluate_exact, spelled_values
from headwork.model import Chain, Instance
from headwork.rooms import Content
from headwork.stages import downstream, evaluate

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A stage as its author has it: the typed values, how far each may have been rounded, and if it is right."""

    values: NDArray[Any]
    halves: Floats
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """One instance worked: ``exact`` in 60 digits, ``floats`` for NumPy, ``own`` as typed so far."""

    chain: Chain
    inputs: Mapping[str, Any]
    exact: Mapping[str, Any]
    floats: dict[str, Any]
    own: dict[str, Own] = field(default_factory=dict[str, Own])
    rounded: list[dict[str, Floats]] = field(default_factory=list[dict[str, Floats]])
    """What ``early`` has worked out so far."""

    def nearest_own(self, stage: str) -> tuple[str, ...]:
        """The student's own values that ``stage`` is made of, going back no further than the nearest."""
        found: dict[str, None] = {}
        queue = list(self.chain.stages[stage].needs)
        while queue:
            name = queue.pop(0)
            if name in self.own:
                found[name] = None
            elif name in self.chain.stages and name not in self.inputs:
                queue.extend(self.chain.stages[name].needs)
        return tuple(found)

    def followed(self, stage: str, changed: Mapping[str, Floats] | None = None) -> Floats:
        """``stage`` from the student's own nearest values; right ones are taken unrounded."""
        known = {name: self.floats[name] if own.right else own.values for name, own in self.own.items()}
        known.update(changed or {})
        known.pop(stage, None)
        return self._computed(stage, known)

    def from_typed(self, stage: str) -> Floats:
        """``stage`` from the nearest values exactly as they were typed, right ones too."""
        return self._computed(stage, {name: own.values for name, own in self.own.items() if name != stage})

    def slack(self, stage: str, names: tuple[str, ...], limit: float = 0.01) -> Floats:
        """How far ``stage`` may move with the roundings of the own values it is made of, to first order."""
        here = self.followed(stage)
        total = np.zeros(here.shape)
        for name in names:
            own = self.own[name]
            start = self.floats[name] if own.right else own.values
            for index in np.argwhere(own.halves > 0):
                at = tuple(index)
                moved = np.array(start, dtype=np.float64)
                moved[at] += own.halves[at]
                difference = np.abs(self.followed(stage, {name: moved}) - here)
                total += np.where(np.isfinite(difference), difference, 0.0)
        finite = np.abs(here[np.isfinite(here)])
        most = limit * float(finite.max()) if finite.size else 0.0
        return np.minimum(total, most)

    def settings(self, stage: str) -> list[dict[str, Any]]:
        """All values that ``stage`` may have been worked from: the right ones, and those with the own wrong ones."""
        right = {**self.floats, **self.inputs}
        wrong = {name: own.values for name, own in self.own.items() if not own.right and name != stage}
        if not wrong:
            return [right]
        moved = set(downstream(self.chain, wrong)) | {stage}
        kept = {name: value for name, value in right.items() if name not in moved}
        with np.errstate(all="ignore"):
            return [right, evaluate(self.chain, {**kept, **wrong}, targets=[stage])]

    def early(self, stage: str, decimals: int) -> list[Floats]:
        """``stage`` from stages that were all rounded on the way: as by hand, and as by a machine."""
        if not self.rounded:
            self.rounded.extend(self._rounded(decimals, rounding) for rounding in (half_up, half_even))
        return [found[stage] for found in self.rounded if stage in found]

    def _rounded(self, decimals: int, rounding: Callable[[Floats, int], Floats]) -> dict[str, Floats]:
        """Every stage as it comes out of rounded earlier ones, itself not rounded."""
        known, found = dict(self.inputs), dict[str, Floats]()
        for name in self.chain.stages:
            if name in self.floats and name not in known:
                found[name] = self._computed(name, known)
                known[name] = found[name] if found[name].dtype == bool else rounding(found[name], decimals)
        return found

    def _computed(self, stage: str, known: Mapping[str, Any]) -> Floats:
        with np.errstate(all="ignore"):
            return np.asarray(evaluate(self.chain, {**self.inputs, **known}, targets=[stage])[stage])


def worked(content: Content, chain: Chain, instance: Instance, targets: tuple[str, ...]) -> Worked:
    """All stages up to ``targets``, once in 60 digits and once as floats of these."""
    exact = evaluate_exact(content, chain, spelled_values(instance), targets=targets)
    inputs = {name: _array(value) for name, value in instance.values.items()}
    floats = {name: _lowered(value) for name, value in exact.items()}
    return Worked(chain=chain, inputs=inputs, exact=exact, floats=floats)


def _array(value: Any) -> Any:
    return np.asarray(cast("list[Any]", value)) if isinstance(value, list | tuple) else value


def _lowered(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    array = np.array(value, dtype=object)
    return array.astype(bool if isinstance(array.flat[0], bool) else np.float64)


def flat(nested: Any) -> list[Any]:
    """All numbers of nested lists, in reading order."""
    if not isinstance(nested, list):
        return [nested]
    return [number for part in cast("list[Any]", nested) for number in flat(part)]


def half_up(values: Floats, decimals: int) -> Floats:
    """Rounded as by hand: a tie goes away from zero."""
    scale = 10.0**decimals
    size = np.abs(values) * scale
    return np.where(
        np.isfinite(values), np.sign(values) * np.floor(size + 0.5 + 1e-9 * (1 + size * 1e-3)) / scale, values
    )


def half_even(values: Floats, decimals: int) -> Floats:
    """Rounded as by a machine: a tie goes to the even digit."""
    return np.round(values, decimals)


def too_trivial(own: Floats, reference: Floats, hidden: NDArray[np.bool_] | None, *, over_keys: bool) -> bool:
    """The guard of follow-through: own values that make what comes after them easy earn nothing there.

    These are values that are the same everywhere, and rows over the keys (scores, weights) that are all
    equal, unless the reference's are so too; hidden cells don't count. Values that are no numbers also fail.
    """
    if np.isnan(own).any() or np.isposinf(own).any():
        return True
    if _constant(own) and not _constant(reference):
        return True
    if not over_keys:
        return False
    rows, right = own.reshape(-1, own.shape[-1]), reference.reshape(-1, own.shape[-1])
    out_of_sight = np.isneginf(right)
    if hidden is not None and own.shape[-2:] == hidden.shape:
        out_of_sight |= np.tile(hidden, (len(right) // len(hidden), 1))
    return any(
        _constant(row[~out]) and not _constant(wanted[~out])
        for row, wanted, out in zip(rows, right, out_of_sight, strict=True)
        if (~out).sum() > 1
    )


def _constant(values: Floats) -> bool:
    finite = values[np.isfinite(values)]
    return not finite.size or math.isclose(float(np.ptp(finite)), 0.0, abs_tol=1e-12)
