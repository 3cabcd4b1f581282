"""Results in Fortran order."""

import numpy as np


def project(x, w):
    return np.asfortranarray(x @ w)


def split_heads(packed, n_heads):
    B, T, width = packed.shape
    return np.asfortranarray(packed.reshape(B, T, n_heads, width // n_heads).swapaxes(1, 2))


def weights(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asfortranarray(powers / powers.sum(axis=-1, keepdims=True))


def out(concat, w_o):
    return np.asfortranarray(concat @ w_o)
