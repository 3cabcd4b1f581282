"""The mask in ones and zeros."""

import numpy as np


def visible(T, causal):
    return np.tril(np.ones((T, T))) if causal else np.ones((T, T))


def logits(scaled, visible):
    return np.where(visible == 1, scaled, -np.inf)
