"""logaddexp over the row."""

import numpy as np


def weights(logits):
    total = np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    return np.exp(logits - total)
