"""Scaled dot-product attention, one head

Every stage is a function: its name is the value it makes, its parameters are the values it needs.
``...`` in an axis pattern stands for any leading axes (the batch, the heads); they are computed
side by side and never meet.
"""

from typing import Annotated

import numpy as np
from headwork.model import Array
from headwork.stages import stage

LEADING = "B"
AXES = {
    **dict.fromkeys(("w_q", "w_k", "w_v"), "d_model d_head"),
    **dict.fromkeys(("scores", "scaled", "logits", "weights"), "B T T"),
    "heads": "B T d_head",
}


def project(
    x: Annotated[Array, "... T d_model"], w: Annotated[Array, "d_model width"]
) -> Annotated[Array, "... T width"]:
    """Each position's features times one projection: the same ``w`` at every position."""
    return x @ w


q = stage(project, w="w_q", axes="... T d_head")
k = stage(project, w="w_k", axes="... T d_head")
v = stage(project, w="w_v", axes="... T d_head")


def scores(
    q: Annotated[Array, "... T_q d_head"], k: Annotated[Array, "... T_k d_head"]
) -> Annotated[Array, "... T_q T_k"]:
    """The dot product of every query with every key; row t holds the scores of query t."""
    return q @ np.swapaxes(k, -1, -2)


def scaled(scores: Annotated[Array, "... T_q T_k"], d_head: int) -> Annotated[Array, "... T_q T_k"]:
    """The scores over the square root of d_head, the width of one head."""
    # A dot product of d_head independent unit-variance terms has variance d_head.
    return scores / np.sqrt(d_head)


def visible(T: int, causal: bool) -> Annotated[Array, "T T"]:
    """Booleans: True at [t, s] where position t may read position s.

    With ``causal`` a position reads itself and the positions before it; without, it reads all.
    """
    everything = np.ones((T, T), dtype=bool)
    return np.tril(everything) if causal else everything


def logits(
    scaled: Annotated[Array, "... T_q T_k"], visible: Annotated[Array, "T_q T_k"]
) -> Annotated[Array, "... T_q T_k"]:
    """The scaled scores where a position is visible, and minus infinity where it is not."""
    # exp(-inf) is exactly 0, so a hidden position gets no weight at all.
    return np.where(visible, scaled, -np.inf)


def weights(logits: Annotated[Array, "... T_q T_k"]) -> Annotated[Array, "... T_q T_k"]:
    """The softmax of every row: each row is at least 0, sums to 1, and survives logits in the thousands."""
    # Subtracting the row maximum changes nothing in the quotient and keeps exp from overflowing.
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def heads(
    weights: Annotated[Array, "... T_q T_k"], v: Annotated[Array, "... T_k d_head"]
) -> Annotated[Array, "... T_q d_head"]:
    """Each position's mixture of the values, in the proportions of its row of weights."""
    return weights @ v
