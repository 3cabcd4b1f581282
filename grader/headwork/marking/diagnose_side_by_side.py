"""Many values of one stage, carried on to the target together: they are laid side by side along the batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_candidates import Step


def way_on(steps: Sequence[Step], name: str) -> list[Step]:
    """The steps after stage ``name`` that are made of it."""
    touched, found = {name}, list[Step]()
    for step in steps:
        if not touched.isdisjoint(step.needs):
            touched.add(step.name)
            found.append(step)
    return found


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
    kinds: dict[Any, list[int]] = {}
    for place, value in enumerate(made):
        kinds.setdefault(value.dtype, []).append(place)
    found: list[NDArray[Any] | None] = [None] * len(made)
    for places in kinds.values():
        ends = _of_a_kind([knowns[at] for at in places], name, [made[at] for at in places], steps, target)
        for place, end in zip(places, ends, strict=True):
            found[place] = end
    return found


def _of_a_kind(
    knowns: Sequence[Mapping[str, Any]], name: str, made: Sequence[NDArray[Any]], steps: Sequence[Step], target: str
) -> Sequence[NDArray[Any] | None]:
    batch = knowns[0].get("B")
    if batch is not None and made[0].ndim and made[0].shape[0] != batch:
        # A value without a batch (a mask): go on one by one to where the batch is met.
        step, rest = steps[0], steps[1:]
        if not any(name in later.needs for later in rest):
            nexts = [_step(known, {name: value}, step) for known, value in zip(knowns, made, strict=True)]
            fitting = [value for value in nexts if value is not None]
            if len(fitting) == len(made) and len({value.shape for value in fitting}) == 1:
                return ends_of(knowns, step.name, fitting, rest, target)
    elif all(step.axes.split()[:1] == ["B"] for step in steps) and _alike(knowns, name, steps):
        return _side_by_side(knowns, name, made, steps, target, batched=batch is not None)
    return [_alone(known, name, value, steps, target) for known, value in zip(knowns, made, strict=True)]


def _needed(name: str, steps: Sequence[Step]) -> dict[str, None]:
    """What the steps read beside ``name`` and their own values."""
    own = {name, *(step.name for step in steps)}
    return dict.fromkeys(need for step in steps for need in step.needs if need not in own)


def _alike(knowns: Sequence[Mapping[str, Any]], name: str, steps: Sequence[Step]) -> bool:
    """Whether what the steps read can be laid side by side: the same everywhere, or of one shape with a batch."""
    first = knowns[0]
    for need in _needed(name, steps):
        value = first[need]
        if all(known[need] is value for known in knowns):
            continue
        shape = np.shape(value)
        if len(shape) < 3 or shape[0] != first.get("B") or any(np.shape(known[need]) != shape for known in knowns):
            return False
    return True


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
    for need in _needed(name, steps):
        value = first[need]
        has_batch = batched and np.ndim(value) > 2 and np.shape(value)[0] == first["B"]
        wide[need] = np.concatenate([known[need] for known in knowns]) if has_batch and count > 1 else value
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
