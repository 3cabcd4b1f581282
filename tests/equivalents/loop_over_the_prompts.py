"""One prompt at a time, from scratch."""

import math

import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    answers = []
    for prompt in x:
        T = len(prompt)
        q, k, v = ((prompt @ w).reshape(T, n_heads, -1).transpose(1, 0, 2) for w in (w_q, w_k, w_v))
        s = q @ k.transpose(0, 2, 1) / q.shape[-1] ** 0.5
        if causal:
            s[:, np.triu_indices(T, 1)[0], np.triu_indices(T, 1)[1]] = -np.inf
        e = np.exp(s - s.max(-1, keepdims=True))
        answers.append((e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(T, -1) @ w_o)
    return np.array(answers)


def cross_attention(x, context, w_q, w_k, w_v):
    answers = []
    for prompt, other in zip(x, context):
        s = (prompt @ w_q) @ (other @ w_k).T / math.sqrt(w_q.shape[1])
        answers.append(weights(s) @ (other @ w_v))
    return np.stack(answers)
