"""Masked after the exponential, and divided by the new sum."""

import math

import numpy as np


def _attended(q, k, v, causal):
    s = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    seen = np.tri(s.shape[-2], s.shape[-1]) if causal else np.ones(s.shape[-2:])
    top = np.where(seen > 0, s, -np.inf).max(axis=-1, keepdims=True)
    e = np.exp(np.minimum(s - top, 0.0)) * seen
    return e / e.sum(axis=-1, keepdims=True) @ v


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return concat(_attended(q, k, v, causal)) @ w_o
