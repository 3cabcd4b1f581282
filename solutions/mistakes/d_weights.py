"""Wrong gradients of the weights."""

import numpy as np
from headwork.model import Array


def transposed(upstream: Array, v: Array) -> Array:
    """Put the values in the rows and the readers in the columns.

    d_weights has the axes of the weights: row t belongs to the position that reads.

    Multiply upstream by the transposed values, in this order.

    What does entry [t, s] of the weights connect?
    """
    return v @ np.swapaxes(upstream, -1, -2)


def values_not_transposed(upstream: Array, v: Array) -> Array:
    """Multiplied by the values without the transpose.

    An entry of d_weights is a dot product over the features. Without the transpose, features meet positions.

    Transpose the last two axes of v.

    Over which axis does the sum run?
    """
    return upstream @ v


def keys_instead_of_values(upstream: Array, k: Array) -> Array:
    """Used the keys instead of the values.

    The weights mixed the values, so what a little more of weights[t, s] adds to the output is value s.

    Check the second factor.

    What does the output gain when weights[t, s] grows?
    """
    return upstream @ np.swapaxes(k, -1, -2)
