"""Wrong mixtures of the values."""

from typing import Any

import numpy as np
from headwork.conditions import batched, fractional, several_heads, something_hidden
from headwork.mistakes import alike, shows_when
from headwork.model import Array


def weights_transposed(weights: Array, v: Array) -> Array:
    """Transposed the weights before the product.

    Row t of the weights says how position t mixes the values. Transposed, the shares that others give to t are
    used instead, and they do not sum to 1.

    Multiply weights by v as they are.

    Which cells of the weights does row 0 of the result use?
    """
    return np.swapaxes(weights, -1, -2) @ v


@alike({"v/projected-with-w-k": "in a composed function the keys are mixed either way"})
def keys_mixed(weights: Array, k: Array) -> Array:
    """Mixed the keys instead of the values.

    The keys have done their work in the scores. What a position hands over is its value.

    Check the second factor of the product.

    Does changing w_v change the output?
    """
    return weights @ k


@alike({"v/projected-with-w-q": "in a composed function the queries are mixed either way"})
def queries_mixed(weights: Array, q: Array) -> Array:
    """Mixed the queries instead of the values.

    The queries say what is looked for. What a position hands over is its value.

    Check the second factor of the product.

    Does changing w_v change the output?
    """
    return weights @ q


def weights_returned(weights: Array) -> Array:
    """Returned the weights instead of the mixture.

    The weights only say how much of each position is read. The output of a head has features: it is the mixture
    of the values.

    Multiply by v.

    How many features does one row of the result have?
    """
    return weights


def scores_used_as_weights(scaled: Array, v: Array) -> Array:
    """Mixed the values by the scaled scores, without the softmax.

    Scores can be negative and add up to anything. The softmax turns them into shares that sum to 1.

    Check the first factor of the product.

    Do the numbers that mix the values sum to 1 in each row?
    """
    return scaled @ v


@shows_when(something_hidden)
@alike({"logits/mask-not-applied": "in a composed function the mask is missing either way"})
def future_mixed_in(scaled: Array, v: Array) -> Array:
    """Mixed by the softmax of the scores before the mask.

    The masked weights exist and were not used here, so the mixture contains the future.

    Check which weights go into the product.

    Does changing the last value change the first row of the output?
    """
    open_scores: Any = scaled
    powers = np.exp(open_scores - open_scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)) @ v


def plain_average(weights: Array, v: Array) -> Array:
    """Averaged all values and did not use the weights.

    An average gives every position the same output. The weights are what makes a position read more of one than
    of another.

    Multiply weights by v.

    Do two rows of the result differ?
    """
    return np.broadcast_to(v.mean(axis=-2, keepdims=True), (*weights.shape[:-1], v.shape[-1]))


def value_of_the_largest_weight(weights: Array, v: Array) -> Array:
    """Picked the value with the largest weight.

    The output is a mixture: every position counts in proportion to its weight. Picking one throws the other
    shares away.

    Multiply weights by v.

    What does the second largest weight contribute?
    """
    chosen = (weights == weights.max(axis=-1, keepdims=True)).astype(float)
    return chosen @ v


def own_value_added(weights: Array, v: Array) -> Array:
    """Added each position's own value to the mixture.

    The own value is in the mixture already, with its weight. A residual connection exists, but outside the
    attention, and it adds the input.

    Return the product alone.

    How much of its own value should a position contain whose weight on itself is 0.2?
    """
    return weights @ v + v


def last_position_only(weights: Array, v: Array) -> Array:
    """Returned the last position alone.

    For predicting the next token the last row is enough; the task asks for every position, which training uses
    all at once.

    Return all T rows.

    How many positions does the result have?
    """
    return (weights @ v)[..., -1:, :]


def positions_summed(weights: Array, v: Array) -> Array:
    """Summed over the positions, leaving one row.

    Each position keeps its own mixture. A sum over the rows, or over the wrong axis of a broadcast product,
    merges them.

    The sum runs over the positions that are read, not over those that read.

    How many positions does the result have?
    """
    return (weights @ v).sum(axis=-2, keepdims=True)


def mixture_divided_by_the_length(weights: Array, v: Array) -> Array:
    """Divided the mixture by the number of positions.

    The weights of a row sum to 1, so the product is an average already. Dividing again shrinks it, the more the
    longer the prompt.

    Use a sum where a mean was taken.

    What does a mixture of equal values come out as?
    """
    return weights @ v / v.shape[-2]


@shows_when(several_heads)
def each_head_mixed_the_one_before(weights: Array, v: Array, n_heads: int) -> Array:
    """Mixed the output of the head before instead of the head's own values.

    Blocks are chained, heads are not: all heads of a layer read the same input side by side, each through its
    own projections.

    Look in the loop over heads for a variable that carries over from one turn to the next.

    Does the output of head 1 change when only the projections of head 0 do?
    """
    outputs = [weights[..., 0, :, :] @ v[..., 0, :, :]]
    for head in range(1, n_heads):
        outputs.append(weights[..., head, :, :] @ outputs[-1])
    return np.stack(outputs, axis=-3)


@shows_when(several_heads)
def first_heads_weights_for_all(weights: Array, v: Array, n_heads: int) -> Array:
    """Used the first head's weights in every head.

    Every head has a pattern of its own. With the first one for all, the others only differ by their values.

    Keep the head axis of the weights in the product, or check the index in the loop.

    Which head's weights does head 1 use?
    """
    return np.repeat(weights[..., :1, :, :], n_heads, axis=-3) @ v


@shows_when(fractional("heads"))
def kept_as_whole_numbers(weights: Array, v: Array) -> Array:
    """Stored the mixture in an array of whole numbers.

    np.zeros_like of whole numbers, or dtype int, makes an array that drops the fraction of everything written
    into it.

    Give the array a floating point type.

    What is the dtype of the array that the mixture is written into?
    """
    return np.trunc(weights @ v)


@shows_when(batched)
def first_prompt_mixed_for_all(weights: Array, v: Array) -> Array:
    """Repeated the mixture of the first prompt for the whole batch.

    Every prompt has weights and values of its own. A fixed index 0 on the batch axis passes each check that
    holds a single prompt.

    Look for an index on the first axis.

    What comes out for the second prompt when it differs from the first?
    """
    full: Any = weights @ v
    return np.broadcast_to(full[:1], full.shape).copy() if full.ndim > 2 else full


@shows_when(batched)
def values_of_the_first_prompt(weights: Array, v: Array) -> Array:
    """Mixed the first prompt's values in every prompt.

    Batching computes prompts together without joining them. The weights of a prompt mix the values of that
    prompt.

    Look for an index on the batch axis of v.

    Does the output of the second prompt change when its own values do?
    """
    return weights @ (np.broadcast_to(v[:1], v.shape) if v.ndim > 2 else v)
