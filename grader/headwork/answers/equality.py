"""Whether two expressions are the same value, and what decided it.

Different digits decide at once; equal fractions decide; then SymPy is asked for a proof, within a time
limit; then 60 digits decide, at several points where symbols are free. What stays open goes to a person.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from .characters import Refused
from .proof import proved_equal
from .tree import Tree, everything, infinite, symbols_of
from .value import DIGITS, digits, fraction, worth

POINTS = 12
WORKING = 130
SMALL = 60
"""Parts of an expression that is worth remembering."""
NO_SYMBOLS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """``equal`` is None where nothing decided: that needs attention, and is never zero."""

    equal: bool | None
    decided_by: str
    """"fractions", "digits", "proof", "points" or "nothing"."""
    note: str = ""


def compare(student: Tree, reference: Tree, symbols: Mapping[str, str] = NO_SYMBOLS) -> Comparison:
    """Compare a typed expression with the right one. Symbols are "positive" or "real" by declaration.

    Raises Refused where a number that was typed has no value (it divides by zero).
    """
    free = symbols_of(student) | symbols_of(reference)
    if not free:
        return _numbers(student, reference)
    if student == reference:
        return Comparison(equal=True, decided_by="proof")
    if len(everything(student)) > SMALL:
        return _at_points(student, reference, free, symbols)
    return _seen_before(student, reference, free, frozenset(symbols.items()))


@lru_cache(maxsize=512)
def _seen_before(
    student: Tree, reference: Tree, free: frozenset[str], symbols: frozenset[tuple[str, str]]
) -> Comparison:
    """A class types the same few expressions again and again; each is compared once."""
    return _at_points(student, reference, free, dict(symbols))


def _numbers(student: Tree, reference: Tree) -> Comparison:
    if infinite(student) or infinite(reference):
        return Comparison(equal=infinite(student) == infinite(reference), decided_by="digits")
    mine, right = fraction(student), fraction(reference)
    if mine is not None and right is not None:
        return Comparison(equal=mine == right, decided_by="fractions")
    if not agree(student, reference, {}):
        return Comparison(equal=False, decided_by="digits")
    return _proof(student, reference, NO_SYMBOLS, otherwise="digits")


def _proof(student: Tree, reference: Tree, symbols: Mapping[str, str], otherwise: str) -> Comparison:
    """What agrees in all digits is equal, unless SymPy proves that it is not (which is then for a person)."""
    if student == reference:
        return Comparison(equal=True, decided_by="proof")
    proved = proved_equal(student, reference, symbols) if len(everything(student)) < 200 else None
    if proved is False:
        return Comparison(equal=None, decided_by="nothing", note="digits agree, and a proof says otherwise")
    return Comparison(equal=True, decided_by="proof" if proved else otherwise)


def agree(student: Tree, reference: Tree, point: Mapping[str, Fraction]) -> bool:
    """Equal to 60 digits, worked with 130, so that cancelling terms leave 60.

    What is tiny on both sides is worked once more with 400: a zero that was only missed gets far smaller.
    """
    context = digits(WORKING)
    left, right = worth(student, point, context=context), worth(reference, point, context=context)
    scale = max(abs(left), abs(right))
    if abs(left - right) <= scale * context.mpf(10) ** -DIGITS:
        return True
    if scale > context.mpf(10) ** -DIGITS:
        return False
    finer = digits(3 * WORKING)
    left, right = worth(student, point, context=finer), worth(reference, point, context=finer)
    return max(abs(left), abs(right)) < finer.mpf(scale) * finer.mpf(10) ** -WORKING


def _at_points(student: Tree, reference: Tree, free: frozenset[str], symbols: Mapping[str, str]) -> Comparison:
    compared, refused = 0, None
    for index in range(POINTS):
        point = {name: _coordinate(name, index, positive=symbols.get(name) == "positive") for name in free}
        try:
            worth(reference, point)
        except Refused:
            continue
        try:
            same = agree(student, reference, point)
        except Refused as why:
            refused = why
            continue
        compared += 1
        if not same:
            return Comparison(equal=False, decided_by="points")
    if refused is not None:
        where = "at some points" if compared else "anywhere"
        note = f"it has no value {where} where it should have one: {refused.message}"
        return Comparison(equal=False, decided_by="points", note=note)
    if compared < 3:
        return Comparison(equal=None, decided_by="nothing", note="the right answer has a value at too few points")
    return _proof(student, reference, symbols, otherwise="points")


@lru_cache(maxsize=4096)
def _coordinate(name: str, index: int, *, positive: bool) -> Fraction:
    """A point with long digits, of several sizes and of both signs, the same in every run."""
    drawn = hashlib.sha256(f"{name} {index}".encode()).digest()
    unit = Fraction(int.from_bytes(drawn[:16]), 1 << 128)
    size = (Fraction(1, 50), Fraction(1), Fraction(3), Fraction(40))[index % 4]
    sign = -1 if drawn[16] & 1 and not positive else 1
    return sign * (unit + Fraction(1, 7)) * size
