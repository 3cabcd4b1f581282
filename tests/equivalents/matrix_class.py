"""np.matrix inside, one prompt at a time."""

import numpy as np


def project(x, w):
    w = np.matrix(w)
    if np.ndim(x) == 2:
        return np.matrix(x) * w
    return np.array([np.asarray(np.matrix(prompt) * w) for prompt in x])


def scores(q, k):
    if np.ndim(q) == 2:
        return np.matrix(q) * np.matrix(k).T
    flat_q, flat_k = np.reshape(q, (-1,) + q.shape[-2:]), np.reshape(k, (-1,) + k.shape[-2:])
    result = [np.asarray(np.matrix(a) * np.matrix(b).T) for a, b in zip(flat_q, flat_k)]
    return np.reshape(result, q.shape[:-1] + k.shape[-2:-1])
