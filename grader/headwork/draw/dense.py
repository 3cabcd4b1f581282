"""Dense inputs for code: every entry drawn, short decimals, scores neither near 0 nor saturated."""

from __future__ import annotations

from collections.abc import Mapping
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
    for name in chain.sources:
        if name in values:
            continue
        if name not in chain.axes:
            raise ContentError(f"solutions/{chain.slug}.py: nothing says what {name!r} is; give its axes in AXES")
        shape = [length_of(axis, sizes) for axis in chain.axes[name].split()]
        values[name] = _tenths(stream, 6 if name.startswith("w_") else 20, shape)
    if large:
        _make_large(values)
    return values


def _tenths(stream: Stream, top: int, shape: list[int]) -> NDArray[np.float64]:
    return stream.integers(-top, top, shape) / 10


def _make_large(values: dict[str, Any]) -> None:
    keys_from = values["context"] if "context" in values else values["x"]
    keys_from[..., 0] = 1.0
    values["w_k"][..., 0, :] += 400 * (1.0 - 2.0 * (np.arange(values["w_k"].shape[-1]) % 2))
