"""Wrong projections by a stack of matrices, one per head."""

import numpy as np
from headwork.conditions import batched
from headwork.mistakes import shows_when
from headwork.model import Array


def first_projection_for_every_head(x: Array, w: Array) -> Array:
    """Used the first head's projection for every head.

    Heads differ only by their projections. With one matrix for all they compute the same thing n_heads times.

    Compare the result of head 0 with that of head 1: two different matrices give two different results.

    What makes two heads differ from each other?
    """
    return x[..., None, :, :] @ np.broadcast_to(w[:1], w.shape)


def last_projection_for_every_head(x: Array, w: Array) -> Array:
    """Overwrote the projection in the loop, so that the last head's counts for all.

    A loop that assigns the whole result each time keeps nothing but its last turn; every head then carries the
    last head's numbers.

    Write into the slot of head h inside the loop, or collect the heads in a list and stack them.

    After the loop, which turn does the content of slot 0 come from?
    """
    return x[..., None, :, :] @ np.broadcast_to(w[-1:], w.shape)


def projections_averaged(x: Array, w: Array) -> Array:
    """Averaged the projections of all heads.

    An average of the matrices is one matrix, and one matrix is one head. The point of several heads is that each
    keeps its own view.

    Keep the head axis: w[h] belongs to head h alone.

    What is left of n_heads different views after an average?
    """
    return x[..., None, :, :] @ np.broadcast_to(w.mean(axis=0, keepdims=True), w.shape)


def head_axis_after_the_positions(x: Array, w: Array) -> Array:
    """Put the head axis behind the positions.

    The next steps multiply over the last two axes, which must be (T, d_head) for every head. With (n_heads,
    d_head) there, the heads of one position are compared with each other instead of the positions of one head.

    Order the axes as (B, n_heads, T, d_head).

    Which two axes will the matrix product of queries and keys run over?
    """
    return np.swapaxes(x[..., None, :, :] @ w, -2, -3)


def heads_side_by_side(x: Array, w: Array) -> Array:
    """Put the heads side by side along the features.

    Side by side is where the heads go at the end, after each has computed its mixture. Before that, one wide
    head would compare the features of all heads in a single score.

    Keep an axis of its own for the heads.

    How many score matrices come out for one prompt?
    """
    apart = x[..., None, :, :] @ w
    return np.swapaxes(apart, -2, -3).reshape(*x.shape[:-1], -1)


def each_head_read_a_shifted_projection(x: Array, w: Array) -> Array:
    """Gave every head the projection of its neighbour.

    Head h belongs to w[h] for queries, keys and values and to block h of w_o. Shifted by one, the heads still
    look plausible and come out in the wrong places.

    Check the index of w in the loop over heads.

    Which matrix of the stack does head 0 use?
    """
    return x[..., None, :, :] @ np.roll(w, 1, axis=0)


@shows_when(batched)
def first_prompt_through_every_head(x: Array, w: Array) -> Array:
    """Projected only the first prompt of the batch and used it for all.

    Every prompt has its own features. A fixed index 0 on the batch axis passes each check that holds a single
    prompt.

    Look for an index on the batch axis.

    What comes out for the second prompt when it differs from the first?
    """
    first = x[:1, None] @ w
    return np.broadcast_to(first, (x.shape[0], *first.shape[1:])).copy()
