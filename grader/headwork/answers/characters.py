"""The characters people type and paste: minus signs, full-width digits, superscripts, invisible spaces.

``plain`` rewrites them to the few that the grammar knows, and remembers where each came from.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache


class Refused(Exception):
    """Reading stops here: what is the matter, at which character, and what was read before it.

    It never leaves this room; readers turn it into an Invalid.
    """

    def __init__(self, message: str, at: int, so_far: str = "") -> None:
        """``at`` counts characters of the answer from 0."""
        super().__init__(message)
        self.message = message
        self.at = at
        self.so_far = so_far


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """Text in plain characters; ``origin[i]`` is where character i stood in the answer."""

    text: str
    origin: tuple[int, ...] | range

    def slice(self, start: int, end: int) -> Plain:
        """A part of it, which still knows where it came from."""
        return Plain(text=self.text[start:end], origin=self.origin[start:end])

    def at(self, index: int) -> int:
        """Where character ``index`` stood in the answer; the end counts as a character."""
        if index < len(self.origin):
            return self.origin[index]
        return self.origin[-1] + 1 if self.origin else 0


_ALIKE = {
    **dict.fromkeys("−–—‒‐‑﹣－➖", "-"),
    **dict.fromkeys("×·⋅∙•∗✕✖", "*"),
    **dict.fromkeys("÷⁄∕", "/"),
    **dict.fromkeys("，、", ","),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u2061\u2062\u2063", ""),
    **dict.fromkeys("\u2028\u2029\u0085\u000b\u000c", "\n"),
    "≈": "~",
    "⟨": "(",
    "⟩": ")",
    "√": "√",
    "∞": "∞",
    "π": "π",
    "…": "…",
}
_SUPERSCRIPT = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿˣᵏᵈⁱ", "0123456789+-()nxkdi", strict=True))
_SUBSCRIPT = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx", strict=True))


def named(character: str) -> str:
    """A character with its name, for a message."""
    if " " < character < "\x7f":
        return f'"{character}"'
    name = unicodedata.name(character, "")
    number = f"U+{ord(character):04X}"
    shown = f'"{character}" ' if character.isprintable() and not unicodedata.combining(character) else ""
    return f"{shown}({name.lower()}, {number})" if name else f"{shown}({number})"


@lru_cache(maxsize=4096)
def _one(character: str) -> str | None:
    """The plain form of one character, or None where it has none."""
    if character in _ALIKE:
        return _ALIKE[character]
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    folded = unicodedata.normalize("NFKC", character)
    if folded.isascii() and folded.isprintable() and len(folded) == 1:
        return folded
    if category == "No" and "⁄" in folded and character not in _SUPERSCRIPT:
        return f"({folded.replace('⁄', '/')})"
    if 0x370 <= ord(folded[0]) < 0x400 and len(folded) == 1 and folded.isalpha():
        return folded  # a Greek letter may be a declared symbol
    return None


def plain(answer: str) -> Plain:
    """Rewrite an answer in plain characters. Raises Refused, naming a character that has no plain form."""
    if answer.isascii():
        return Plain(text=answer, origin=range(len(answer)))
    text: list[str] = []
    origin: list[int] = []
    index = 0
    while index < len(answer):
        character = answer[index]
        run = index + 1
        if character in _SUPERSCRIPT:
            run = _run(answer, index, _SUPERSCRIPT)
            piece = f"^({''.join(_SUPERSCRIPT[each] for each in answer[index:run])})"
        elif character in _SUBSCRIPT:
            run = _run(answer, index, _SUBSCRIPT)
            piece = ("" if text and text[-1] == "_" else "_") + "".join(_SUBSCRIPT[each] for each in answer[index:run])
        else:
            known = character if character.isascii() else _one(character)
            if known is None:
                raise Refused(f"the character {named(character)} has no meaning here", index)
            if known.startswith("(") and len(known) > 1 and text and text[-1].isdigit():
                raise Refused("a mixed number has two readings here: write it as a sum or one fraction", index)
            piece = known
        text.extend(piece)
        origin.extend([index] * len(piece))
        index = run
    return Plain(text="".join(text), origin=tuple(origin))


def _run(answer: str, start: int, among: dict[str, str]) -> int:
    end = start
    while end < len(answer) and answer[end] in among:
        end += 1
    return end
