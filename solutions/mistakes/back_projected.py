"""Wrong ways back through a projection."""

import numpy as np
from headwork.model import Array


def projection_not_transposed(d_projected: Array, w: Array) -> Array:
    """Multiplied by the projection as it is instead of transposed.

    The way forward goes from d_model to the width, the way back from the width to d_model: by the transpose.

    Compare the inner axes of the product.

    How many features does the result have?
    """
    return d_projected @ w


def gradient_not_projected(d_projected: Array) -> Array:
    """Left out the projection on the way back.

    The gradient of the queries, keys or values is as wide as a head. That of x is d_model wide.

    Multiply by the transposed projection.

    How many features does the result have?
    """
    return d_projected


def positions_of_the_gradient_summed(d_projected: Array, w: Array) -> Array:
    """Gave every position the sum of all positions' gradients.

    Position t of x made row t of the projection and nothing else of it.

    Keep the positions apart.

    Which rows of the projection does row 0 of x influence?
    """
    return np.broadcast_to(d_projected.sum(axis=-2, keepdims=True), d_projected.shape) @ w.T
