"""Wrong softmax."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from headwork.conditions import batched, large_scores, something_hidden, with_batch_axis
from headwork.mistakes import alike, shows_when
from headwork.model import Array


def _softmax(logits: Any, axis: Any = -1) -> Any:
    powers = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _many_cells(values: Mapping[str, Any]) -> bool:
    return np.size(values.get("weights", ())) >= 40


def down_the_columns(logits: Array) -> Array:
    """Normalised down the columns instead of along the rows.

    Row t belongs to the position that reads: it has one unit of attention to give to the positions it sees.
    Down a column, the readers of one position would have to share it.

    Sum over the last axis; the sums of the rows are 1.

    Which sums come out as 1, those of the rows or those of the columns?
    """
    return _softmax(logits, axis=-2)


@shows_when(with_batch_axis)
def over_the_first_axis(logits: Array) -> Array:
    """Normalised over the first axis.

    Axis 0 is the row axis of a single matrix, and the batch as soon as there is one. The prompts of a batch then
    share one unit of attention between them, although they never meet.

    Count axes from the end: the keys are axis -1.

    What is axis 0 of an array (B, T, T)?
    """
    return _softmax(logits, axis=0)


def over_all_entries(logits: Array) -> Array:
    """Normalised over all entries at once.

    Without an axis, maximum and sum run over the whole array, and all rows together sum to 1. Every row has to
    sum to 1 by itself.

    Give the axis, and keep it with keepdims.

    What is the sum of the first row?
    """
    return _softmax(logits, axis=None)


@shows_when(large_scores)
def maximum_not_subtracted(logits: Array) -> Array:
    """Took the exponential of the logits without subtracting the maximum.

    exp of more than 709 is infinite, and infinite over infinite is not a number. Subtracting the row's maximum
    changes no quotient and keeps every exponent at or below 0.

    Subtract the maximum of the row first.

    What is np.exp(1000.0)?
    """
    powers = np.exp(logits)
    return powers / powers.sum(axis=-1, keepdims=True)


@shows_when(large_scores)
def maximum_of_the_whole_array_subtracted(logits: Array) -> Array:
    """Subtracted the maximum of the whole array instead of the row's.

    A row that lies far below the largest one vanishes entirely: all its exponentials are 0, and 0 over 0 is not
    a number.

    Take the maximum along the last axis, and keep the axis.

    What happens to a row whose logits are all 800 below the largest one?
    """
    powers = np.exp(logits - logits.max())
    return powers / powers.sum(axis=-1, keepdims=True)


def maximum_of_the_columns_subtracted(logits: Array) -> Array:
    """Subtracted the maximum of each column instead of each row.

    Only a constant per row cancels in the quotient. A different number for every column changes the weights
    within the row.

    Take the maximum over the axis that is summed over.

    Does what is subtracted differ between the cells of one row?
    """
    powers = np.exp(logits - logits.max(axis=-2, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def maximum_subtracted_above_only(logits: Array) -> Array:
    """Subtracted the maximum above the line and not below it.

    The maximum cancels only if it is taken from every exponential, the ones in the sum included. Otherwise each
    row is too small by a factor of its own.

    Compute the exponentials once and use them above and below.

    Do the rows sum to 1?
    """
    return np.exp(logits - logits.max(axis=-1, keepdims=True)) / np.exp(logits).sum(axis=-1, keepdims=True)


def powers_of_two(logits: Array) -> Array:
    """Raised 2 to the logits instead of e.

    The rows still sum to 1 and keep their order, but every ratio of two weights is off: e to the difference
    became 2 to the difference.

    Use exp.

    What is the ratio of two weights whose logits differ by 1?
    """
    powers = np.exp2(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def softmax_twice(logits: Array) -> Array:
    """Applied the softmax twice.

    The second softmax takes weights between 0 and 1 for logits: it flattens them, and a hidden position with
    weight 0 gets exp(0) again.

    Follow the value through the functions: one of them returns weights already.

    Are the hidden cells exactly 0?
    """
    return _softmax(_softmax(logits))


def not_divided_by_the_sum(logits: Array) -> Array:
    """Left out the division by the sum.

    Exponentials are positive, but they are no shares: a row of attention weights sums to 1.

    Divide each row by its own sum.

    What is the sum of a row?
    """
    return np.exp(logits - logits.max(axis=-1, keepdims=True))


@shows_when(lambda values: not large_scores(values))
def plain_exponentials(logits: Array) -> Array:
    """Returned the bare exponentials of the logits.

    Neither the maximum is subtracted nor the sum divided by. The rows are positive, of any size, and overflow
    for large logits.

    Divide each row by its own sum.

    What is the sum of a row?
    """
    return np.exp(logits)


def shares_without_exp(logits: Array) -> Array:
    """Divided by the sum without taking the exponential.

    Logits may be negative, and their sum may be 0, so that plain shares are not between 0 and 1. The exponential
    makes them positive and turns differences into ratios.

    Take exp before the sum.

    What share does a negative logit get?
    """
    finite = np.where(np.isfinite(logits), logits, 0.0)
    return finite / finite.sum(axis=-1, keepdims=True)


def logarithm_of_the_weights(logits: Array) -> Array:
    """Returned the logarithms of the weights.

    The log-softmax is what a loss is made of. The mixture needs the weights themselves, which are positive and
    sum to 1.

    Take exp of the result.

    Can an attention weight be negative?
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def sigmoid_of_every_cell(logits: Array) -> Array:
    """Squeezed every logit by itself with a sigmoid.

    A sigmoid answers each cell on its own; the softmax compares the cells of a row, which share one unit of
    attention.

    Divide by the sum over the row.

    Does one weight of a row shrink when another logit of it grows?
    """
    return 1.0 / (1.0 + np.exp(-logits))


