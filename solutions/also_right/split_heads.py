"""One array per head, written in other ways."""

import numpy as np
from headwork.model import Array


def moved_axis(packed: Array, n_heads: int) -> Array:
    """Reshapes and moves the axis of the heads."""
    split = np.reshape(packed, (*packed.shape[:-1], n_heads, packed.shape[-1] // n_heads))
    return np.moveaxis(split, -2, 1)
