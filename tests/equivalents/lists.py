"""Nested lists come back."""

import math

import numpy as np


def project(x, w):
    return (np.asarray(x) @ np.asarray(w)).tolist()


def scores(q, k):
    return (np.asarray(q) @ np.swapaxes(np.asarray(k), -1, -2)).tolist()


def scaled(scores, d_head):
    return (np.asarray(scores) / math.sqrt(d_head)).tolist()


def weights(logits):
    logits = np.asarray(logits)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).tolist()


def heads(weights, v):
    return (np.asarray(weights) @ np.asarray(v)).tolist()


def split_heads(packed, n_heads):
    packed = np.asarray(packed)
    return np.stack(np.split(packed, n_heads, axis=-1), axis=1)


def concat(heads):
    heads = np.asarray(heads)
    return np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1).tolist()


def out(concat, w_o):
    return (np.asarray(concat) @ np.asarray(w_o)).tolist()
