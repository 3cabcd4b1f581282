"""Filling the gaps that importing leaves in the heap.

What a child allocates would go into these gaps, and every page with a gap is shared with the zygote, so that
writing to it copies it. With the gaps full, new objects lie together on pages that nobody shares.
"""

from __future__ import annotations

import ctypes

_SMALL = range(48, 513, 16)
"""Sizes that CPython takes from pools of its own, each for one size. What is larger comes from the C library."""
_POOL = 1 << 14
_LARGE = (1 << 16, 1 << 15, 1 << 14, 1 << 13, 1 << 12, *range(1 << 11, 1 << 10, -128), *range(1 << 10, 0, -16))
_BEYOND = 100_000
"""Larger than any gap, so that it is put at the end; still small enough not to get a mapping of its own."""
_MOST = 1 << 18
"""So many bytes of one size at most, where an allocator works in another way than is thought here."""


def fill() -> list[bytes]:
    """Fill the gaps. Those of small objects stay full as long as somebody holds what is returned."""
    fillers: list[bytes] = []
    for size in _SMALL:
        row, last = 0, 0
        for _ in range(_MOST // size):
            fillers.append(bytes(size - bytes.__basicsize__))
            row, last = (row + 1 if id(fillers[-1]) == last + size else 0), id(fillers[-1])
            if row > _POOL // size - 4:  # a pool that was empty: there are no more gaps of this size
                break
    allocate = ctypes.pythonapi.PyMem_RawMalloc
    allocate.argtypes, allocate.restype = [ctypes.c_size_t], ctypes.c_void_p
    end = allocate(_BEYOND)
    for size in _LARGE:
        for _ in range(_MOST // size):
            if allocate(size) > end:
                break
    return fillers
