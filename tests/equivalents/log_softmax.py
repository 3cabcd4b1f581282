"""exp of the log-softmax."""

import numpy as np


def weights(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
