"""The softmax alone in float32."""

import numpy as np


def weights(logits):
    shifted = (logits - logits.max(axis=-1, keepdims=True)).astype(np.float32)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=-1, keepdims=True)
