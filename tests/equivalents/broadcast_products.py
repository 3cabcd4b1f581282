"""Elementwise products, summed."""

import numpy as np


def scores(q, k):
    return (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1)


def heads(weights, v):
    return (weights[..., :, :, None] * v[..., None, :, :]).sum(axis=-2)
