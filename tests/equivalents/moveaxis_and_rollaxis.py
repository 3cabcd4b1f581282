"""Axes moved in other ways."""

import numpy as np


def split_heads(packed, n_heads):
    return np.moveaxis(np.array(np.split(packed, n_heads, axis=-1)), 0, 1)


def concat(heads):
    joined = np.moveaxis(heads, 1, 2)
    return joined.reshape(joined.shape[:2] + (-1,))
