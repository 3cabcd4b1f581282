"""The operations of decoding with a cache once more, in exact numbers: a second opinion

Values are nested lists with any leading axes, as in ``exact``.
"""

from typing import Any

Nested = list[Any]


def appended(cache: Nested, new: Nested) -> Nested:
    """Rows of the cache first, new rows after them, prompt by prompt."""
    if isinstance(cache[0][0], list):
        return [appended(old, fresh) for old, fresh in zip(cache, new, strict=True)]
    return [*cache, *new]


def visible_from_cache(T_past: int, T_new: int) -> Nested:
    """New position t stands at T_past + t and reads everything up to there."""
    return [[s <= T_past + t for s in range(T_past + T_new)] for t in range(T_new)]
