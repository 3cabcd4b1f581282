"""The queries scaled before the product."""

import math

import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    q = q * q.shape[-1] ** -0.5
    a = weights(logits(q @ k.swapaxes(-1, -2), visible(x.shape[1], causal)))
    return concat(a @ v) @ w_o


def cross_attention(x, context, w_q, w_k, w_v):
    q = x @ (w_q / math.sqrt(w_q.shape[1]))
    return weights(q @ (context @ w_k).swapaxes(-1, -2)) @ (context @ w_v)
