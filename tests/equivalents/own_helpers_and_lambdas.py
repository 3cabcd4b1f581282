"""Lambdas, default arguments and helpers."""

import numpy as np


_swap = lambda array: np.swapaxes(array, -1, -2)
_softmax = lambda z, axis=-1: (
    np.exp(z - z.max(axis, keepdims=True)) / np.exp(z - z.max(axis, keepdims=True)).sum(axis, keepdims=True)
)

project = lambda x, w: x @ w
scores = lambda q, k: q @ _swap(k)
weights = lambda logits: _softmax(logits)


def scaled(scores, d_head=None):
    return scores / np.sqrt(d_head)
