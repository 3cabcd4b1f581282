"""Right numbers in wrong places: another order, the same everywhere, or right in a part only."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_words import Near, Reals, relation, word
from headwork.model import Diagnosis


def reordered(reference: Reals, student: Reals, axes: list[str], near: Near) -> Diagnosis | None:
    """The right cells in another order of axes, or along one axis."""
    for order in permutations(range(reference.ndim)):
        if list(order) != sorted(order) and near(reference.transpose(order), student):
            return relation(
                f"Gave the right numbers with the axes ({', '.join(axes[axis] for axis in order)}) instead of ({', '.join(axes)})",
                why="The numbers are right and stand in the wrong places.",
                look="Look for a transpose or swap of axes that is missing, or one too many.",
                hint="What does the first axis of the result count?",
            )
    for axis, name in enumerate(axes):
        if reference.shape[axis] < 2:
            continue
        if near(np.flip(reference, axis), student):
            return _order(f"Put the {word(name)}s in reverse order", name)
        for step in range(1, reference.shape[axis]):
            if near(np.roll(reference, step, axis), student):
                by = step if step <= reference.shape[axis] // 2 else step - reference.shape[axis]
                return _order(f"Shifted the {word(name)}s by {by}", name)
        found = _permuted(reference, student, axis, near)
        if found is not None:
            return _order(f"Put the {word(name)}s in another order, {', '.join(map(str, found))}", name)
    if reference.size > 3 and near(np.sort(reference, axis=None), np.sort(student, axis=None)):
        return _order("Gave the right numbers in the wrong cells", "cell")
    return None


def _order(title: str, axis: str) -> Diagnosis:
    return relation(
        title,
        why="The numbers are right and stand in the wrong places.",
        look=f"Look at the order of the {word(axis)}s, at indices that are off by one, and at reshapes.",
        hint=f"Which {word(axis)} comes first?",
    )


def _permuted(reference: Reals, student: Reals, axis: int, near: Near) -> list[int] | None:
    parts, seen = np.moveaxis(reference, axis, 0), np.moveaxis(student, axis, 0)
    if parts.ndim < 2 or len(parts) > 12:
        return None
    found: list[int] = []
    for part in seen:
        places = [place for place, other in enumerate(parts) if near(other, part)]
        if len(places) != 1:
            return None
        found += places
    return found if sorted(found) == list(range(len(parts))) and found != sorted(found) else None


def repeated(reference: Reals, student: Reals, axes: list[str], near: Near) -> Diagnosis | None:
    """The same along an axis along which the right values differ."""
    for axis, name in enumerate(axes):
        if student.shape[axis] < 2 or not np.isfinite(student).all():
            continue
        first = np.take(student, [0], axis)
        if np.abs(student - first).max() > 1e-9 * max(1.0, float(np.abs(student).max())):
            continue
        right = [place for place in range(student.shape[axis]) if _close_at(reference, student, axis, place, near)]
        text = f", those of {word(name)} {right[0]}" if len(right) == 1 else ""
        return relation(
            f"Gave every {word(name)} the same values{text}",
            why=f"Each {word(name)} has values of its own.",
            look=f"Look for an index that does not move along the axis {name}, and for a mean or sum over it.",
            hint=f"Does the result change from one {word(name)} to the next?",
        )
    return None


def _close_at(reference: Reals, student: Reals, axis: int, place: int, near: Near) -> bool:
    return near(np.take(reference, place, axis), np.take(student, place, axis))


def in_places(reference: Reals, student: Reals, axes: list[str], limit: float, visible: Any) -> Diagnosis | None:
    """Right except in one place of an axis."""
    wrong = _wrong_cells(reference, student, limit)
    if int(wrong.sum()) == 1 and wrong.size > 2:
        return None  # one cell: the caller says which
    mask = np.asarray(visible if visible is not None else True, dtype=bool)
    if mask.shape == wrong.shape[-2:] and not mask.all() and not (wrong & mask).any():
        return relation(
            "Got the visible cells right and the hidden ones wrong",
            why="Hidden positions get the weight 0, whatever their score is.",
            look="Look at what becomes of the cells that the mask hides.",
            hint="What is the weight of a hidden position?",
        )
    for axis, name in enumerate(axes):
        touched, length = _touched(wrong, axis), wrong.shape[axis]
        if len(touched) == 1 and length > 1:
            return _part(f"Got every {word(name)} right except {word(name)} {touched[0]}", name)
    return None


def in_one_place(reference: Reals, student: Reals, axes: list[str], limit: float) -> Diagnosis | None:
    """Right in one place of an axis only; but a causal position 0 has nothing to get wrong."""
    wrong = _wrong_cells(reference, student, limit)
    for axis, name in enumerate(axes):
        untouched = sorted(set(range(wrong.shape[axis])) - set(_touched(wrong, axis)))
        if len(untouched) == 1 and wrong.shape[axis] > 1 and not (word(name) == "position" and untouched == [0]):
            return _part(f"Got only {word(name)} {untouched[0]} right", name)
    return None


def _wrong_cells(reference: Reals, student: Reals, limit: float) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        return ~((reference == student) | (np.abs(reference - student) <= limit))


def _touched(wrong: NDArray[np.bool_], axis: int) -> list[int]:
    others = tuple(other for other in range(wrong.ndim) if other != axis)
    return [int(place) for place in np.flatnonzero(wrong.any(axis=others))]


def _part(title: str, axis: str) -> Diagnosis:
    return relation(
        title,
        why=f"Along the axis {axis} the same computation is right in one place and wrong in another.",
        look=f"Look for an index into {axis}, for a loop that starts or ends too early, and for a special case at the edge.",
        hint=f"What is different at that {word(axis)}?",
    )


def of_other_shape(reference: Reals, student: Reals, axes: list[str], near: Near) -> Diagnosis | None:
    """The right numbers in another shape."""
    if student.ndim <= 6 and student.size == reference.size:
        if near(reference.reshape(student.shape), student):
            return Diagnosis(
                kind="shape",
                title=f"Gave the right numbers in the shape {student.shape} instead of {reference.shape}",
                why=f"The axes wanted are ({', '.join(axes)}); the functions that follow count on them.",
                look="Look for axes that were joined, split, added or dropped.",
                hint="How many axes does the result have?",
            )
        for order in permutations(range(reference.ndim)):
            if near(reference.transpose(order), student):
                return Diagnosis(
                    kind="shape",
                    title=f"Gave the right numbers with the axes ({', '.join(axes[axis] for axis in order)}) instead of ({', '.join(axes)})",
                    why="The functions that follow count on the order of the axes.",
                    look="Look for a transpose or swap of axes that is missing, or one too many.",
                    hint="What does the first axis of the result count?",
                )
    return None
