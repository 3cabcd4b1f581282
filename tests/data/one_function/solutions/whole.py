"""Attention as one function"""

from typing import Annotated

import numpy as np

from headwork.model import Array

LEADING = "B"
AXES = {"Q": "B T d_head", "K": "B T d_head", "V": "B T d_model"}


def attention(
    Q: Annotated[Array, "... T d_head"], K: Annotated[Array, "... T d_head"], V: Annotated[Array, "... T d_model"]
) -> Annotated[Array, "... T d_model"]:
    """The values mixed by the softmax of the scaled scores, all in one."""
    scaled = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ V
