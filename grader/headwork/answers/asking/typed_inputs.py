"""Inputs that students type for the machine to calculate with: read, and limited in size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.answers.asking.arrays import floats_of, named_texts
from headwork.answers.asking.scene import Finding, Scene, unreadable, wrong

LARGEST = 1e6
"""Typed entries beyond this are refused; nothing that is asked needs them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One input to type: a matrix with named axes, or a whole number where there are none."""

    name: str
    axes: str = ""
    least: int = 1
    most: int = 6
    """Of every axis, or of the number."""
    infinite: bool = False
    """Whether an entry may be infinite (a hidden score)."""


def what_to_type(given: tuple[Given, ...]) -> str:
    """ "a matrix q (T, d_head)", "q = ... and k = ...", "a whole number d_head"."""
    each = [f"{one.name} ({', '.join(one.axes.split())})" if one.axes else one.name for one in given]
    if len(given) > 1:
        return f"{' and '.join(f'{one.name} =' for one in given)}, each with its rows: {', '.join(each)}"
    return " ".join(
        f"a matrix {name}" if one.axes else f"a whole number {name}" for one, name in zip(given, each, strict=True)
    )


def inputs_from(typed: str, given: tuple[Given, ...], scene: Scene) -> dict[str, Any] | Finding:
    """The typed inputs by name, with the sizes that their axes name.

    What cannot be read is unreadable; what can be, and is of another size than asked for, is wrong.
    """
    texts = named_texts(typed, tuple(one.name for one in given))
    if isinstance(texts, str):
        return unreadable("the inputs cannot be read", messages=(texts,))
    found: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    for one in given:
        value = floats_of(texts[one.name].strip(), decimal_comma=scene.decimal_comma)
        if isinstance(value, str):
            return unreadable("the inputs cannot be read", messages=(f"{one.name}: {value}",))
        fault = _size_of(one, value, found) if not one.axes else _matrix_of(one, value, found, sizes)
        if fault:
            return wrong("other inputs than asked for", messages=(f"wanted for {one.name}: {fault}",))
    return {**sizes, **found}


def _size_of(one: Given, value: Any, found: dict[str, Any]) -> str:
    number = float(value.ravel()[0]) if value.size == 1 else 0.5
    if not (one.least <= number <= one.most and number.is_integer()):
        return f"a whole number from {one.least} to {one.most}"
    found[one.name] = int(number)
    return ""


def _matrix_of(one: Given, value: Any, found: dict[str, Any], sizes: dict[str, int]) -> str:
    axes = one.axes.split()
    if value.ndim < len(axes):
        value = value.reshape((1,) * (len(axes) - value.ndim) + value.shape)
    if value.ndim != len(axes) or not all(one.least <= size <= one.most for size in value.shape):
        return f"({', '.join(axes)}), each from {one.least} to {one.most}"
    if np.isnan(value).any() or not (one.infinite or np.isfinite(value).all()):
        return "finite numbers"
    if (np.abs(value[np.isfinite(value)]) > LARGEST).any():
        return f"numbers up to {LARGEST:g}"
    for axis, size in zip(axes, value.shape, strict=True):
        if sizes.setdefault(axis, size) != size:
            return f"{axis} = {sizes[axis]} as in what stands before, not {size}"
    found[one.name] = value
    return ""
