"""Wrong gradients of the queries."""

import numpy as np
from headwork.model import Array


def scores_gradient_transposed(d_scores: Array, k: Array) -> Array:
    """Transposed the gradient of the scores.

    Row t of d_scores belongs to query t already. Transposed, the keys' gradient is computed with the keys.

    Multiply d_scores by k as they are.

    Which row of d_scores belongs to query 0?
    """
    return np.swapaxes(d_scores, -1, -2) @ k


def queries_instead_of_keys(d_scores: Array, q: Array) -> Array:
    """Used the queries instead of the keys.

    A score is a product of a query and a key, so what a query's change does to it is given by the key.

    Check the second factor.

    What is the derivative of q·k with respect to q?
    """
    return d_scores @ q


def query_gradient_scaled_again(d_scores: Array, k: Array) -> Array:
    """Divided by the square root of d_head once more for the queries.

    The scale is part of d_scores already.

    Leave out the second division.

    Where does the scale enter on the way back?
    """
    return d_scores @ k / np.sqrt(k.shape[-1])
