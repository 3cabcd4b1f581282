"""Wrong splits into heads."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from headwork.conditions import batched
from headwork.mistakes import shows_when
from headwork.model import Array


def _not_two(values: Mapping[str, Any]) -> bool:
    return int(values.get("n_heads", 2)) != 2


def reshaped_without_the_swap(packed: Array, n_heads: int) -> Array:
    """Reshaped straight to (B, n_heads, T, d_head).

    A reshape keeps the reading order of the numbers. The positions come before the features there, so each head
    gets a run of positions with features of all heads instead of all positions with its own features.

    Split the feature axis first, then swap the head axis with the positions.

    Does head 0 hold one row for every position?
    """
    return packed.reshape(*packed.shape[:-2], n_heads, packed.shape[-2], packed.shape[-1] // n_heads)


def swap_left_out(packed: Array, n_heads: int) -> Array:
    """Split the features and left the head axis behind the positions.

    The products that follow run over the last two axes, which have to be (T, d_head). With (n_heads, d_head)
    there, heads are compared with heads at each position.

    Swap the axes of positions and heads after the reshape.

    Which two axes will the matrix product of queries and keys run over?
    """
    return packed.reshape(*packed.shape[:-1], n_heads, packed.shape[-1] // n_heads)


def features_dealt_out_in_turn(packed: Array, n_heads: int) -> Array:
    """Dealt the features out to the heads in turn.

    Head h owns a block of d_head neighbouring columns of the projection. Dealt out one by one, head h gets
    columns h, h + n_heads, and so on, and w_o finds them in other places.

    Make the head index the slow part of the feature axis: (n_heads, d_head), not (d_head, n_heads).

    Which features of the packed array belong to head 0?
    """
    return np.moveaxis(packed.reshape(*packed.shape[:-1], -1, n_heads), -1, -3)


def first_block_for_every_head(packed: Array, n_heads: int) -> Array:
    """Gave every head the first block of features.

    Heads differ by their blocks. With the same block for all they compute the same thing n_heads times.

    Let the slice move with the head: from h * d_head to (h + 1) * d_head.

    What makes two heads differ from each other?
    """
    first = packed[..., : packed.shape[-1] // n_heads]
    return np.repeat(np.expand_dims(first, -3), n_heads, axis=-3)


def last_block_for_every_head(packed: Array, n_heads: int) -> Array:
    """Overwrote the block in the loop, so that the last one stands for every head.

    A loop that assigns the same array in each turn keeps its last turn only.

    Write into the slot of head h, or collect the blocks in a list and stack them.

    After the loop, which turn does the content of slot 0 come from?
    """
    last = packed[..., -(packed.shape[-1] // n_heads) :]
    return np.repeat(np.expand_dims(last, -3), n_heads, axis=-3)


def one_head_of_full_width(packed: Array) -> Array:
    """Kept one head of full width.

    The number of heads had no effect: all features are compared in one score, and there is one pattern instead
    of n_heads.

    Use n_heads in the reshape.

    How many score matrices come out for one prompt?
    """
    return np.expand_dims(packed, -3)


def heads_in_reverse(packed: Array, n_heads: int) -> Array:
    """Put the heads in reverse order.

    Each head works as before, but w_o's first block of rows belongs to the first head. Reversed once, every head
    meets the rows of another.

    Check the order of the slices, or an axis with step -1.

    Which features does head 0 get?
    """
    width = packed.shape[-1] // n_heads
    return np.swapaxes(packed.reshape(*packed.shape[:-1], n_heads, width), -2, -3)[..., ::-1, :, :]


def features_before_positions(packed: Array, n_heads: int) -> Array:
    """Swapped the features with the positions too.

    Inside a head the rows are positions and the columns features. The other way round, features would be
    compared with features.

    Swap only the head axis and the positions.

    What is the shape of one head?
    """
    return np.moveaxis(packed.reshape(*packed.shape[:-1], n_heads, -1), -3, -1)


def head_axis_before_the_batch(packed: Array, n_heads: int) -> Array:
    """Put the head axis in front of the batch.

    A list of heads, stacked, has the heads first. The other functions count on (B, n_heads, T, d_head) and
    would take heads for prompts.

    Stack along axis 1, or move the axis.

    What is axis 0 of the result?
    """
    return np.stack(np.split(packed, n_heads, axis=-1), axis=0)


@shows_when(_not_two)
def always_two_heads(packed: Array) -> Array:
    """Split into two heads whatever n_heads says.

    A number that fits the example in front of one does not fit the next. n_heads is an argument.

    Look for a literal 2 in the reshape.

    What comes out for n_heads = 3?
    """
    width = packed.shape[-1] // 2
    return np.swapaxes(packed[..., : 2 * width].reshape(*packed.shape[:-1], 2, width), -2, -3)


def n_heads_taken_for_the_width(packed: Array, n_heads: int) -> Array:
    """Took n_heads for the width of a head.

    The feature axis splits into n_heads blocks of d_head features. Exchanged, there are d_head heads of n_heads
    features.

    Check the order of the two sizes in the reshape.

    How many heads does the result have?
    """
    return np.swapaxes(packed.reshape(*packed.shape[:-1], -1, n_heads), -2, -3)


@shows_when(batched)
def first_prompt_split_for_all(packed: Array, n_heads: int) -> Array:
    """Repeated the split of the first prompt for the whole batch.

    Every prompt has its own features. A fixed index 0 on the batch axis passes each check that holds a single
    prompt.

    Look for an index on the batch axis.

    What comes out for the second prompt when it differs from the first?
    """
    width = packed.shape[-1] // n_heads
    full = np.swapaxes(packed.reshape(*packed.shape[:-1], n_heads, width), -2, -3)
    return np.broadcast_to(full[:1], full.shape).copy()
