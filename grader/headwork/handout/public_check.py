"""One check of ``test_public.py``, and the laws that checks are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

LOOSE = 2e-3
"""The tolerance for scores in the hundreds, where float32 has lost three digits."""

Tables = dict[str, dict[str, Any]]
"""The dictionaries of numbers in the file, by name, then by the value's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One test function: its name, what it claims, and its statements."""

    name: str
    claim: str
    body: tuple[str, ...]


def rows_are_shares(value: Any) -> bool:
    """True where every row is at least 0 and sums to 1."""
    array = np.asarray(value)
    if array.dtype == bool or array.ndim < 2:
        return False
    return bool((array >= 0).all() and abs(array.sum(axis=-1) - 1).max() < 1e-4)
