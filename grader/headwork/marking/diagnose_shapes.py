"""A wrong shape, told by the names of its axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from headwork.marking.diagnose_candidates import Observation
from headwork.model import Diagnosis
from headwork.stages import SIZES


def named_axes(shape: tuple[int, ...], values: Mapping[str, Any], wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The axes of ``shape`` by name, where a length has one: names that are wanted first, then other sizes."""
    lengths = _lengths(values, wanted)
    left = list(wanted)
    names: list[str] = []
    for length in shape:
        fits = [name for name, number in lengths.items() if number == length]
        chosen = next((name for name in fits if name in left), fits[0] if fits else str(length))
        if chosen in left:
            left.remove(chosen)
        names.append(chosen)
    return tuple(names)


def _lengths(values: Mapping[str, Any], wanted: tuple[str, ...]) -> dict[str, int]:
    sizes = {name: int(values[name]) for name in SIZES if isinstance(values.get(name), int)}
    lengths = {name: length for name in wanted if (length := _length(name, sizes)) is not None}
    lengths.update({name: size for name, size in sizes.items() if name not in lengths})
    for product in ("n_heads*d_head", "T_past+T_new", "n_heads*T", "B*T", "B*n_heads"):
        length = _length(product, sizes)
        if length is not None:
            lengths.setdefault(product, length)
    return lengths


def _length(name: str, sizes: Mapping[str, int]) -> int | None:
    total = 0
    for term in name.split("+"):
        product = 1
        for factor in term.split("*"):
            if factor not in sizes:
                return None
            product *= sizes[factor]
        total += product
    return total


def shape_of(observation: Observation) -> Diagnosis | None:
    """Why the shape may be what it is; None where the shape is right."""
    reference, student = observation.reference, np.asarray(observation.student)
    if reference.shape == student.shape:
        return None
    pattern = tuple(observation.chain.axes.get(observation.target, "").split())
    wanted = pattern[len(pattern) - reference.ndim :] if len(pattern) >= reference.ndim else pattern
    seen = named_axes(student.shape, observation.values, wanted)
    reason, look = _reason(seen, wanted)
    return Diagnosis(
        kind="shape",
        title=f"Gave ({', '.join(seen)}) where ({', '.join(wanted)}) was asked{': ' + reason if reason else ''}",
        why="The axes say what the numbers belong to, and the next step counts on them.",
        look=look,
        hint="What does each axis of the result count?",
    )


def _reason(seen: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, str]:
    if sorted(seen) == sorted(wanted):
        moved = [name for name, other in zip(wanted, seen, strict=True) if name != other]
        if len(moved) == 2:
            return f"{moved[0]} and {moved[1]} are swapped", f"Swap the axes {moved[0]} and {moved[1]}."
        return "the axes are in another order", f"Order the axes as ({', '.join(wanted)})."
    if not seen:
        return "everything was summed into one number", "Look for a sum, mean or maximum without an axis."
    missing = [name for name in wanted if name not in seen]
    extra = [name for name in seen if name not in wanted]
    if "n_heads*d_head" in missing and {"n_heads", "d_head"} <= set(seen):
        return "the heads are not joined", "Reshape the last two axes, n_heads and d_head, into one."
    if "n_heads*d_head" in extra and {"n_heads", "d_head"} <= set(wanted):
        return "the features are not split into heads", "Split the last axis into n_heads blocks of d_head."
    if len(seen) == len(wanted) - 1 and not extra and len(missing) == 1:
        return f"the axis {missing[0]} is gone", f"Look for an index, a sum or a mean over {missing[0]}."
    if len(seen) == len(wanted) and len(missing) == 1 and len(extra) == 1:
        return (
            f"the axis {missing[0]} has the length of {extra[0]}",
            f"Look at which axis the last product or reshape takes for {missing[0]}.",
        )
    if len(seen) > len(wanted):
        return "there are too many axes", "Look for an axis that was added, or not summed over."
    return "", "Write down the shape of every intermediate value."
