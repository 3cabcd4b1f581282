"""Hidden scores assigned in a copy, by boolean index."""

import numpy as np


def logits(scaled, visible):
    result = scaled.astype(float, copy=True)
    result[..., ~np.asarray(visible, dtype=bool)] = float("-inf")
    return result
