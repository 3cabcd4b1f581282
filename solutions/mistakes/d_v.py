"""Wrong gradients of the values."""

import numpy as np
from headwork.conditions import something_hidden
from headwork.mistakes import shows_when
from headwork.model import Array


def weights_not_transposed(weights: Array, upstream: Array) -> Array:
    """Multiplied by the weights as they are instead of transposed.

    weights[t, s] carried value s to position t. On the way back the gradient of position t goes to value s: the
    sum runs over the readers.

    Transpose the weights.

    Which positions have read value 0?
    """
    return weights @ upstream


def averaged_over_the_readers(weights: Array, upstream: Array) -> Array:
    """Averaged over the positions that read instead of summing.

    Every reader adds its share of the gradient. A mean shrinks it with the length of the prompt.

    Use a sum.

    What happens to the gradient of a value that twice as many positions read?
    """
    return np.swapaxes(weights, -1, -2) @ upstream / weights.shape[-2]


@shows_when(something_hidden)
def mask_left_out_on_the_way_back(scaled: Array, upstream: Array) -> Array:
    """Computed the weights again without the mask.

    The way back uses the weights of the way forward. Without the mask, values get gradients from positions that
    have never read them.

    Keep the masked weights.

    Does the last value get a gradient from position 0?
    """
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.swapaxes(powers / powers.sum(axis=-1, keepdims=True), -1, -2) @ upstream


def upstream_passed_on(upstream: Array) -> Array:
    """Passed the upstream gradient on unchanged.

    The head's output is a mixture of the values, so that each value gets a mixture of the gradients.

    Multiply by the transposed weights.

    How much of position t's gradient belongs to value s?
    """
    return upstream
