"""The mask as nested lists."""

import numpy as np


def visible(T, causal):
    return [[s <= t or not causal for s in range(T)] for t in range(T)]


def logits(scaled, visible):
    return np.where(np.array(visible), scaled, -np.inf)


def visible_from_cache(T_past, T_new):
    return [[s <= T_past + t for s in range(T_past + T_new)] for t in range(T_new)]
