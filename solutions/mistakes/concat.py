"""Wrong merges of the heads."""

import numpy as np
from headwork.conditions import batched, several_heads
from headwork.mistakes import shows_when
from headwork.model import Array


def reshaped_without_the_swap(heads: Array) -> Array:
    """Reshaped straight to (B, T, n_heads * d_head).

    A reshape keeps the reading order, in which a head's positions come one after the other. Row 0 then holds
    several positions of head 0 instead of position 0 of every head.

    Swap the head axis with the positions first, then reshape.

    Which head's numbers stand in row 0 of the result?
    """
    return heads.reshape(*heads.shape[:-3], heads.shape[-2], -1)


def not_joined(heads: Array) -> Array:
    """Swapped the axes and did not join the heads.

    The output projection expects one feature axis of n_heads * d_head numbers per position.

    Reshape the last two axes into one.

    How many axes does the result have?
    """
    return np.swapaxes(heads, -2, -3)


@shows_when(several_heads)
def heads_in_reverse(heads: Array) -> Array:
    """Joined the heads in reverse order.

    Block h of w_o's rows belongs to head h. In another order every head is read through another's rows.

    Check the order in which the heads are joined.

    Which head's numbers come first in a row?
    """
    return np.swapaxes(heads[..., ::-1, :, :], -2, -3).reshape(*heads.shape[:-3], heads.shape[-2], -1)


@shows_when(several_heads)
def features_interleaved(heads: Array) -> Array:
    """Interleaved the features of the heads.

    The heads stand side by side as whole blocks: all features of head 0, then all of head 1. With the feature
    axis in front of the head axis they alternate.

    Order the axes as (B, T, n_heads, d_head) before the reshape.

    Which head does the second number of a row belong to?
    """
    return np.moveaxis(heads, -3, -1).reshape(*heads.shape[:-3], heads.shape[-2], -1)


def joined_along_the_positions(heads: Array) -> Array:
    """Joined the heads along the positions.

    The number of positions never changes; it is the features that are put side by side.

    Join along the last axis.

    How many positions does the result have?
    """
    return heads.reshape(*heads.shape[:-3], -1, heads.shape[-1])


def heads_averaged(heads: Array) -> Array:
    """Averaged the heads.

    An average throws away which head said what. Side by side all of it is kept, and w_o decides how to mix.

    Join along the last axis.

    How many features does one row have?
    """
    return heads.mean(axis=-3)


def heads_added(heads: Array) -> Array:
    """Added the heads up.

    A sum throws away which head said what. Side by side all of it is kept, and w_o decides how to mix.

    Join along the last axis.

    How many features does one row have?
    """
    return heads.sum(axis=-3)


@shows_when(several_heads)
def last_head_in_every_slot(heads: Array) -> Array:
    """Filled every block with the last head.

    A loop that overwrites its result, or appends the same array in each turn, keeps the last turn only.

    Collect one array per head.

    After the loop, which head does the first block come from?
    """
    return np.concatenate([heads[..., -1, :, :]] * heads.shape[-3], axis=-1)


@shows_when(several_heads)
def first_head_in_every_slot(heads: Array) -> Array:
    """Filled every block with the first head.

    Each block belongs to a head of its own. A fixed index 0 in the loop reads the first one over and over.

    Use the loop's variable as the index.

    Which head does the second block come from?
    """
    return np.concatenate([heads[..., 0, :, :]] * heads.shape[-3], axis=-1)


@shows_when(several_heads)
def one_head_kept(heads: Array) -> Array:
    """Kept a single head.

    A return inside the loop over heads ends it in the first turn; the others are lost.

    Return after the loop.

    How many features does one row have?
    """
    return heads[..., 0, :, :]


@shows_when(batched)
def first_prompt_joined_for_all(heads: Array) -> Array:
    """Repeated the heads of the first prompt for the whole batch.

    Every prompt has heads of its own. A fixed index 0 on the batch axis passes each check that holds a single
    prompt.

    Look for an index on the batch axis.

    What comes out for the second prompt when it differs from the first?
    """
    full = np.swapaxes(heads, -2, -3).reshape(*heads.shape[:-3], heads.shape[-2], -1)
    return np.broadcast_to(full[:1], full.shape).copy()
