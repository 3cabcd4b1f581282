"""The softmax in extended precision."""

import numpy as np


def weights(logits):
    logits = np.asarray(logits, dtype=np.longdouble)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
