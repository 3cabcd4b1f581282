"""Multi-head attention with fused projections

``w_q``, ``w_k`` and ``w_v`` hold the columns of all heads side by side; a split gives every head its
own block, and a merge puts the heads' outputs back in the same order.
"""

from typing import Annotated

from headwork.model import Array
from headwork.stages import stage

from . import attention

LEADING = "B n_heads"
AXES = dict.fromkeys(("w_q", "w_k", "w_v"), "d_model n_heads*d_head")

q = stage(attention.project, w="w_q", axes="B T n_heads*d_head")
k = stage(attention.project, w="w_k", axes="B T n_heads*d_head")
v = stage(attention.project, w="w_v", axes="B T n_heads*d_head")


def split_heads(packed: Annotated[Array, "B T n_heads*d_head"], n_heads: int) -> Annotated[Array, "B n_heads T d_head"]:
    """Every head's own block of neighbouring features, with the head axis before the positions."""
    B, T, width = packed.shape
    # The head index is the slow part of the feature axis: split first, then move it.
    return packed.reshape(B, T, n_heads, width // n_heads).swapaxes(1, 2)


q_heads = stage(split_heads, packed="q")
k_heads = stage(split_heads, packed="k")
v_heads = stage(split_heads, packed="v")

visible = stage(attention.visible)
scores = stage(attention.scores, q="q_heads", k="k_heads", axes="B n_heads T T")
scaled = stage(attention.scaled, axes="B n_heads T T")
logits = stage(attention.logits, axes="B n_heads T T")
weights = stage(attention.weights, axes="B n_heads T T")
heads = stage(attention.heads, v="v_heads", axes="B n_heads T d_head")


def concat(heads: Annotated[Array, "B n_heads T d_head"]) -> Annotated[Array, "B T n_heads*d_head"]:
    """The heads side by side along the features, in order; positions stay where they are."""
    B, n_heads, T, d_head = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, n_heads * d_head)


def out(
    concat: Annotated[Array, "B T n_heads*d_head"], w_o: Annotated[Array, "n_heads*d_head d_model"]
) -> Annotated[Array, "B T d_model"]:
    """The concatenated heads times w_o: mixes across heads and restores d_model features."""
    return concat @ w_o
