"""JSON that others wrote, read with care: size and nesting first, and no value trusted to be of its kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

MOST_BRACKETS = 1_000_000
"""Lists and objects in one file. More would be hundreds of megabytes once parsed."""


def parsed(text: str, *, deepest: int | None = None) -> object:
    """The value of a JSON text.

    Raises ``ValueError``, with a sentence fit for a message, for whatever is wrong with it.
    """
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise ValueError("too many lists and objects for a file of this kind")
    if deepest is not None and nesting(text) > deepest:
        raise ValueError(f"nested more than {deepest} deep")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"broken JSON at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("nested too deep") from None
    except MemoryError:
        raise ValueError("too large to be read") from None
    except ValueError:
        raise ValueError("a number with too many digits") from None


def nesting(text: str) -> int:
    """How deep brackets stand in brackets, in strings or not: an upper bound for the depth of the value."""
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def mapping(value: object) -> Mapping[str, object]:
    """The value if it is an object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The value if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def word(value: object, *, longest: int = 200) -> str:
    """The value if it is text of at most ``longest`` characters, else an empty text."""
    return value if isinstance(value, str) and len(value) <= longest else ""
