"""Multi-head attention with a stack of per-head projections

The same computation as ``multi_head``, with ``w_q[h]`` the projection of head h alone: no split is
needed, and every head reads the whole of x.
"""

from typing import Annotated

from headwork.model import Array
from headwork.stages import stage

from . import attention, multi_head

LEADING = "B n_heads"


def project_heads(
    x: Annotated[Array, "B T d_model"], w: Annotated[Array, "n_heads d_model d_head"]
) -> Annotated[Array, "B n_heads T d_head"]:
    """The same x through every head's own projection."""
    return x[:, None] @ w


q = stage(project_heads, w="w_q")
k = stage(project_heads, w="w_k")
v = stage(project_heads, w="w_v")
visible = stage(attention.visible)
scores = stage(attention.scores, axes="B n_heads T T")
scaled = stage(attention.scaled, axes="B n_heads T T")
logits = stage(attention.logits, axes="B n_heads T T")
weights = stage(attention.weights, axes="B n_heads T T")
heads = stage(attention.heads, axes="B n_heads T d_head")
concat = stage(multi_head.concat)
out = stage(multi_head.out)
