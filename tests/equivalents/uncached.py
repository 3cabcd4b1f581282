"""The whole text read at once, and the last rows kept; no cache is used."""

import math

import numpy as np


def prefill_and_decode(x_past, x, w_q, w_k, w_v):
    text = np.concatenate([x_past, x], axis=1)
    s = (text @ w_q) @ (text @ w_k).transpose(0, 2, 1) / math.sqrt(w_q.shape[1])
    s = np.where(np.tri(text.shape[1], dtype=bool), s, -1e9)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True) @ (text @ w_v))[:, x_past.shape[1] :]


def attention_backward(x, w_q, w_k, w_v, upstream, causal):
    gradients = []
    for rows, g in zip(x, upstream):
        q, k, v = rows @ w_q, rows @ w_k, rows @ w_v
        a = np.exp(q @ k.T / math.sqrt(q.shape[1])) * (np.tri(len(rows)) if causal else 1.0)
        a = a / a.sum(axis=1, keepdims=True)
        d_a = g @ v.T
        d_s = np.stack([(np.diag(p) - np.outer(p, p)) @ d for p, d in zip(a, d_a)]) / math.sqrt(q.shape[1])
        gradients.append((d_s @ k) @ w_q.T + (d_s.T @ q) @ w_k.T + (a.T @ g) @ w_v.T)
    return np.stack(gradients)
