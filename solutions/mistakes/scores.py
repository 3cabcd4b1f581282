"""Wrong scores."""

import numpy as np
from headwork.conditions import batched, with_batch_axis
from headwork.mistakes import alike, shows_when
from headwork.model import Array


def transposed(q: Array, k: Array) -> Array:
    """Put the keys in the rows and the queries in the columns.

    Row t belongs to the query of position t: the softmax runs along it and the mask hides its right end. In a
    transposed matrix both act on the wrong axis.

    Check the order in the product: queries first, then the transposed keys.

    Whose scores should stand in one row?
    """
    return k @ np.swapaxes(q, -1, -2)


def keys_not_transposed(q: Array, k: Array) -> Array:
    """Multiplied queries and keys without the transpose.

    A score is a dot product over the d_head features. Without the transpose the features of the queries meet the
    positions of the keys; it only runs at all where T equals d_head.

    Write down both shapes: the inner axes of the product must both be d_head.

    Over which axis does the dot product of one query and one key sum?
    """
    return q @ k


def keys_reshaped(q: Array, k: Array) -> Array:
    """Reshaped the keys to (d_head, T) instead of transposing them.

    A reshape keeps the numbers in their reading order and only moves the line breaks; columns of the result mix
    features of different positions. A transpose turns every row into a column.

    Swap the last two axes of k.

    After the reshape, does the first column hold the key of position 0?
    """
    return q @ np.reshape(k, (*k.shape[:-2], k.shape[-1], k.shape[-2]))


@shows_when(with_batch_axis)
def all_axes_reversed(q: Array, k: Array) -> Array:
    """Reversed all axes of the keys with .T.

    On a matrix .T swaps the two axes; on an array with batch or head axes it reverses every axis, and the batch
    ends up last.

    Swap only the last two axes, np.swapaxes(k, -1, -2).

    What is the shape of k.T when k has a batch axis?
    """
    return q @ k.T


def queries_with_queries(q: Array) -> Array:
    """Compared the queries with themselves.

    What a position asks for is compared with what others ask for; the keys have no influence, and the matrix is
    symmetric.

    Check the second factor of the product: it must be the keys.

    Does changing a key change a score?
    """
    return q @ np.swapaxes(q, -1, -2)


def keys_with_keys(k: Array) -> Array:
    """Compared the keys with themselves.

    What a position offers is compared with what others offer; the queries have no influence, and the matrix is
    symmetric.

    Check the first factor of the product: it must be the queries.

    Does changing a query change a score?
    """
    return k @ np.swapaxes(k, -1, -2)


def queries_with_values(q: Array, v: Array) -> Array:
    """Compared the queries with the values.

    A value is what a position hands over once it is read. How well it fits a query is decided by its key, from
    another projection.

    Check the second factor of the product: it must be the keys.

    Does changing w_k change a score?
    """
    return q @ np.swapaxes(v, -1, -2)


def same_position_only(q: Array, k: Array) -> Array:
    """Multiplied every query only with the key of its own position.

    An elementwise product summed over the features gives one number per position. Attention needs one for every
    pair of positions.

    Count: T queries and T keys make T times T scores.

    With how many keys is one query compared?
    """
    return (q * k).sum(axis=-1)


def directions_only(q: Array, k: Array) -> Array:
    """Divided by the lengths of the vectors, as in a cosine.

    The score is the plain dot product: a longer key or query weighs more, and the scale is taken care of by the
    square root of d_head in the next step.

    Leave the vectors at their length.

    What happens to a score when the key is doubled?
    """
    lengths = np.linalg.norm(q, axis=-1)[..., :, None] * np.linalg.norm(k, axis=-1)[..., None, :]
    return q @ np.swapaxes(k, -1, -2) / lengths


@alike({"scaled/divided-by-d-head": "one division here and one in the next step"})
def scaled_already(q: Array, k: Array) -> Array:
    """Divided by the square root of d_head in this step already.

    Scores are the plain products here, and the scaling is a step of its own that follows. Done in both places,
    the division happens twice.

    Return the product as it is.

    Which function divides by the square root of d_head?
    """
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


@shows_when(batched)
def first_prompt_scored_for_all(q: Array, k: Array) -> Array:
    """Repeated the scores of the first prompt for the whole batch.

    Every prompt has queries and keys of its own. A fixed index 0 on the batch axis passes each check that holds
    a single prompt.

    Look for an index on the first axis.

    What comes out for the second prompt when it differs from the first?
    """
    full = q @ np.swapaxes(k, -1, -2)
    return np.broadcast_to(full[:1], full.shape).copy() if full.ndim > 2 else full
