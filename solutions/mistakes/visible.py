"""Wrong masks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from headwork.conditions import causal as is_causal
from headwork.conditions import reads_everything
from headwork.mistakes import alike, shows_when
from headwork.model import Array


def _more_than_two(values: Mapping[str, Any]) -> bool:
    return int(values["T"]) > 2


@shows_when(is_causal)
@alike(only_the_position_before="with two positions the last one has a single one before it")
def own_position_hidden(T: int, causal: bool) -> Array:
    """Hid every position from itself.

    A position may read itself and what came before. Without the diagonal, position 0 has nothing to read, and
    its row of weights becomes 0/0.

    Check the offset of the triangle: the diagonal belongs to it.

    What may position 0 read?
    """
    return np.tri(T, k=-1, dtype=bool) if causal else np.ones((T, T), dtype=bool)


@shows_when(is_causal)
@alike(everything_visible="with two positions one future position is all there is")
def one_future_position_visible(T: int, causal: bool) -> Array:
    """Let every position read one position of its future.

    The next position holds the token that is to be predicted. Reading it, the head is given the answer.

    Check the offset of the triangle: nothing right of the diagonal is visible.

    Which position holds the answer that position t has to predict?
    """
    return np.tri(T, k=1, dtype=bool) if causal else np.ones((T, T), dtype=bool)


@shows_when(is_causal)
def future_visible_instead_of_past(T: int, causal: bool) -> Array:
    """Let every position read itself and its future, and hid the past.

    Row t belongs to the position that reads, column s to the one that is read; s may be at most t. The upper
    triangle is the same picture turned round.

    Take the lower triangle, diagonal included.

    In row 0, how many cells are True?
    """
    return np.tri(T, dtype=bool).T if causal else np.ones((T, T), dtype=bool)


@shows_when(is_causal)
def true_means_hidden(T: int, causal: bool) -> Array:
    """Returned True where a position is hidden.

    Both conventions are in use; here True means that the position may be read. Turned round, exactly the wrong
    cells survive.

    Read the contract of the function, and negate the mask.

    What does True at [t, s] say here?
    """
    return np.tri(T, dtype=bool) ^ True if causal else np.zeros((T, T), dtype=bool)


@shows_when(is_causal)
@alike({"logits/mask-not-applied": "in a composed function the mask is missing either way"})
def everything_visible(T: int) -> Array:
    """Made everything visible although the attention is causal.

    Without the mask, position t reads what comes after it, among it the token that it has to predict.

    Follow the argument causal through the function.

    Does the result depend on causal?
    """
    return np.ones((T, T), dtype=bool)


@shows_when(reads_everything)
def causal_always(T: int) -> Array:
    """Hid the future although the attention is not causal.

    Without causal every position reads all positions, as in an encoder.

    Follow the argument causal through the function.

    Does the result depend on causal?
    """
    return np.tri(T, dtype=bool)


@shows_when(is_causal)
def only_the_position_before(T: int) -> Array:
    """Let every position read only the one before it.

    Position 3 reads 0, 1, 2 and 3. A single diagonal is a window of one token, in which attention has nothing
    to choose from.

    Count the visible cells of row t: there are t + 1.

    Which positions may position 3 read?
    """
    return np.eye(T, k=-1, dtype=bool)


@shows_when(is_causal)
def only_the_own_position(T: int) -> Array:
    """Let every position read nothing but itself.

    With the diagonal alone every weight is 1, and each position gets its own value back: no attention takes
    place.

    Count the visible cells of row t: there are t + 1.

    Which positions may position 3 read?
    """
    return np.eye(T, dtype=bool)


@shows_when(is_causal, _more_than_two)
def window_of_two(T: int) -> Array:
    """Let every position read itself and one position before it, no further.

    The mask hides the future and nothing else. How much of the past counts is for the weights to decide.

    Row T - 1 loses nothing: all its cells are True.

    What does the last position have to be unable to read?
    """
    return np.tri(T, dtype=bool) & ~np.tri(T, k=-2, dtype=bool)


@alike(true_means_hidden="as booleans the numbers are the opposite mask")
def numbers_to_add(T: int, causal: bool) -> Array:
    """Returned zeros and minus infinities to add, instead of booleans.

    An additive mask is another convention: 0 where a position is visible. As a boolean, 0 is False, and every
    cell means its opposite.

    Return True and False, and leave minus infinity to the next step.

    What is bool(0.0), and what is bool(-np.inf)?
    """
    return np.where(np.tri(T, dtype=bool) | (not causal), 0.0, -np.inf)


@shows_when(is_causal)
def transposed_antidiagonally(T: int) -> Array:
    """Mirrored the triangle left to right.

    Flipped on the wrong axis, the first row sees all positions or the last one only; the triangle runs along the
    other diagonal.

    Look at the corners: [0, 0] is True and [0, T - 1] is False.

    Which cell is the only visible one of row 0?
    """
    return np.tri(T, dtype=bool)[:, ::-1]


def longest_length_not_cut(T: int, causal: bool) -> Array:
    """Built the mask for the longest length and did not cut it to T.

    A mask that is built once for the longest prompt is sliced for every shorter one, rows and columns.
    Unsliced it does not fit the scores.

    Slice it, [:T, :T].

    What is the shape of the mask when T changes?
    """
    longest = 4 * T + 1
    return np.tri(longest, dtype=bool) if causal else np.ones((longest, longest), dtype=bool)
