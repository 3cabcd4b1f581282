"""Typed letters: "b", "(B)", "b." for one option; "a c", "A, C", "ac", "none" for several."""

from __future__ import annotations

import re

from headwork.answers.asking.scene import LETTERS

_ONE = re.compile(r"[(\[]?\s*([A-Za-z])\s*[)\].:]?")
_NOTHING = frozenset(("none", "nothing", "no", "-", "{}", "∅"))
_SPLIT = re.compile(r"[\s,;()\[\].:>]+|\band\b|→|->")


def one_letter(typed: str, count: int) -> int | None:
    """Which of ``count`` options a bare letter names; None where the text is no such letter."""
    found = _ONE.fullmatch(typed.strip())
    if not found:
        return None
    at = LETTERS.index(found[1].lower())
    return at if at < count else None


def several_letters(typed: str, count: int) -> tuple[int, ...] | None:
    """The options named, in the order typed; None where something else stands there or one stands twice."""
    text = typed.strip().lower()
    if text.rstrip(".") in _NOTHING:
        return ()
    letters = [letter for piece in _SPLIT.split(text) for letter in piece]
    found = [LETTERS.find(letter) for letter in letters]
    if not found or any(not 0 <= at < count for at in found) or len(set(found)) < len(found):
        return None
    return tuple(found)


def first_letters(count: int) -> str:
    """ "a to d" in a message."""
    return "a" if count == 1 else f"a to {LETTERS[count - 1]}"
