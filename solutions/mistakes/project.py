"""Wrong projections: what stands in for ``project(x, w)`` at every stage that applies it."""

import numpy as np
from headwork.conditions import batched
from headwork.mistakes import shows_when
from headwork.model import Array


def weight_transposed(x: Array, w: Array) -> Array:
    """Multiplied by the transpose of the projection.

    The projections here are stored as (in, out) and used as x @ w. A layer that stores (out, in) needs the
    transpose; using it here mixes features by the wrong column, and only fits at all when the matrix is square.

    Compare the axes of w in the signature with the inner axis of the product: d_model must meet d_model.

    Which axis of w counts the features that go in, and which the features that come out?
    """
    return x @ np.swapaxes(w, -1, -2)


def each_head_projected_its_own_slice(x: Array, w: Array, n_heads: int) -> Array:
    """Cut the features into one slice per head before projecting.

    Every head reads all d_model features of a position and has its own projection of them. With the input cut
    up first, a head never sees the features in the other slices, whatever its weights are.

    Project first, with all of x, and split the result: the heads divide the columns of w, not those of x.

    How many of the d_model features does the first head read?
    """
    slices, blocks = np.split(x, n_heads, axis=-1), np.split(w, n_heads, axis=-2)
    columns = [np.split(block, n_heads, axis=-1)[head] for head, block in enumerate(blocks)]
    return np.concatenate([part @ column for part, column in zip(slices, columns, strict=True)], axis=-1)


def first_position_everywhere(x: Array, w: Array) -> Array:
    """Projected the first position and repeated it for all.

    The parameters are the same at every position, the features are not. Copying one projected row makes all
    positions look alike, so no score can tell them apart.

    Check that two different rows of x give two different rows of the result.

    What is shared between positions: the projection, or the projected vector?
    """
    return np.broadcast_to(x[..., :1, :], x.shape) @ w


def position_before(x: Array, w: Array) -> Array:
    """Took the features of the position before.

    Row t of the result belongs to position t. Shifted by one row, every query, key and value describes its
    neighbour, and position 0 describes the last one.

    Work out one row by hand: row t of the result is row t of x times w.

    Which row of x does row 2 of the result come from?
    """
    return np.roll(x, 1, axis=-2) @ w


@shows_when(batched)
def first_prompt_for_all(x: Array, w: Array) -> Array:
    """Projected the first prompt of the batch and used it for all.

    Prompts are computed side by side and never meet; each has its own features. A fixed index 0 on the batch
    axis looks right in every check that holds a single prompt.

    Look for an index on the batch axis, and let the product run over the whole array.

    What comes out for the second prompt when it differs from the first?
    """
    first = x[:1] @ w
    return np.broadcast_to(first, (x.shape[0], *first.shape[1:])).copy() if x.ndim > 2 else x @ w
