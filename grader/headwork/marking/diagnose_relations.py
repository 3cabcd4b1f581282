"""How a wrong array relates to the right one: a factor, another order, a part of it, fewer digits.

Ratios, axes and indices are named; values are not, so that the text may be shown for hidden numbers too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.marking.diagnose_candidates import Observation
from headwork.marking.diagnose_orders import in_one_place, in_places, of_other_shape, reordered, repeated
from headwork.marking.diagnose_rounding import few_digits, rounded
from headwork.marking.diagnose_words import Near, Reals, allowed, axis_names, nearness, relation, word
from headwork.model import Diagnosis
from headwork.stages import SIZES


def plain_relation_of(observation: Observation) -> Diagnosis | None:
    """A relation that says all there is to say: the right numbers turned, reordered, rounded, or right in part."""
    reference, student = _arrays(observation)
    near, axes = nearness(observation), axis_names(observation, reference)
    if reference.shape != student.shape:
        return of_other_shape(reference, student, axes, near)
    if not reference.size:
        return None
    limit = allowed(observation, reference)
    return (
        _sign(reference, student, near)
        or reordered(reference, student, axes, near)
        or rounded(reference, student, observation)
        or _only_broken(reference, student, axes, near)
        or in_places(reference, student, axes, limit, observation.values.get("visible"))
    )


def relation_of(observation: Observation) -> Diagnosis | None:
    """A relation that leaves open how it came about: a factor, an offset, what repeats, what is no number."""
    reference, student = _arrays(observation)
    if reference.shape != student.shape or not reference.size:
        return None
    near, axes = nearness(observation), axis_names(observation, reference)
    limit = allowed(observation, reference)
    return (
        _not_a_number(reference, student, axes)
        or _factor(reference, student, observation, near)
        or _offset(reference, student, limit)
        or repeated(reference, student, axes, near)
        # In hand work one right row of three is chance, not a cause.
        or (in_one_place(reference, student, axes, limit) if observation.tolerance is None else None)
        or _factor_by_row(reference, student, near)
        or few_digits(reference, student, observation)
    )


def one_cell_only(observation: Observation) -> bool:
    """Whether a single cell of several is wrong; which one says more than any cause."""
    reference, student = _arrays(observation)
    if reference.shape != student.shape or reference.size < 3:
        return False
    same = (reference == student) | (np.abs(reference - student) <= allowed(observation, reference))
    return int((~same).sum()) == 1


def _arrays(observation: Observation) -> tuple[Reals, Reals]:
    return observation.reference.astype(np.float64), np.asarray(observation.student, np.float64)


def _not_a_number(reference: Reals, student: Reals, axes: list[str]) -> Diagnosis | None:
    broken = ~np.isfinite(student) & np.isfinite(reference)
    if not broken.any():
        return None
    kinds = "NaN" if np.isnan(student[broken]).all() else "infinite or NaN"
    share = "everywhere" if broken.all() else f"in {int(broken.sum())} of {broken.size} cells"
    where = _only_along(broken, axes)
    return relation(
        f"Gave values that are {kinds} {where or share}",
        why="0/0, infinity minus infinity and 0 times infinity are not numbers, and spread to all that follows.",
        look="Look for a row in which everything is hidden, for exp of large numbers, and for a division by a sum of 0.",
        hint="Which row of the result is the first that is not a number?",
    )


def _only_broken(reference: Reals, student: Reals, axes: list[str], near: Near) -> Diagnosis | None:
    """Not a number somewhere, and right everywhere else."""
    broken = ~np.isfinite(student) & np.isfinite(reference)
    if broken.all() or not broken.any() or not near(reference, np.where(broken, reference, student)):
        return None
    return _not_a_number(reference, student, axes)


def _only_along(cells: NDArray[np.bool_], axes: list[str]) -> str:
    for axis, name in enumerate(axes):
        others = tuple(other for other in range(cells.ndim) if other != axis)
        touched = np.flatnonzero(cells.any(axis=others))
        if len(touched) == 1 and cells.shape[axis] > 1:
            return f"at {word(name)} {touched[0]} only"
    return ""


def _ratio(reference: Reals, student: Reals, near: Near) -> float | None:
    """The factor between the two, where it is the same in every cell."""
    finite = np.isfinite(reference)
    wanted, seen = reference[finite], student[finite]
    if not np.isfinite(seen).all() or not (~finite == ~np.isfinite(student)).all() or int(np.count_nonzero(wanted)) < 3:
        return None
    factor = float((wanted * seen).sum() / (wanted * wanted).sum())
    return factor if near(factor * wanted, seen) and abs(factor) > 1e-9 else None


def _sign(reference: Reals, student: Reals, near: Near) -> Diagnosis | None:
    if not near(-reference, student) or int(np.count_nonzero(reference)) < 2:
        return None
    return relation(
        "Turned the sign round in every cell",
        why="All numbers are right except for their sign.",
        look="Look for a difference taken the other way round, or a minus too many.",
        hint="What was subtracted from what?",
    )


def _factor(reference: Reals, student: Reals, observation: Observation, near: Near) -> Diagnosis | None:
    factor = _ratio(reference, student, near)
    if factor is None:
        return None
    named = _named_factor(factor, observation.values)
    text = f", which is {named}" if named else ""
    return relation(
        f"Gave {factor:.4g} times the right value in every cell{text}",
        why="A factor that is the same everywhere comes from one multiplication or division by a size.",
        look=f"Look for {named} in a product or a quotient."
        if named
        else "Look for a constant in a product or a quotient.",
        hint="Which size was divided by, or should have been?",
    )


def _named_factor(factor: float, values: Mapping[str, Any]) -> str | None:
    for name, size in _sizes(values):
        for text, number in (
            (f"sqrt({name})", float(np.sqrt(size))), (name, float(size)), (f"1/sqrt({name})", float(1 / np.sqrt(size))),
            (f"1/{name}", 1.0 / size),
        ):  # fmt: skip
            if abs(factor / number - 1) < 1e-4:
                return f"{text} for {name} = {size}"
    for text, number in (("log(2)", np.log(2)), ("1/log(2)", 1 / np.log(2)), ("e", np.e), ("1/e", 1 / np.e)):
        if abs(factor / number - 1) < 1e-4:
            return text
    return None


def _sizes(values: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    order = ("d_head", "n_heads", "d_model", "T", "T_q", "T_k", "T_new", "T_past", "B")
    for name in (*order, *SIZES):
        size = values.get(name)
        if isinstance(size, int) and size > 1:
            yield name, int(size)


def _offset(reference: Reals, student: Reals, limit: float) -> Diagnosis | None:
    finite = np.isfinite(reference) & np.isfinite(student)
    if not (np.isfinite(reference) == np.isfinite(student)).all() or finite.sum() < 3:
        return None
    difference = student - reference
    if np.ptp(difference[finite]) <= 2 * limit:
        return relation(
            "Added the same number in every cell",
            why="The differences between the cells are right, their level is not.",
            look="Look for a constant that is added or subtracted.",
            hint="What was added to the whole array?",
        )
    low = np.where(finite, difference, np.inf).min(axis=-1)
    high = np.where(finite, difference, -np.inf).max(axis=-1)
    if reference.shape[-1] > 2 and (high - low <= 2 * limit).all():
        return relation(
            "Added one number per row",
            why="Within each row the differences are right; the rows are shifted, as when a row's maximum or sum is subtracted.",
            look="Look for a maximum, mean or sum along the last axis that is added or subtracted.",
            hint="What was taken off each row?",
        )
    return None


def _factor_by_row(reference: Reals, student: Reals, near: Near) -> Diagnosis | None:
    if (
        reference.ndim < 1
        or reference.shape[-1] < 3
        or not np.isfinite(student).all()
        or not np.isfinite(reference).all()
    ):
        return None
    square = (reference * reference).sum(axis=-1, keepdims=True)
    factors = (reference * student).sum(axis=-1, keepdims=True) / np.where(square == 0, 1.0, square)
    if not np.all(np.abs(factors) > 1e-9) or not near(factors * reference, student):
        return None
    return relation(
        "Gave each row its own multiple of the right values",
        why="Within a row the ratios are right; what the row was divided by is not.",
        look="Look at the sum, maximum or length that each row is divided by, and along which axis it is taken.",
        hint="What do the rows sum to?",
    )
