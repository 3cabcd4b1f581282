"""Many values of one stage, carried on to the target together: they are laid side by side along the batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_candidates import Step, steps_to
from headwork.model import Chain


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The steps from one stage on to a target that are made of it."""

    steps: tuple[Step, ...]
    names: frozenset[str]


@cache
def ways_to(chain: Chain, target: str) -> Mapping[str, Way]:
    """The way from each stage to the target."""
    steps = steps_to(chain, target)
    return {step.name: _way_on(steps, step.name) for step in steps}


def _way_on(steps: Sequence[Step], name: str) -> Way:
    touched, found = {name}, list[Step]()
    for step in steps:
        if not touched.isdisjoint(step.needs):
            touched.add(step.name)
            found.append(step)
    return Way(steps=tuple(found), names=frozenset(step.name for step in found))


def ends_of(
    knowns: Sequence[Mapping[str, Any]], name: str, made: Sequence[NDArray[Any]], steps: Sequence[Step], target: str
) -> list[NDArray[Any] | None]:
    """The target for each of the values ``made`` of stage ``name``, each beside its own other values.

    All have the shape that the stage has. None stands for values that do not fit together.
    """
    if not steps:
        return [
            value if name == target else np.asarray(known[target]) for known, value in zip(knowns, made, strict=True)
        ]
    read = _read_beside(name, steps)
    kind_of = {id(known): tuple(_kind(known[need], known) for need in read) for known in _each_once(knowns)}
    kinds: dict[Any, list[int]] = {}
    for place, (known, value) in enumerate(zip(knowns, made, strict=True)):
        kinds.setdefault((value.dtype, kind_of[id(known)]), []).append(place)
    found: list[NDArray[Any] | None] = [None] * len(made)
    for places in kinds.values():
        ends = _of_a_kind([knowns[at] for at in places], name, [made[at] for at in places], steps, target)
        for place, end in zip(places, ends, strict=True):
            found[place] = end
    return found


def _read_beside(name: str, steps: Sequence[Step]) -> dict[str, None]:
    """What the steps read beside ``name`` and their own values."""
    own = {name, *(step.name for step in steps)}
    return dict.fromkeys(need for step in steps for need in step.needs if need not in own)


def _each_once(knowns: Sequence[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    return {id(known): known for known in knowns}.values()


def _kind(value: Any, known: Mapping[str, Any]) -> Any:
    """The same for values that can be laid side by side: of one shape with a batch, or one and the same."""
    return (value.shape, value.dtype) if _has_batch(value, known) else id(value)


def _has_batch(value: Any, known: Mapping[str, Any]) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 2 and len(cast(NDArray[Any], value)) == known.get("B")


def _of_a_kind(
    knowns: Sequence[Mapping[str, Any]], name: str, made: Sequence[NDArray[Any]], steps: Sequence[Step], target: str
) -> Sequence[NDArray[Any] | None]:
    batch = knowns[0].get("B")
    if len(made) == 1:
        return [_alone(knowns[0], name, made[0], steps, target)]
    if batch is not None and made[0].ndim and made[0].shape[0] != batch:
        # A value without a batch (a mask): go on one by one to where the batch is met.
        step, rest = steps[0], steps[1:]
        if not any(name in later.needs for later in rest):
            nexts = [_step(known, {name: value}, step) for known, value in zip(knowns, made, strict=True)]
            fitting = [value for value in nexts if value is not None]
            if len(fitting) == len(made) and len({value.shape for value in fitting}) == 1:
                return ends_of(knowns, step.name, fitting, rest, target)
    elif all(step.axes.split()[:1] == ["B"] for step in steps):
        return _side_by_side(knowns, name, made, steps, target, batched=batch is not None)
    return [_alone(known, name, value, steps, target) for known, value in zip(knowns, made, strict=True)]


def _side_by_side(
    knowns: Sequence[Mapping[str, Any]],
    name: str,
    made: Sequence[NDArray[Any]],
    steps: Sequence[Step],
    target: str,
    *,
    batched: bool,
) -> Sequence[NDArray[Any] | None]:
    count, first = len(made), knowns[0]
    wide: dict[str, Any] = {name: np.concatenate(made) if batched else np.stack(made)}
    for need in _read_beside(name, steps):
        value = first[need]
        wide[need] = np.concatenate([known[need] for known in knowns]) if _has_batch(value, first) else value
    try:
        for step in steps:
            wide[step.name] = step.function(*[wide[need] for need in step.needs])
    except Exception:  # wrong values may not fit together
        return [None] * count
    end = np.asarray(wide[target])
    return list(end.reshape(count, -1, *end.shape[1:]) if batched else end)


def _step(known: Mapping[str, Any], changed: Mapping[str, Any], step: Step) -> NDArray[Any] | None:
    try:
        return np.asarray(step.function(*[changed[need] if need in changed else known[need] for need in step.needs]))
    except Exception:  # wrong values may not fit together
        return None


def _alone(
    known: Mapping[str, Any], name: str, value: NDArray[Any], steps: Sequence[Step], target: str
) -> NDArray[Any] | None:
    changed: dict[str, Any] = {name: value}
    for step in steps:
        made = _step(known, changed, step)
        if made is None:
            return None
        changed[step.name] = made
    return changed[target]
