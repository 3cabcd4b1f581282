"""Decoding with a cache of keys and values

Keys and values of the positions that have been read do not change when the text grows. The prompt
``x_past`` is read once (prefill) and its keys and values are kept; new positions ``x`` then ask with their
own queries, and only their own keys and values are computed and appended.
"""

from typing import Annotated

import numpy as np
from headwork.model import Array
from headwork.stages import stage

from . import attention

LEADING = "B"

k_cache = stage(attention.project, x="x_past", w="w_k", axes="B T_past d_head")
v_cache = stage(attention.project, x="x_past", w="w_v", axes="B T_past d_head")
q = stage(attention.project, w="w_q", axes="B T_new d_head")
k_new = stage(attention.project, w="w_k", axes="B T_new d_head")
v_new = stage(attention.project, w="w_v", axes="B T_new d_head")


def appended(
    cache: Annotated[Array, "... T_past d_head"], new: Annotated[Array, "... T_new d_head"]
) -> Annotated[Array, "... T_past+T_new d_head"]:
    """The rows of the cache, then the new rows."""
    return np.concatenate([cache, new], axis=-2)


k_all = stage(appended, cache="k_cache", new="k_new")
v_all = stage(appended, cache="v_cache", new="v_new")


def visible_from_cache(T_past: int, T_new: int) -> Annotated[Array, "T_new T_past+T_new"]:
    """Booleans: True at [t, s] where new position t may read position s of the whole text.

    New position t is position T_past + t of the text. It reads the cache, itself, and the new positions before it.
    """
    # The lower triangle moves right by as many columns as there are cached positions.
    return np.tri(T_new, T_past + T_new, k=T_past, dtype=bool)


visible = stage(visible_from_cache)
scores = stage(attention.scores, k="k_all", axes="B T_new T_past+T_new")
scaled = stage(attention.scaled, axes="B T_new T_past+T_new")
logits = stage(attention.logits, axes="B T_new T_past+T_new")
weights = stage(attention.weights, axes="B T_new T_past+T_new")
heads = stage(attention.heads, v="v_all", axes="B T_new d_head")

AXES = {
    "x": "B T_new d_model",
    "x_past": "B T_past d_model",
    "w_q": "d_model d_head",
    "w_k": "d_model d_head",
    "w_v": "d_model d_head",
}
