"""Position by position on the prefix it may read; no mask at all."""

import math

import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    T = x.shape[1]
    rows = []
    for t in range(T):
        read = x[:, : t + 1] if causal else x
        q = split_heads(x[:, t : t + 1] @ w_q, n_heads)
        k, v = split_heads(read @ w_k, n_heads), split_heads(read @ w_v, n_heads)
        a = weights(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]))
        rows.append(concat(a @ v) @ w_o)
    return np.concatenate(rows, axis=1)
