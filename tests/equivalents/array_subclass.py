"""A subclass of ndarray comes back."""

import numpy as np


class Tensor(np.ndarray):
    """An array that knows nothing new."""


def project(x, w):
    return (x @ w).view(Tensor)


def weights(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).view(Tensor)


def out(concat, w_o):
    return (concat @ w_o).view(Tensor)
