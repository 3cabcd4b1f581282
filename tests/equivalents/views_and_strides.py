"""Results that are views with odd strides."""

import numpy as np


def project(x, w):
    twice = np.repeat(x @ w, 2, axis=-1)
    return twice[..., ::2]


def weights(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True))[..., ::-1][..., ::-1]


def concat(heads):
    B, n_heads, T, d_head = heads.shape
    return np.lib.stride_tricks.as_strided(np.ascontiguousarray(heads.swapaxes(1, 2)).reshape(B, T, n_heads * d_head))
