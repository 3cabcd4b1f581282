"""Dense inputs for code: every entry drawn, short decimals, scores neither near 0 nor saturated."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.draw.sizes import code_sizes
from headwork.draw.stream import Stream
from headwork.model import Chain, ContentError, Parameters


def length_of(axis: str, sizes: Mapping[str, int]) -> int:
    """The length of an axis named by a size or a product of sizes ("n_heads*d_head")."""
    length = 1
    for factor in axis.split("*"):
        if factor.isdigit():
            length *= int(factor)
        elif factor in sizes:
            length *= sizes[factor]
        else:
            raise ContentError(f"axis {axis!r}: {factor!r} is not a size; sizes are {', '.join(sizes)}")
    return length


def dense_inputs(stream: Stream, chain: Chain, parameters: Parameters, *, large: bool = False) -> dict[str, Any]:
    """Sizes and one array per source of ``chain``.

    Weights (names in w_) are tenths up to 0.6, everything else tenths up to 2, so that scaled scores
    have a spread near 1.5. With ``large``, keys share a long common part, so that whole rows of scores
    lie hundreds away from 0 while their spread stays ordinary.
    """
    sizes = code_sizes(stream, parameters)
    values: dict[str, Any] = dict(sizes)
    if "causal" in chain.sources:
        values["causal"] = True if parameters.causal is None else parameters.causal
    shapes: dict[str, tuple[int, ...]] = {}
    for name in chain.sources:
        if name in values:
            continue
        if name not in chain.axes:
            raise ContentError(f"solutions/{chain.slug}.py: nothing says what {name!r} is; give its axes in AXES")
        shapes[name] = tuple(length_of(axis, sizes) for axis in chain.axes[name].split())
    weights = {name: shape for name, shape in shapes.items() if name.startswith("w_")}
    values |= _tenths(stream, 6, weights)
    values |= _tenths(stream, 20, {name: shape for name, shape in shapes.items() if name not in weights})
    if large:
        _make_large(values)
    return values


def _tenths(stream: Stream, top: int, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, NDArray[np.float64]]:
    """Arrays of tenths up to ``top``, cut from one draw."""
    flat = stream.integers(-top, top, sum(prod(shape) for shape in shapes.values())) / 10
    found: dict[str, NDArray[np.float64]] = {}
    at = 0
    for name, shape in shapes.items():
        found[name] = flat[at : at + prod(shape)].reshape(shape)
        at += prod(shape)
    return found


def _make_large(values: dict[str, Any]) -> None:
    keys_from = values["context"] if "context" in values else values["x"]
    keys_from[..., 0] = 1.0
    values["w_k"][..., 0, :] += 400 * (1.0 - 2.0 * (np.arange(values["w_k"].shape[-1]) % 2))
