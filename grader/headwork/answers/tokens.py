"""Plain, unwrapped text to tokens: numbers, names, signs and brackets, LaTeX commands included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from .characters import Plain, Refused, named

MAX_DIGITS = 60
MAX_EXPONENT = 300
MAX_TOKENS = 600

FUNCTIONS = ("sqrt", "exp", "ln", "log", "softmax")
_SPELLINGS = {"pi": "pi", "inf": "inf", "infinity": "inf", "oo": "inf", "infty": "inf"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What an answer may contain beside numbers."""

    symbols: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Name -> "positive" or "real"."""
    decimal_comma: bool = False
    infinity: bool = False
    """Whether infinity can be an answer (a masked score)."""
    words: bool = False
    """Whether True and False can be (a mask)."""


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``: number, constant, symbol, function, frac, an operator or bracket, or end."""

    kind: str
    text: str
    start: int
    end: int
    command: bool = False
    """A LaTeX command: it ends visibly what stands before it."""


_POINT = r"(?:\d+\.\d*|\.\d+|\d+)"
_COMMA = rf"(?:\d+,\d+|{_POINT})"
_EXPONENT = r"(?:[eE][+-]?\d+(?![\d.]))?"
_REST = (
    r"|(?P<name>[A-Za-z\u0370-\u03ff]+(?:_\{[A-Za-z0-9, ]*\}|_[A-Za-z0-9]+)*)"
    r"|(?P<command>\\[A-Za-z]+|\\%)"
    r"|(?P<power>\*\*|\^)"
    r"|(?P<sign>[-+*/(){}\[\],;%√∞])"
)
_TOKEN = {
    False: re.compile(rf"(?P<number>{_POINT}{_EXPONENT}){_REST}"),
    True: re.compile(rf"(?P<number>{_COMMA}{_EXPONENT}){_REST}"),
}
_SPACE = re.compile(r"\s*")
_COMMANDS = {
    **dict.fromkeys((r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"), "frac"),
    **dict.fromkeys((r"\cdot", r"\times", r"\ast"), "*"),
    r"\div": "/",
    r"\%": "%",
}


def tokenise(plain: Plain, grammar: Grammar) -> list[Token]:
    """All tokens, closed by one of kind "end". Raises Refused at a character that belongs to none."""
    text, position, tokens = plain.text, 0, list[Token]()
    pattern = _TOKEN[grammar.decimal_comma]
    while True:
        position = _SPACE.match(text, position).end()  # type: ignore[union-attr]
        if position == len(text):
            tokens.append(Token("end", "", position, position))
            return tokens
        if len(tokens) > MAX_TOKENS:
            raise Refused(f"more than {MAX_TOKENS} numbers, names and signs", plain.at(position))
        found = pattern.match(text, position)
        if found is None:
            raise Refused(f"{named(text[position])} has no meaning here", plain.at(position))
        start, position = position, found.end()
        match found.lastgroup:
            case "number":
                _check_number(plain, grammar, found)
                tokens.append(Token("number", found[0], start, position))
            case "name":
                position = _names(plain, grammar, tokens, found)
            case "command":
                tokens.append(_command(plain, grammar, found))
            case "power":
                tokens.append(Token("^", found[0], start, position))
            case _:
                kind, name = ("constant", "inf") if found[0] == "∞" else (found[0], found[0])
                tokens.append(
                    Token("function" if kind == "√" else kind, "sqrt" if kind == "√" else name, start, position)
                )


def _check_number(plain: Plain, grammar: Grammar, found: re.Match[str]) -> None:
    text, number = plain.text, found[0]
    after = text[found.end() : found.end() + 2]
    if len(number) > MAX_DIGITS + 8 or sum(map(str.isdigit, number)) > MAX_DIGITS:
        raise Refused(f"a number with more than {MAX_DIGITS} digits", plain.at(found.start()))
    mantissa, _, exponent = number.lower().partition("e")
    if exponent and abs(int(exponent)) > MAX_EXPONENT:
        raise Refused(f"a power of ten beyond {MAX_EXPONENT}", plain.at(found.start() + len(mantissa)))
    if (
        not grammar.decimal_comma
        and after[:1] == ","
        and after[1:].isdigit()
        and number.isdigit()
        and _alone(plain, found)
    ):
        raise Refused(
            "a comma between digits has two readings (decimals or thousands): write the decimal point",
            plain.at(found.end()),
        )
    if grammar.decimal_comma and "," in number and after[:1] in (".", ",") and after[1:].isdigit():
        raise Refused("a second mark within one number: leave out marks between thousands", plain.at(found.end()))
    if after[:1] == "_" or (number == "0" and after[:1] in "xXbBoO" and after[:1] and after[1:].isalnum()):
        raise Refused("numbers are written in plain decimal digits", plain.at(found.end()))


def _alone(plain: Plain, found: re.Match[str]) -> bool:
    """Whether a number stands outside of any list, where a comma can only be meant within it."""
    return not any(bracket in plain.text[: found.start()] for bracket in "[(")


def _command(plain: Plain, grammar: Grammar, found: re.Match[str]) -> Token:
    name = found[0]
    start, end = found.span()
    if name in _COMMANDS:
        return Token(_COMMANDS[name], name, start, end, True)
    bare = name[1:]
    kind = _kind(bare, grammar)
    if kind is None:
        raise Refused(f"the LaTeX command {name} is not one of this grammar", plain.at(start))
    return Token(kind[0], kind[1], start, end, True)


def _kind(name: str, grammar: Grammar) -> tuple[str, str] | None:
    if name in grammar.symbols:
        return "symbol", name
    if name in ("e", "π"):
        return "constant", "pi" if name == "π" else name
    lower = name.lower()
    if lower in FUNCTIONS:
        return "function", "ln" if lower == "log" else lower
    if lower in _SPELLINGS:
        return "constant", _SPELLINGS[lower]
    return None


def _names(plain: Plain, grammar: Grammar, tokens: list[Token], found: re.Match[str]) -> int:
    """Add the one or several names that a run of letters is, and return where it ends."""
    start, end = found.span()
    digits = re.compile(r"\d+").match(plain.text, end)
    if digits and "_" not in found[0]:
        for spelled in (f"{found[0]}{digits[0]}", f"{found[0]}_{digits[0]}"):
            if spelled in grammar.symbols:
                tokens.append(Token("symbol", spelled, start, digits.end()))
                return digits.end()
    run = found[0] if "{" not in found[0] else re.sub(r"[{} ]", "", found[0])
    for name in (run, run.replace(",", "")):
        kind = _kind(name, grammar)
        if kind:
            tokens.append(Token(*kind, start, end))
            return end
    if run in ("x", "X") and tokens and tokens[-1].kind == "number" and plain.text[end : end + 1].strip().isdigit():
        tokens.append(Token("*", "*", start, end))  # 2.06x10^-9
        return end
    if run == found[0]:
        pieces = _split(run, tuple(grammar.symbols))
        if pieces:
            for piece in pieces:
                kind = _kind(piece, grammar)
                assert kind is not None
                tokens.append(Token(*kind, start, start + len(piece)))
                start += len(piece)
            return end
    raise Refused(_unknown(run, grammar), plain.at(start))


def _unknown(run: str, grammar: Grammar) -> str:
    if run.lower() == "nan":
        return "nan is not a number"
    declared = ", ".join(grammar.symbols)
    known = (
        f"the names of this question are {declared}, e and pi" if declared else "there are no names here but e and pi"
    )
    return f'the name "{run[:30]}" is not known; {known}, and the functions sqrt, exp and ln'


@lru_cache(maxsize=1024)
def _split(run: str, symbols: tuple[str, ...]) -> tuple[str, ...] | None:
    """A run of letters as known names side by side: the way with the fewest, if there is one such way.

    Function names count as whole, so that "xexp" is x and exp and never x, e, x, p.
    """
    if len(run) > 40:
        return None
    known = {*symbols, "e", "pi", *FUNCTIONS}
    best: list[tuple[int, tuple[str, ...], int]] = [(0, (), 1)]  # pieces, one way, number of such ways
    for end in range(1, len(run) + 1):
        least, way, ways = len(run) + 1, (), 0
        for length in range(1, end + 1):
            count, before, number = best[end - length]
            if run[end - length : end] in known and number:
                if count + 1 < least:
                    least, way, ways = count + 1, (*before, run[end - length : end]), number
                elif count + 1 == least:
                    ways += number
        best.append((least, way, ways))
    return best[-1][1] if best[-1][2] == 1 else None
