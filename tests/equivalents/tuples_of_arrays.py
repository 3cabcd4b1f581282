"""A tuple with one array per prompt."""

import numpy as np


def project(x, w):
    return tuple(prompt @ w for prompt in x)


def split_heads(packed, n_heads):
    packed = np.asarray(packed)
    return np.stack(np.split(packed, n_heads, axis=-1), axis=1)


def out(concat, w_o):
    return tuple(prompt @ w_o for prompt in concat)


def scores(q, k):
    return np.asarray(q) @ np.swapaxes(np.asarray(k), -1, -2)


def heads(weights, v):
    return weights @ np.asarray(v)
