"""A tiny guard in the denominator."""

import numpy as np


def weights(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-12)
