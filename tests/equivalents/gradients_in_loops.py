"""Gradients summed in loops over prompts and positions."""

import numpy as np


def d_projection(x, d_projected):
    total = np.zeros((x.shape[-1], d_projected.shape[-1]))
    for prompt, gradient in zip(x, d_projected):
        for row, g in zip(prompt, gradient):
            total += np.outer(row, g)
    return total


def back_projected(d_projected, w):
    return np.stack([np.stack([w @ g for g in gradient]) for gradient in d_projected])


def d_x(d_x_through_q, d_x_through_k, d_x_through_v):
    return np.sum([d_x_through_q, d_x_through_k, d_x_through_v], axis=0)


def d_v(weights, upstream):
    return np.einsum("...ts,...td->...sd", weights, upstream)


def d_logits(weights, d_weights):
    return weights * d_weights - weights * np.sum(weights * d_weights, axis=-1)[..., None]
