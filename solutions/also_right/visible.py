"""The mask, written in other ways."""

import numpy as np
from headwork.model import Array


def by_comparison(T: int, causal: bool) -> Array:
    """Compares positions."""
    positions = np.arange(T)
    return (positions[None, :] <= positions[:, None]) | (not causal)


def as_numbers(T: int, causal: bool) -> Array:
    """Gives 1 and 0 back."""
    return np.tril(np.ones((T, T))) if causal else np.ones((T, T))