@shows_when(something_hidden)
def masked_after_the_softmax(scaled: Array, visible: Array) -> Array:
    """Masked the weights after the softmax and did not divide again.

    The softmax has then shared the unit among all positions, hidden ones included. Striking those out leaves
    rows that sum to less than 1.

    Mask before the softmax, or divide each row by its new sum.

    What is the sum of row 0?
    """
    return _softmax(scaled) * visible


@shows_when(something_hidden)
@alike({"logits/mask-not-applied": "in a composed function the mask is missing either way"})
def mask_left_out(scaled: Array) -> Array:
    """Took the softmax of the scores before the mask.

    The masked scores were computed and then not used: a position gives weight to its future.

    Check which array goes into the softmax.

    Are the hidden cells exactly 0?
    """
    return _softmax(scaled)


def scaled_after_the_softmax(scores: Array, visible: Array, d_head: int) -> Array:
    """Divided by the square root of d_head after the softmax instead of before.

    The scaling keeps the softmax from saturating, which it can only do before it. Afterwards it makes the rows
    sum to less than 1.

    Scale the scores, then mask, then take the softmax.

    Do the rows sum to 1?
    """
    return _softmax(np.where(visible, scores, -np.inf)) / np.sqrt(d_head)


def all_on_the_largest(logits: Array) -> Array:
    """Gave all the weight to the largest logit.

    A softmax is soft: every visible position keeps a share, in the ratio of the exponentials. With the maximum
    alone nothing can be learnt from the others.

    Divide the exponentials by their sum.

    What weight does the second largest logit get?
    """
    return (logits == logits.max(axis=-1, keepdims=True)).astype(float)


@alike(even_over_all="without a mask all are visible")
def even_over_the_visible(logits: Array) -> Array:
    """Gave all visible positions the same weight.

    That is the average of the visible prefix, the baseline without queries and keys. The logits say how much
    each position counts.

    Check that the exponentials of the logits, not of the mask, are divided.

    Do the weights change when a query does?
    """
    visible = np.isfinite(logits)
    return visible / visible.sum(axis=-1, keepdims=True)


def even_over_all(logits: Array) -> Array:
    """Gave every position the weight 1 / T.

    With equal weights for all, hidden positions included, the output is the same at every position.

    Check what the exponentials are taken of.

    Do two rows differ?
    """
    return np.full_like(logits, 1.0 / logits.shape[-1])


def sign_turned_round(logits: Array) -> Array:
    """Took the exponential of the negative logits.

    The best match gets the smallest weight. (Hidden cells were kept at 0.)

    Check the sign in the exponent.

    Which cell of a row gets the most weight, the largest logit or the smallest?
    """
    turned = np.where(np.isfinite(logits), -logits, -np.inf)
    return _softmax(turned)


def rows_of_unit_length(logits: Array) -> Array:
    """Divided by the length of the row, the root of the sum of squares.

    Weights are shares, so that their sum is 1. A row of unit length has a sum above 1.

    Divide by the sum, not by the norm.

    What is the sum of a row?
    """
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / np.sqrt((powers**2).sum(axis=-1, keepdims=True))


def squares_instead_of_exp(logits: Array) -> Array:
    """Squared the logits instead of taking the exponential.

    Squares are positive too, but a strongly negative logit, the worst match, gets as much as a positive one.

    Use exp.

    What weight does a logit of -3 get beside one of 3?
    """
    squares = np.where(np.isfinite(logits), logits, 0.0) ** 2
    return squares / squares.sum(axis=-1, keepdims=True)


def sums_along_the_wrong_side(logits: Array) -> Array:
    """Divided without keepdims, so that the row sums lay along the columns.

    A sum without its axis is a flat array, which broadcasts along the last axis: column s is divided by the sum
    of row s.

    Keep the axis, keepdims=True.

    Along which axis does an array of shape (T,) broadcast against (T, T)?
    """
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


def one_added_to_the_sum(logits: Array) -> Array:
    """Added 1 to the sum of the exponentials.

    An extra 1 below the line acts like one more position with logit equal to the row's maximum. The rows sum to
    less than 1.

    Divide by the sum alone; a guard against zero must be tiny, and is not needed.

    Do the rows sum to 1?
    """
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1.0)


@shows_when(_many_cells)
def half_precision(logits: Array) -> Array:
    """Computed in half precision.

    float16 keeps three decimal digits and overflows at 65504. Weights computed in it are off in the fourth
    digit, and more so after the sums that follow.

    Compute in float32 or float64.

    How many digits does float16 hold?
    """
    return _softmax(logits.astype(np.float16)).astype(logits.dtype)


@alike(all_on_the_largest="weights below 1 become 0 where a row sees more than one position")
def kept_as_whole_numbers(logits: Array) -> Array:
    """Stored the weights in an array of whole numbers.

    An integer array drops the fraction of everything written into it, and weights are fractions: all but the
    ones that are exactly 1 become 0.

    Give the array a floating point type.

    What is the dtype of the array that the weights are written into?
    """
    return np.trunc(_softmax(logits))


@shows_when(batched)
def first_prompt_weighed_for_all(logits: Array) -> Array:
    """Repeated the weights of the first prompt for the whole batch.

    Every prompt has logits of its own. A fixed index 0 on the batch axis passes each check that holds a single
    prompt.

    Look for an index on the first axis.

    What comes out for the second prompt when it differs from the first?
    """
    full = _softmax(logits)
    return np.broadcast_to(full[:1], full.shape).copy() if full.ndim > 2 else full
