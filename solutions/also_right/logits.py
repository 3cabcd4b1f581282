"""The masked scores, written in other ways."""

import numpy as np
from headwork.model import Array


def assigned_in_a_copy(scaled: Array, visible: Array) -> Array:
    """Assigns into a copy."""
    masked = np.array(scaled, dtype=float)
    masked[..., ~np.asarray(visible, bool)] = -np.inf
    return masked


def infinity_added(scaled: Array, visible: Array) -> Array:
    """Adds minus infinity where nothing may be seen."""
    return scaled + np.where(visible, 0.0, -np.inf)
