"""Heads cut out in a loop, outputs joined."""

import math

import numpy as np


def split_heads(packed, n_heads):
    width = packed.shape[-1] // n_heads
    return np.stack([packed[..., h * width : (h + 1) * width] for h in range(n_heads)], axis=1)


def concat(heads):
    return np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1)


def project_heads(x, w):
    return np.stack([x @ w[h] for h in range(len(w))], axis=1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    parts = []
    for q_h, k_h, v_h in zip(*(np.split(each, n_heads, axis=-1) for each in (q, k, v))):
        s = q_h @ k_h.transpose(0, 2, 1) / math.sqrt(q_h.shape[-1])
        parts.append(heads(weights(logits(s, visible(x.shape[1], causal))), v_h))
    return np.concatenate(parts, axis=-1) @ w_o
