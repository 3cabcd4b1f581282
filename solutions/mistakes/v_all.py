"""Wrong rows in the cache of values."""

import numpy as np
from headwork.model import Array


def new_keys_stored(cache: Array, k_new_: Array) -> Array:
    """Stored the new keys among the values.

    The two caches have the same shape and different content: one is compared with queries, the other one mixed.

    Check what is appended to the values.

    Which cache does the mixture read?
    """
    return np.concatenate([cache, k_new_], axis=-2)


def key_cache_used(k_cache_: Array, new: Array) -> Array:
    """Read the cached keys as values.

    A variable used for both caches, or a swapped pair, mixes keys of the past with values of the present.

    Check which cache the new values are appended to.

    What does the second element of the cache hold?
    """
    return np.concatenate([k_cache_, new], axis=-2)
