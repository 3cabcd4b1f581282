"""Wrong averages of the visible prefix."""

import numpy as np
from headwork.conditions import batched
from headwork.mistakes import shows_when
from headwork.model import Array


def shares_transposed(uniform: Array, x: Array) -> Array:
    """Used the shares with rows and columns swapped.

    Row t of the shares says what position t reads. Transposed it says who reads position t.

    The row index of the shares stays the row index of the result.

    Which position's average is made of one word only?
    """
    return np.swapaxes(uniform, -1, -2) @ x


def average_of_all_positions(x: Array) -> Array:
    """Averaged all positions for every row.

    Early positions then know later words.

    Multiply by the shares, which are 0 for what is not visible.

    Should the first row change when the last word does?
    """
    return np.broadcast_to(x.mean(axis=-2, keepdims=True), x.shape).copy()


def inputs_returned(x: Array) -> Array:
    """Returned the inputs as they are.

    Every position then knows itself only.

    Multiply the shares by x.

    Where do the earlier positions come in?
    """
    return x


def averages_of_the_features(uniform: Array, x: Array) -> Array:
    """Averaged over the features as well.

    An average of positions is a vector with the features that every position has.

    Sum over positions only; the feature axis stays.

    How many numbers describe one position?
    """
    made = uniform @ x
    return np.broadcast_to(made.mean(axis=-1, keepdims=True), made.shape).copy()


@shows_when(batched)
def first_prompt_for_all(uniform: Array, x: Array) -> Array:
    """Averaged the first prompt and gave it to all.

    Prompts are computed side by side and share nothing but the shares.

    Keep the leading axes of x.

    Does the second result change when the second prompt does?
    """
    return np.broadcast_to(uniform @ x[:1], x.shape).copy()
