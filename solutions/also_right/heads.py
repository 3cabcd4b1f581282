"""Weighted sums of values, written in other ways."""

import numpy as np
from headwork.model import Array


def summed_products(weights: Array, v: Array) -> Array:
    """Sums elementwise products."""
    return (np.asarray(weights)[..., :, :, None] * np.asarray(v)[..., None, :, :]).sum(axis=-2)
