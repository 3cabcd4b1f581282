"""A long mask, sliced."""

import numpy as np


LONGEST = np.tril(np.ones((128, 128), dtype=bool))


def visible(T, causal):
    return LONGEST[:T, :T].copy() if causal else np.ones((T, T), dtype=bool)


def visible_from_cache(T_past, T_new):
    return LONGEST[T_past : T_past + T_new, : T_past + T_new]
