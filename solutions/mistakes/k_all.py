"""Wrong rows in the cache of keys."""

import numpy as np
from headwork.model import Array


def new_queries_stored(cache: Array, q_: Array) -> Array:
    """Stored the new queries among the keys.

    Queries are used once, by their own position. What later positions compare themselves with are the keys.

    Check what is appended to the keys.

    Which two projections are kept for later positions?
    """
    return np.concatenate([cache, q_], axis=-2)


def new_values_stored(cache: Array, v_new_: Array) -> Array:
    """Stored the new values among the keys.

    The two caches have the same shape and different content: one is compared with queries, the other one mixed.

    Check what is appended to the keys.

    Which cache do the scores read?
    """
    return np.concatenate([cache, v_new_], axis=-2)
