"""The scores over the root of the width, written in other ways."""

import math

import numpy as np
from headwork.model import Array


def multiplied_by_a_power(scores: Array, d_head: int) -> Array:
    """Multiplies by d_head to the power of minus a half."""
    return scores * float(d_head) ** -0.5


def in_float32(scores: Array, d_head: int) -> Array:
    """Works in float32."""
    return np.asarray(scores, np.float32) / np.float32(math.sqrt(d_head))


def twice_by_the_fourth_root(scores: Array, d_head: int) -> Array:
    """Divides twice, each time by the fourth root."""
    root = np.sqrt(np.sqrt(d_head))
    return scores / root / root
