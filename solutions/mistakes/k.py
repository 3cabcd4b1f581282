"""Wrong keys."""

from headwork.conditions import with_context
from headwork.mistakes import shows_when
from headwork.model import Array


def _through(x: Array, w: Array) -> Array:
    # A stack of projections has one matrix per head.
    return x[..., None, :, :] @ w if w.ndim > 2 else x @ w


def projected_with_w_q(x: Array, w_q: Array) -> Array:
    """Projected the keys with w_q.

    With the same projection for queries and keys every position scores itself by its own squared length, and
    what a position offers is tied to what it asks for.

    Check which matrix the line for k multiplies by.

    Which of the three projections makes the keys?
    """
    return _through(x, w_q)


def projected_with_w_v(x: Array, w_v: Array) -> Array:
    """Projected the keys with w_v.

    Keys are compared with queries, values are handed over. A key made by w_v mixes up how a position is found
    with what it says.

    Check which matrix the line for k multiplies by.

    Which of the three projections makes the keys?
    """
    return _through(x, w_v)


def input_used_as_keys(x: Array) -> Array:
    """Used the input itself as the keys.

    Without w_k a position cannot offer anything but its raw features, and these are d_model wide, while a query
    is as wide as a head.

    The last axis of k tells: it is d_model instead of the width of a head.

    Where does w_k enter the computation?
    """
    return x


@shows_when(with_context)
def taken_from_the_asking_sequence(x_: Array, w_k: Array) -> Array:
    """Took the keys from the sequence that asks.

    In cross attention the queries come from one sequence and the keys from the other one, which is being read.
    Keys from the asking sequence turn it into self attention, with T_q keys instead of T_k.

    Count the rows of k: there must be one for every position of the context.

    Which of the two sequences is being read?
    """
    return _through(x_, w_k)
