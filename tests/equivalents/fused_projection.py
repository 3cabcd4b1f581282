"""One product for queries, keys and values."""

import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    width = w_q.shape[1]
    packed = x @ np.hstack([w_q, w_k, w_v])
    q, k, v = (split_heads(packed[..., i * width : (i + 1) * width], n_heads) for i in range(3))
    a = weights(logits(scaled(scores(q, k), width // n_heads), visible(x.shape[1], causal)))
    return out(concat(heads(a, v)), w_o)
