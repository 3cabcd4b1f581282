"""Wrong masks beside a cache."""

import numpy as np
from headwork.mistakes import alike
from headwork.model import Array


def offset_left_out(T_past: int, T_new: int) -> Array:
    """Built the triangle without the offset of the cached positions.

    New position t is position T_past + t of the text. Without the offset it reads only the first t + 1 positions
    of the cache, and not itself.

    Shift the triangle by T_past columns.

    Which position of the text is the first new one?
    """
    return np.tri(T_new, T_past + T_new, dtype=bool)


@alike(new_positions_hidden="a single new position has no other one to read")
def offset_short_by_one(T_past: int, T_new: int) -> Array:
    """Shifted the triangle by one column too few.

    A new position then reads everything before itself, but not itself.

    Check the offset with one new position: its row is all True.

    May a new position read itself?
    """
    return np.tri(T_new, T_past + T_new, k=T_past - 1, dtype=bool)


def offset_long_by_one(T_past: int, T_new: int) -> Array:
    """Shifted the triangle by one column too many.

    Each new position but the last then reads one position of its future.

    Check the offset: the last True of row t is at T_past + t.

    Which is the last position that the first new one may read?
    """
    return np.tri(T_new, T_past + T_new, k=T_past + 1, dtype=bool)


@alike(offset_long_by_one="two new positions have only one future position between them")
def no_mask_among_the_new(T_past: int, T_new: int) -> Array:
    """Made all new positions visible to each other.

    One new position needs no mask. Several at once do: among themselves they stay causal.

    Compare with the last rows of the mask of the whole text.

    May the first new position read the second?
    """
    return np.ones((T_new, T_past + T_new), dtype=bool)


def cache_hidden(T_past: int, T_new: int) -> Array:
    """Hid the cache from the new positions.

    The cache is the past of every new position, and the past is visible.

    Compare with the last rows of the mask of the whole text.

    What does the first new position read besides itself?
    """
    return np.tri(T_new, T_past + T_new, k=T_past, dtype=bool) & (np.arange(T_past + T_new) >= T_past)


def new_positions_hidden(T_past: int, T_new: int) -> Array:
    """Let the new positions read the cache alone.

    A position reads itself and everything before it. The cache ends before the new positions.

    Compare with the last rows of the mask of the whole text.

    May a new position read itself?
    """
    return np.broadcast_to(np.arange(T_past + T_new) < T_past, (T_new, T_past + T_new))


def mask_of_the_whole_text(T_past: int, T_new: int) -> Array:
    """Returned the mask of the whole text, with rows for positions that ask nothing.

    Only the new positions have queries, so there are T_new rows.

    Keep the last T_new rows.

    How many queries are there in this step?
    """
    return np.tri(T_past + T_new, dtype=bool)


def mask_of_the_new_alone(T_new: int) -> Array:
    """Returned the mask of the new positions alone.

    The scores have a column for every position of the text, cached ones included.

    Put the columns of the cache in front, all True.

    How many columns do the scores have in this step?
    """
    return np.tri(T_new, dtype=bool)
