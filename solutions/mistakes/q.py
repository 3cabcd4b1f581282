"""Wrong queries."""

from headwork.model import Array


def _through(x: Array, w: Array) -> Array:
    # A stack of projections has one matrix per head.
    return x[..., None, :, :] @ w if w.ndim > 2 else x @ w


def projected_with_w_k(x: Array, w_k: Array) -> Array:
    """Projected the queries with w_k.

    A query says what a position looks for and a key what it offers; the two come from different matrices. With
    one matrix for both, the scores become symmetric in what is asked and what is offered.

    Check which matrix the line for q multiplies by.

    Which of the three projections makes the queries?
    """
    return _through(x, w_k)


def projected_with_w_v(x: Array, w_v: Array) -> Array:
    """Projected the queries with w_v.

    w_v makes the content that is handed over, w_q the question that is asked. A query made of the content has
    the right shape and asks for something else.

    Check which matrix the line for q multiplies by.

    Which of the three projections makes the queries?
    """
    return _through(x, w_v)


def input_used_as_queries(x: Array) -> Array:
    """Used the input itself as the queries.

    Without w_q nothing can be learnt about what to look for, and the features stay d_model wide although a head
    compares d_head of them.

    The last axis of q tells: it is d_model instead of the width of a head.

    Where does w_q enter the computation?
    """
    return x
