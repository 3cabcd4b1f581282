"""Queries and keys each divided by the fourth root of d_head."""

import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    root = q.shape[-1] ** 0.25
    a = weights(logits((q / root) @ (k / root).swapaxes(-1, -2), visible(x.shape[1], causal)))
    return concat(a @ v) @ w_o
