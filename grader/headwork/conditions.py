"""On which values of a chain a mistake can show: conditions for ``headwork.mistakes.shows_when``.

Each takes all values of a chain, reference stages included. A condition that speaks of a value which
the chain does not have does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

OVERFLOW = 710.0
"""exp() of more than this is infinite in float64; of less than -745 it is exactly 0."""


def causal(values: Mapping[str, Any]) -> bool:
    """Positions after the first exist and are hidden from it."""
    return bool(values.get("causal", False)) and int(values.get("T", values.get("T_new", 2))) > 1


def reads_everything(values: Mapping[str, Any]) -> bool:
    """Every position may read every other one."""
    return "causal" in values and not values["causal"]


def something_hidden(values: Mapping[str, Any]) -> bool:
    """The mask hides at least one cell."""
    return "visible" in values and not bool(np.all(values["visible"]))


def batched(values: Mapping[str, Any]) -> bool:
    """There are at least two prompts side by side."""
    return int(values.get("B", 1)) > 1


def with_batch_axis(values: Mapping[str, Any]) -> bool:
    """Arrays have leading axes, even if of length 1."""
    return "B" in values


def several_heads(values: Mapping[str, Any]) -> bool:
    """There are at least two heads."""
    return int(values.get("n_heads", 1)) > 1


def large_scores(values: Mapping[str, Any]) -> bool:
    """Some logit is too large for exp(), and some row's largest is too small beside it."""
    logits = values.get("logits", values.get("scaled"))
    if logits is None:
        return False
    largest = np.max(np.where(np.isfinite(logits), logits, -np.inf), axis=-1)
    return bool(largest.max() > OVERFLOW and largest.max() - largest.min() > OVERFLOW + 40)


def fractional(*names: str) -> Any:
    """A condition: none of the named values is made of integers only."""

    def holds(values: Mapping[str, Any]) -> bool:
        return all(
            name in values and bool(np.any(np.abs(values[name] - np.rint(values[name])) > 1e-3)) for name in names
        )

    return holds


def with_context(values: Mapping[str, Any]) -> bool:
    """Keys and values come from a second sequence."""
    return "context" in values
