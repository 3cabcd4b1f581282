"""Wrong shares of the visible prefix."""

from typing import Any

import numpy as np
from headwork.conditions import something_hidden
from headwork.mistakes import shows_when
from headwork.model import Array


@shows_when(something_hidden)
def shared_among_all_positions(visible: Array) -> Array:
    """Shared every row among all positions.

    Position t then also reads what comes after it, which it is to predict.

    Count the positions that row t may read, and give nothing to the others.

    How many words has the first position read?
    """
    return np.full(visible.shape, 1 / visible.shape[-1])


@shows_when(something_hidden)
def divided_by_the_length(visible: Array) -> Array:
    """Divided by the number of positions instead of the number of visible ones.

    Early rows then sum to less than 1, and their averages come out too small.

    Add up the first row: it reads one position and should sum to 1.

    What does the row of the first position sum to?
    """
    return visible / visible.shape[-1]


def shares_not_divided(visible: Array) -> Array:
    """Gave every visible position a full share.

    The rows then are sums of what was read, which grow with the position, and no averages.

    Divide every row by how many positions it reads.

    What does the last row sum to?
    """
    return np.asarray(visible, dtype=np.float64)


@shows_when(something_hidden)
def divided_down_the_columns(visible: Array) -> Array:
    """Divided by the sums of the columns.

    Row t belongs to the position that reads. A column counts who reads position s, which is another question.

    Sum over the last axis, and keep it (keepdims) so that each row is divided by its own sum.

    Over which axis does a row run?
    """
    return visible / visible.sum(axis=0, keepdims=True)


def all_on_the_own_position(visible: Array) -> Array:
    """Gave everything to the position itself.

    Then nothing of the prefix is read, and the averages are the inputs.

    Every visible position gets the same share, the earlier ones too.

    What does the last position know of the first word?
    """
    return np.eye(visible.shape[-1])


def _longer(values: Any) -> bool:
    return something_hidden(values) and int(values["T"]) > 2


@shows_when(_longer)
def window_of_two(visible: Array) -> Array:
    """Read the position itself and the one before it, and nothing earlier.

    The prefix of position t holds positions 0 to t. A window forgets what is further back.

    Row t has t + 1 visible positions, each with the same share.

    From which position on does the first word no longer count?
    """
    T = visible.shape[-1]
    seen = visible & ~np.tri(T, k=-2, dtype=bool)
    return seen / seen.sum(axis=-1, keepdims=True)
