"""Wrong gradients of a projection matrix."""

import numpy as np
from headwork.conditions import batched
from headwork.mistakes import shows_when
from headwork.model import Array


def _summed(x: Array, d_projected: Array) -> Array:
    return x.reshape(-1, x.shape[-1]).T @ d_projected.reshape(-1, d_projected.shape[-1])


def gradient_transposed(x: Array, d_projected: Array) -> Array:
    """Returned the transpose.

    A gradient has the axes of what it belongs to: w is (d_model, width).

    Put x first: its features are the rows.

    What is the shape of w?
    """
    return _summed(x, d_projected).T


def averaged_over_all_positions(x: Array, d_projected: Array) -> Array:
    """Averaged over the positions instead of summing.

    The same matrix serves every position, and each adds its share to the gradient. The mean belongs to the loss,
    if anywhere.

    Use a sum.

    What happens to the gradient when a prompt is twice as long?
    """
    rows = x.size // x.shape[-1]
    return _summed(x, d_projected) / rows


@shows_when(batched)
def averaged_over_the_prompts(x: Array, d_projected: Array) -> Array:
    """Averaged over the prompts instead of summing.

    The loss is a sum over the batch here, and so is its gradient. A mean belongs to the loss, if anywhere.

    Use a sum over the batch.

    What happens to the gradient when every prompt comes twice?
    """
    return _summed(x, d_projected) / x.shape[0]


@shows_when(batched)
def first_prompt_alone(x: Array, d_projected: Array) -> Array:
    """Used only the first prompt.

    One matrix serves all prompts, so all of them add to its gradient.

    Sum over the batch.

    Does the second prompt have an influence on the gradient?
    """
    return np.swapaxes(x[0], -1, -2) @ d_projected[0]


def one_matrix_for_every_prompt(x: Array, d_projected: Array) -> Array:
    """Kept one gradient per prompt.

    There is one matrix for all prompts, and its gradient is the sum of theirs.

    Sum over the batch axis.

    How many matrices w are there?
    """
    return np.swapaxes(x, -1, -2) @ d_projected


def last_position_alone(x: Array, d_projected: Array) -> Array:
    """Used only the last position.

    One matrix serves all positions, so all of them add to its gradient.

    Sum over the positions.

    Does the first position have an influence on the gradient?
    """
    return _summed(x[..., -1, :], d_projected[..., -1, :])
