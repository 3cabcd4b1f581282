"""Loops over every axis, with Python numbers."""

import math

import numpy as np


def project(x, w):
    x, w = np.asarray(x), np.asarray(w)
    result = np.zeros(x.shape[:-1] + (w.shape[1],))
    for place in np.ndindex(*x.shape[:-1]):
        for o in range(w.shape[1]):
            result[place + (o,)] = sum(x[place + (i,)] * w[i, o] for i in range(w.shape[0]))
    return result


def scores(q, k):
    result = np.zeros(q.shape[:-1] + (k.shape[-2],))
    for place in np.ndindex(*q.shape[:-1]):
        for s in range(k.shape[-2]):
            result[place + (s,)] = sum(a * b for a, b in zip(q[place], k[place[:-1] + (s,)]))
    return result


def weights(logits):
    logits = np.asarray(logits)
    result = np.zeros(logits.shape)
    for place in np.ndindex(*logits.shape[:-1]):
        row = [float(number) for number in logits[place]]
        top = max(row)
        powers = [math.exp(number - top) for number in row]
        result[place] = [power / sum(powers) for power in powers]
    return result


def heads(weights, v):
    result = np.zeros(weights.shape[:-1] + v.shape[-1:])
    for place in np.ndindex(*weights.shape[:-1]):
        for s in range(v.shape[-2]):
            result[place] += weights[place + (s,)] * v[place[:-1] + (s,)]
    return result
