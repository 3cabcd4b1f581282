"""The integer stream: SHAKE-256 of a seed, cut into 32-bit words.

The bits are the same on every Python and NumPy version, so a problem can be drawn again years later.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
_BLOCK = 4096


class Stream:
    """Uniform integers from a seed. Two streams of the same seed give the same numbers."""

    __slots__ = ("_at", "_block", "_seed", "_words")

    def __init__(self, seed: bytes) -> None:
        """Start at the beginning of ``seed``'s stream."""
        self._seed = seed
        self._block = 0
        self._at = 0
        self._words: NDArray[np.uint32] = np.empty(0, np.uint32)

    def child(self, label: str) -> Stream:
        """A stream of its own for ``label``; drawing from it leaves this one where it is."""
        return Stream(hashlib.sha256(self._seed + b"/" + label.encode()).digest())

    def _take(self, count: int) -> NDArray[np.uint32]:
        while len(self._words) - self._at < count:
            digest = hashlib.shake_256(self._seed + self._block.to_bytes(8, "little")).digest(_BLOCK)
            fresh = np.frombuffer(digest, "<u4").astype(np.uint32)
            self._words = np.concatenate([self._words[self._at :], fresh])
            self._at = 0
            self._block += 1
        taken = self._words[self._at : self._at + count]
        self._at += count
        return taken

    def integers(self, low: int, high: int, shape: int | Sequence[int] = ()) -> NDArray[np.int64]:
        """Integers from ``low`` to ``high``, both included, without modulo bias."""
        span = high - low + 1
        if not 1 <= span <= 1 << 32:
            raise ValueError(f"no integers from {low} to {high}")
        dims = (shape,) if isinstance(shape, int) else tuple(shape)
        count = math.prod(dims)
        limit = (1 << 32) - (1 << 32) % span
        words = self._take(count)
        while (bad := words >= limit).any():
            words = words.copy()
            words[bad] = self._take(int(bad.sum()))
        return (words.astype(np.int64) % span + low).reshape(dims)

    def integer(self, low: int, high: int) -> int:
        """One integer from ``low`` to ``high``, both included."""
        # The same words as integers() takes, without arrays around them: sizes and choices are single numbers.
        span = high - low + 1
        if not 1 <= span <= 1 << 32:
            raise ValueError(f"no integers from {low} to {high}")
        limit = (1 << 32) - (1 << 32) % span
        while (word := int(self._take(1)[0])) >= limit:
            pass
        return word % span + low

    def choice(self, options: Sequence[T]) -> T:
        """One of ``options``."""
        return options[self.integer(0, len(options) - 1)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All of ``options`` in a drawn order."""
        left = list(options)
        return [left.pop(self.integer(0, len(left) - 1)) for _ in range(len(left))]
