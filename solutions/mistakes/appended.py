"""Wrong caches of keys and values."""

import numpy as np
from headwork.conditions import batched
from headwork.mistakes import alike, shows_when
from headwork.model import Array


def only_the_new_rows_kept(new: Array) -> Array:
    """Replaced the cache by the new rows.

    The cache stands for everything that was read before. With only the newest rows in it, the text before them
    is forgotten.

    Put the new rows behind the old ones.

    How many rows does the cache have after a step?
    """
    return new


def new_rows_not_kept(cache: Array) -> Array:
    """Left the new rows out of the cache.

    A new position reads itself too, and the next one reads it. An append returns a new array, which has to be
    kept.

    Check that the longer array is the one that is returned.

    Is the newest position among those that can be read?
    """
    return cache


def new_rows_in_front(cache: Array, new: Array) -> Array:
    """Put the new rows in front of the cache.

    Row s belongs to position s of the text, and the mask counts on it. New rows come last.

    Swap the two in the concatenation.

    Which position of the text is row 0?
    """
    return np.concatenate([new, cache], axis=-2)


@alike(only_the_new_rows_kept="as many new rows as cached ones push all of these out")
def last_rows_overwritten(cache: Array, new: Array) -> Array:
    """Wrote the new rows over the last rows of the cache.

    A buffer of fixed length keeps the newest rows by dropping others. Here the cache grows with the text.

    Append after the last row that is filled.

    How many rows does the result have?
    """
    kept = max(cache.shape[-2] - new.shape[-2], 0)
    return np.concatenate([cache[..., :kept, :], new], axis=-2)


def oldest_rows_dropped(cache: Array, new: Array) -> Array:
    """Dropped the oldest rows to keep the length.

    A sliding window forgets the beginning of the text; nothing asks for one here.

    Keep all rows of the cache.

    Is position 0 still in the cache?
    """
    together = np.concatenate([cache, new], axis=-2)
    return together[..., -cache.shape[-2] :, :]


def rest_of_the_buffer_kept(cache: Array, new: Array) -> Array:
    """Returned the whole buffer, with its unused rows of zeros.

    A row of zeros gives every query the score 0, which takes weight like any other position.

    Cut the buffer to the rows that are filled.

    How many positions has the text?
    """
    together = np.concatenate([cache, new], axis=-2)
    return np.concatenate([together, np.zeros_like(new)], axis=-2)


def new_rows_twice(cache: Array, new: Array) -> Array:
    """Appended the new rows twice.

    A cache that is filled by the step and once more by its caller holds every new position twice, and the
    softmax counts it double.

    Append in one place.

    How many rows does the cache grow by in one step?
    """
    return np.concatenate([cache, new, new], axis=-2)


@shows_when(batched)
def cache_of_the_first_prompt(cache: Array, new: Array) -> Array:
    """Gave every prompt the cache of the first one.

    Prompts are decoded side by side, each with the text that it has read itself.

    Look for an index on the batch axis of the cache.

    Whose text does the second prompt read?
    """
    return np.concatenate([np.broadcast_to(cache[:1], cache.shape), new], axis=-2)
