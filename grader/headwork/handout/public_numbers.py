"""The numbers of the public checks: a small dense instance per chain, with every stage's value.

The same for all students of an assignment, and made to be seen: they are neither a student's own
numbers nor those that marks are given on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from headwork.draw.dense import length_of
from headwork.draw.stream import Stream
from headwork.model import Chain, ContentError
from headwork.stages import upstream

DECIMALS = 6
SIZES = {"B": 2, "T": 4, "T_q": 4, "T_k": 6, "T_past": 6, "T_new": 4, "d_model": 7, "d_head": 5, "n_heads": 3}
OTHER_SIZES = {"B": 1, "T": 3, "T_q": 4, "T_k": 3, "T_past": 3, "T_new": 4, "d_model": 6, "d_head": 2, "n_heads": 5}


def public_inputs(chain: Chain, *, sizes: Mapping[str, int], causal: bool = True) -> dict[str, Any]:
    """Sizes and one array of tenths per source of ``chain``, the same on every machine.

    Raises ContentError where nothing says what a source is.
    """
    seed = hashlib.sha256(f"public {chain.slug} {sorted(sizes.items())}".encode()).digest()
    values: dict[str, Any] = dict(sizes)
    for name in chain.sources:
        if name in values:
            continue
        if name == "causal":
            values[name] = causal
        elif name in chain.axes:
            shape = [length_of(axis, sizes) for axis in chain.axes[name].split()]
            top = 6 if name.startswith("w_") else 20
            values[name] = Stream(seed).child(name).integers(-top, top, shape) / 10
        else:
            raise ContentError(f"solutions/{chain.slug}.py: nothing says what {name!r} is; give its axes in AXES")
    return values


def shown_stages(chain: Chain, inputs: Mapping[str, Any], targets: tuple[str, ...]) -> dict[str, Any]:
    """``inputs`` and the stages up to ``targets``, every one rounded as it is shown and used rounded afterwards."""
    known = dict(inputs)
    for name in upstream(chain, targets):
        found = chain.stages[name]
        known[name] = shown(found.operation.function(*[known[need] for need in found.needs]))
    return known


def shown(value: Any) -> Any:
    """A value at the decimals that the file shows; booleans as they are."""
    array = np.asarray(value)
    return array if array.dtype == bool else np.round(array.astype(np.float64), DECIMALS) + 0.0


def literal(value: Any) -> str:
    """A value as Python source, arrays as nested lists over several lines."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    array = cast(np.ndarray[Any, Any], value)
    text = np.array2string(
        array,
        separator=", ",
        threshold=array.size + 1,
        max_line_width=112,
        formatter={"float_kind": _number, "bool": repr_bool},
    )
    return f"np.array({text})".replace("\n", "\n         ")


def _number(number: Any) -> str:
    if np.isinf(number):
        return "-INF" if number < 0 else "INF"
    return f"{float(number):.{DECIMALS}f}".rstrip("0").rstrip(".") + ("." if float(number).is_integer() else "")


def repr_bool(flag: Any) -> str:
    """``True`` or ``False`` as Python source."""
    return str(bool(flag))
