"""Everything in float32."""

import numpy as np


def project(x, w):
    return (x.astype(np.float32) @ w.astype(np.float32)).astype(np.float32)


def project_heads(x, w):
    return x.astype(np.float32)[:, None] @ w.astype(np.float32)


def scores(q, k):
    return q.astype(np.float32) @ k.astype(np.float32).swapaxes(-1, -2)


def scaled(scores, d_head):
    return scores.astype(np.float32) / np.float32(np.sqrt(d_head))


def logits(scaled, visible):
    return np.where(visible, scaled.astype(np.float32), np.float32(-np.inf))


def weights(logits):
    logits = logits.astype(np.float32)
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def heads(weights, v):
    return weights.astype(np.float32) @ v.astype(np.float32)


def out(concat, w_o):
    return concat.astype(np.float32) @ w_o.astype(np.float32)
