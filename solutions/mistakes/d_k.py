"""Wrong gradients of the keys."""

import numpy as np
from headwork.model import Array


def scores_gradient_not_transposed(d_scores: Array, q: Array) -> Array:
    """Multiplied by the gradient of the scores as it is instead of transposed.

    Column s of d_scores belongs to key s: every query that met the key contributes.

    Transpose d_scores.

    Which cells of d_scores belong to key 0?
    """
    return d_scores @ q


def keys_instead_of_queries(d_scores: Array, k: Array) -> Array:
    """Used the keys instead of the queries.

    A score is a product of a query and a key, so what a key's change does to it is given by the query.

    Check the second factor.

    What is the derivative of q·k with respect to k?
    """
    return np.swapaxes(d_scores, -1, -2) @ k


def gradient_of_the_keys_left_zero(q: Array) -> Array:
    """Left the gradient of the keys at zero.

    Keys take part in every score. Without their gradient w_k never learns.

    Compute it from d_scores and the queries.

    Does the loss change when a key does?
    """
    return np.zeros_like(q, dtype=float)


def key_gradient_scaled_again(d_scores: Array, q: Array) -> Array:
    """Divided by the square root of d_head once more for the keys.

    The scale is part of d_scores already.

    Leave out the second division.

    Where does the scale enter on the way back?
    """
    return np.swapaxes(d_scores, -1, -2) @ q / np.sqrt(q.shape[-1])
