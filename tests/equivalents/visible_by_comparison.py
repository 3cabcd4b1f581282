"""The mask by comparing positions."""

import numpy as np


def visible(T, causal):
    t = np.arange(T)
    return (t[None, :] <= t[:, None]) | (not causal)


def visible_from_cache(T_past, T_new):
    return np.arange(T_past + T_new)[None, :] <= T_past + np.arange(T_new)[:, None]
