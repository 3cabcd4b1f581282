"""A running maximum and sum over blocks of keys."""

import math

import numpy as np


def _blockwise(q, k, v, causal, block=2):
    T_q, T_k = q.shape[-2], k.shape[-2]
    top = np.full(q.shape[:-1] + (1,), -np.inf)
    total = np.zeros_like(top)
    mixed = np.zeros(q.shape[:-1] + v.shape[-1:])
    for start in range(0, T_k, block):
        part = slice(start, start + block)
        s = q @ k[..., part, :].swapaxes(-1, -2) / math.sqrt(q.shape[-1])
        if causal:
            s = np.where(np.arange(T_k)[part] <= np.arange(T_q)[:, None], s, -np.inf)
        new = np.maximum(top, s.max(axis=-1, keepdims=True))
        powers, keep = np.exp(s - new), np.exp(top - new)
        total = total * keep + powers.sum(axis=-1, keepdims=True)
        mixed = mixed * keep + powers @ v[..., part, :]
        top = new
    return mixed / total


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return concat(_blockwise(q, k, v, causal)) @ w_o


def cross_attention(x, context, w_q, w_k, w_v):
    return _blockwise(x @ w_q, context @ w_k, context @ w_v, False)


def stacked_attention(x, w_q, w_k, w_v, w_o, causal):
    q, k, v = (x[:, None] @ w for w in (w_q, w_k, w_v))
    return concat(_blockwise(q, k, v, causal)) @ w_o
