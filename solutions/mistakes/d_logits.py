"""Wrong ways back through the softmax."""

from headwork.model import Array


def diagonal_only(weights: Array, d_weights: Array) -> Array:
    """Used only the diagonal of the softmax's Jacobian.

    p(1 - p) is what a logit does to its own weight. It also takes weight from all the others of its row, by
    -p_i p_j, and that part is missing.

    Subtract the row's weighted mean before multiplying by the weights.

    What happens to the other weights of a row when one logit grows?
    """
    return weights * (1.0 - weights) * d_weights


def mean_of_the_row_left_out(weights: Array, d_weights: Array) -> Array:
    """Left out the row's weighted mean.

    A row of weights sums to 1, so a gradient that is the same for the whole row must vanish: the logits cannot
    change the sum.

    Subtract the sum of weights times d_weights along the row.

    What is the sum of a row of d_logits?
    """
    return weights * d_weights


def summed_over_the_readers(weights: Array, d_weights: Array) -> Array:
    """Summed down the columns instead of along the rows.

    The softmax ties together the cells of one row. Cells of one column belong to different positions and do not
    influence each other.

    Sum over the last axis.

    Which cells change when one logit does?
    """
    return weights * (d_weights - (weights * d_weights).sum(axis=-2, keepdims=True))


def softmax_skipped(d_weights: Array) -> Array:
    """Passed the gradient through the softmax unchanged.

    Between weights and logits lies the softmax, and its Jacobian is not the identity.

    Multiply by the weights, after subtracting the row's weighted mean.

    What is the derivative of a weight with respect to its logit?
    """
    return d_weights


def plain_sum_subtracted(weights: Array, d_weights: Array) -> Array:
    """Subtracted the plain sum of the row instead of the weighted one.

    Each entry of the row counts in proportion to its weight. The plain sum also counts hidden positions.

    Multiply by the weights inside the sum.

    How much does a position of weight 0 contribute to the mean?
    """
    return weights * (d_weights - d_weights.sum(axis=-1, keepdims=True))


def plain_mean_subtracted(weights: Array, d_weights: Array) -> Array:
    """Subtracted the plain mean of the row instead of the weighted one.

    The mean to subtract is weighted by the attention: a position of weight 0 does not count.

    Replace the mean by the sum of weights times d_weights.

    How much does a position of weight 0 contribute to the mean?
    """
    return weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))


def mean_added(weights: Array, d_weights: Array) -> Array:
    """Added the row's weighted mean instead of subtracting it.

    A row of d_logits sums to 0. With the wrong sign it sums to twice the mean.

    Check the sign.

    What is the sum of a row of d_logits?
    """
    return weights * (d_weights + (weights * d_weights).sum(axis=-1, keepdims=True))


def weights_not_multiplied(weights: Array, d_weights: Array) -> Array:
    """Subtracted the row's mean and did not multiply by the weights.

    A logit acts in proportion to its weight: a hidden one not at all.

    Multiply the difference by the weights.

    What is the gradient of a hidden logit?
    """
    return d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)


def summed_over_everything(weights: Array, d_weights: Array) -> Array:
    """Subtracted one sum over the whole array.

    Each row of weights is a softmax of its own, with a mean of its own.

    Sum along the last axis and keep it.

    How many softmaxes are there in one (T, T) matrix?
    """
    return weights * (d_weights - (weights * d_weights).sum())
