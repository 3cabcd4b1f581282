"""Not the upper triangle."""

import numpy as np


def visible(T, causal):
    if not causal:
        return np.full((T, T), True)
    return ~np.triu(np.ones((T, T), dtype=bool), k=1)
