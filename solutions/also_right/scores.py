"""Queries against keys, written in other ways."""

import numpy as np
from headwork.model import Array


def summed_products(q: Array, k: Array) -> Array:
    """Sums elementwise products."""
    return (np.asarray(q)[..., :, None, :] * np.asarray(k)[..., None, :, :]).sum(axis=-1)


def keys_times_queries(q: Array, k: Array) -> Array:
    """Multiplies keys by queries and turns the result around."""
    return np.swapaxes(np.asarray(k) @ np.swapaxes(q, -1, -2), -1, -2)
