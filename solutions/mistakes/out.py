"""Wrong output projections."""

import numpy as np
from headwork.conditions import batched, several_heads
from headwork.mistakes import shows_when
from headwork.model import Array


def output_projection_left_out(concat: Array) -> Array:
    """Returned the joined heads without w_o.

    w_o mixes what the heads found and brings it back to d_model features. Without it the heads stay apart, and
    the residual addition has nothing to add to.

    Multiply by w_o.

    How many features does one position of the result have?
    """
    return concat


def output_weight_transposed(concat: Array, w_o: Array) -> Array:
    """Multiplied by the transpose of w_o.

    w_o is stored as (in, out), n_heads * d_head rows and d_model columns, and used as concat @ w_o. Transposed
    it only fits where the two sizes agree.

    Compare the inner axes of the product.

    Which axis of w_o belongs to the features of the heads?
    """
    return concat @ np.swapaxes(w_o, -1, -2)


@shows_when(several_heads)
def averaged_over_the_heads(concat: Array, w_o: Array, n_heads: int) -> Array:
    """Divided the sum over the heads by their number.

    concat @ w_o adds the contributions of the heads, one block of rows each. It is a sum, not a mean.

    Leave out the division.

    By how much does the output grow when two heads contribute the same?
    """
    return concat @ w_o / n_heads


def input_added(concat: Array, w_o: Array, x: Array) -> Array:
    """Added the input to the output.

    The residual connection belongs to the block around the attention. Added in here it would be added twice.

    Return the product alone.

    Where in a block does the residual addition happen?
    """
    return concat @ w_o + x


@shows_when(several_heads)
def same_rows_for_every_head(concat: Array, w_o: Array, n_heads: int) -> Array:
    """Used the first head's rows of w_o for every head.

    Head h owns rows h * d_head to (h + 1) * d_head of w_o. With the first rows for all, w_o cannot tell the
    heads apart.

    Let the slice of w_o move with the head.

    Which rows of w_o does the second head meet?
    """
    width = concat.shape[-1] // n_heads
    return np.stack([part @ w_o[:width] for part in np.split(concat, n_heads, axis=-1)]).sum(axis=0)


@shows_when(several_heads)
def first_heads_share_only(concat: Array, w_o: Array, n_heads: int) -> Array:
    """Returned the share of the first head alone.

    The output is the sum of the shares of all heads. A loop that returns or overwrites keeps one of them.

    Add the shares up, or multiply once by the whole of w_o.

    Does the output change when the last head does?
    """
    width = concat.shape[-1] // n_heads
    return concat[..., :width] @ w_o[:width]


def negative_part_cut_off(concat: Array, w_o: Array) -> Array:
    """Cut off everything below zero.

    A rectifier belongs to the MLP that follows. The output of attention is linear in the heads and may be
    negative.

    Return the product as it is.

    Can a feature of the output be negative?
    """
    return np.maximum(concat @ w_o, 0.0)


def output_turned_into_shares(concat: Array, w_o: Array) -> Array:
    """Took a softmax of the output.

    Attention picks no token: it hands features on. Probabilities are made once, at the end of the model.

    Return the product as it is.

    Should the features of one position sum to 1?
    """
    product = concat @ w_o
    powers = np.exp(product - product.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def last_output_only(concat: Array, w_o: Array) -> Array:
    """Returned the output of the last position alone.

    For predicting the next token the last row is enough; the task asks for every position.

    Return all T rows.

    How many positions does the result have?
    """
    return (concat @ w_o)[..., -1:, :]


@shows_when(batched)
def first_prompt_out_for_all(concat: Array, w_o: Array) -> Array:
    """Repeated the output of the first prompt for the whole batch.

    Prompts are computed side by side and never meet. A fixed index 0 on the batch axis passes each check that
    holds a single prompt.

    Look for an index on the batch axis.

    What comes out for the second prompt when it differs from the first?
    """
    full = concat @ w_o
    return np.broadcast_to(full[:1], full.shape).copy() if full.ndim > 2 else full
