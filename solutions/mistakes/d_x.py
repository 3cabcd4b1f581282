"""Wrong sums of the paths into x."""

from headwork.model import Array


def value_path_left_out(d_x_through_q: Array, d_x_through_k: Array) -> Array:
    """Left out the path through the values.

    x reaches the output twice: through the scores, and directly through the values. The direct path does not
    pass through the scores and is usually the larger one.

    Add the part that comes through w_v.

    Would x matter if all weights were constant?
    """
    return d_x_through_q + d_x_through_k


def key_path_left_out(d_x_through_q: Array, d_x_through_v: Array) -> Array:
    """Left out the path through the keys.

    Every position is also read by others: its key takes part in their scores.

    Add the part that comes through w_k.

    Does the score of another position change when this x does?
    """
    return d_x_through_q + d_x_through_v


def query_path_left_out(d_x_through_k: Array, d_x_through_v: Array) -> Array:
    """Left out the path through the queries.

    Every position asks with its own query, made of x.

    Add the part that comes through w_q.

    Do a position's own scores change when its x does?
    """
    return d_x_through_k + d_x_through_v


def scores_path_left_out(d_x_through_v: Array) -> Array:
    """Left out both paths through the scores.

    x decides what is mixed, through the values, and also how, through queries and keys.

    Add the parts that come through w_q and w_k.

    Are the weights constant when x changes?
    """
    return d_x_through_v


def paths_averaged(d_x_through_q: Array, d_x_through_k: Array, d_x_through_v: Array) -> Array:
    """Averaged the three paths instead of adding them.

    A change of x acts along all paths at once, and the effects add up.

    Use a sum.

    What is the derivative of f(x) + g(x)?
    """
    return (d_x_through_q + d_x_through_k + d_x_through_v) / 3.0


def input_gradient_from_the_future(d_x_through_q: Array, d_x_through_k: Array, d_x_through_v: Array) -> Array:
    """Mixed up the positions of the value path, first for last.

    Each of the three parts has one row per position of x, in the same order.

    Check for a reversed or shifted axis in one of the parts.

    Which row of the value part belongs to position 0?
    """
    return d_x_through_q + d_x_through_k + d_x_through_v[..., ::-1, :]
