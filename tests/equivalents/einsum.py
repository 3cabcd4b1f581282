"""Einsum for all products."""

import numpy as np


def project(x, w):
    return np.einsum("...i,io->...o", x, w)


def project_heads(x, w):
    return np.einsum("btd,hde->bhte", x, w)


def scores(q, k):
    return np.einsum("...qd,...kd->...qk", q, k)


def heads(weights, v):
    return np.einsum("...qk,...kd->...qd", weights, v)


def out(concat, w_o):
    return np.einsum("...i,io->...o", concat, w_o)


def d_projection(x, d_projected):
    return np.einsum("bti,bto->io", x, d_projected)
