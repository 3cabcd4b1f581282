"""Wrong values."""

from headwork.conditions import with_context
from headwork.mistakes import shows_when
from headwork.model import Array


def _through(x: Array, w: Array) -> Array:
    # A stack of projections has one matrix per head.
    return x[..., None, :, :] @ w if w.ndim > 2 else x @ w


def projected_with_w_k(x: Array, w_k: Array) -> Array:
    """Projected the values with w_k.

    Keys decide how much a position is read, values what is read from it. With w_k for both, the output is a
    mixture of keys.

    Check which matrix the line for v multiplies by.

    Which of the three projections makes the content that is mixed?
    """
    return _through(x, w_k)


def projected_with_w_q(x: Array, w_q: Array) -> Array:
    """Projected the values with w_q.

    The values are the content that is handed over; w_q makes the questions. The shapes agree, so nothing but
    the numbers gives it away.

    Check which matrix the line for v multiplies by.

    Which of the three projections makes the content that is mixed?
    """
    return _through(x, w_q)


def input_used_as_values(x: Array) -> Array:
    """Used the input itself as the values.

    The head then mixes raw features, d_model of them, and w_v has no influence on the output at all.

    The last axis of v tells: it is d_model instead of the width of a head.

    Where does w_v enter the computation?
    """
    return x


@shows_when(with_context)
def taken_from_the_asking_sequence(x_: Array, w_v: Array) -> Array:
    """Took the values from the sequence that asks.

    In cross attention the content comes from the sequence that is read. The weights have one column for each of
    its T_k positions, and values of the asking sequence have T_q rows.

    Count the rows of v: there must be one for every position of the context.

    Which of the two sequences holds the content?
    """
    return _through(x_, w_v)
