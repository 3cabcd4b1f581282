"""The average of the visible prefix

Attention without queries and keys: every position reads what it may see, all of it in equal shares.
"""

from typing import Annotated

from headwork.model import Array
from headwork.stages import stage

from . import attention

LEADING = "B"

visible = stage(attention.visible)


def uniform(visible: Annotated[Array, "T_q T_k"]) -> Annotated[Array, "T_q T_k"]:
    """Equal shares of every row among the positions that it may read, and 0 elsewhere; every row sums to 1."""
    return visible / visible.sum(axis=-1, keepdims=True)


def averages(
    uniform: Annotated[Array, "T_q T_k"], x: Annotated[Array, "... T_k d_model"]
) -> Annotated[Array, "... T_q d_model"]:
    """Each position's average of the positions that it may read, in the shares of its row."""
    return uniform @ x


AXES = {
    "x": "B T d_model",
    "visible": "T T",
    "uniform": "T T",
    "averages": "B T d_model",
}
