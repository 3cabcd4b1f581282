"""What a tree is worth: a fraction where it is one, else 60 digits.

The home of mpmath. Every step has limits, so that no typed tower of powers takes time or memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from .characters import Refused
from .tree import Call, Constant, Negative, Number, Power, Product, Quotient, Sum, Symbol, Tree, infinite

Real: TypeAlias = Any
"""A real number of 60 digits (an ``mpf`` of ``digits()``); mpmath has no types."""

DIGITS = 60
_BITS = 4000
_HUGE = 20_000
"""Beyond e to this power a value is refused."""


@lru_cache(maxsize=8)
def digits(number: int = DIGITS) -> Any:
    """The arithmetic of so many digits. It is nobody's to change: threads share it."""
    import mpmath

    context = mpmath.MPContext()
    context.dps = number
    return context


def real(number: Fraction | int | float, context: Any = None) -> Real:
    """A plain number in 60 digits, or in those of another arithmetic."""
    context = context or digits()
    if isinstance(number, Fraction):
        return context.mpf(number.numerator) / number.denominator
    return context.mpf(number)


class _NotRational(Exception):
    pass


def fraction(tree: Tree) -> Fraction | None:
    """The exact value where the tree is made of fractions and whole powers, and short enough; else None.

    Raises Refused where it divides by zero.
    """
    try:
        return _fraction(tree)
    except _NotRational:
        return None


def _fraction(tree: Tree) -> Fraction:
    match tree:
        case Number(value=value):
            result = value
        case Negative(operand=operand):
            result = -_fraction(operand)
        case Sum(terms=terms):
            result = sum((_short(_fraction(term)) for term in terms), Fraction(0))
        case Product(factors=factors):
            result = Fraction(1)
            for factor in factors:
                result = _short(result * _fraction(factor))
        case Quotient(top=top, bottom=bottom, at=at):
            below = _fraction(bottom)
            if not below:
                raise Refused("this divides by zero", at)
            result = _fraction(top) / below
        case Power(base=base, exponent=exponent, at=at):
            result = _power(_fraction(base), _fraction(exponent), at)
        case _:
            raise _NotRational
    return _short(result)


def _short(number: Fraction) -> Fraction:
    if number.numerator.bit_length() + number.denominator.bit_length() > _BITS:
        raise _NotRational
    return number


def _power(base: Fraction, exponent: Fraction, at: int) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _BITS:
        raise _NotRational
    if not base and exponent <= 0:
        raise Refused("0 to the power 0 has no value" if not exponent else "this divides by zero", at)
    if (base.numerator.bit_length() + base.denominator.bit_length()) * abs(exponent) > _BITS:
        raise _NotRational
    return base ** int(exponent)


def worth(tree: Tree, symbols: Mapping[str, Any] | None = None, *, context: Any = None) -> Real:
    """The value in 60 digits (or another arithmetic), with the given values for symbols; infinity for itself.

    Raises Refused, pointing at the operation, where there is no real value or none of a sane size.
    """
    context = context or digits()
    sign = infinite(tree)
    if sign:
        return context.mpf("inf") * sign
    return _worth(tree, symbols or {}, context)


def _worth(tree: Tree, symbols: Mapping[str, Any], context: Any) -> Real:
    match tree:
        case Number(value=value):
            return real(value, context)
        case Constant(name=name):
            return +context.e if name == "e" else +context.pi
        case Symbol(name=name):
            return real(symbols[name], context)
        case Negative(operand=operand):
            return -_worth(operand, symbols, context)
        case Sum(terms=terms):
            return sum((_worth(term, symbols, context) for term in terms), context.zero)
        case Product(factors=factors):
            result = context.one
            for factor in factors:
                result = _sane(result * _worth(factor, symbols, context), 0, context)
            return result
        case Quotient(top=top, bottom=bottom, at=at):
            below = _worth(bottom, symbols, context)
            if not below:
                raise Refused("this divides by zero", at)
            return _sane(_worth(top, symbols, context) / below, at, context)
        case Power(base=base, exponent=exponent, at=at):
            return _raised(_worth(base, symbols, context), _worth(exponent, symbols, context), at, context)
        case Call(function=function, argument=argument, at=at):
            return _called(function, _worth(argument, symbols, context), at, context)


def _sane(value: Real, at: int, context: Any) -> Real:
    if value and abs(context.mag(value)) > 2 * _HUGE:
        raise Refused("this is too large, or too small, to be worked with", at)
    return value


def _raised(base: Real, exponent: Real, at: int, context: Any) -> Real:
    if not base:
        if exponent <= 0:
            raise Refused("this divides by zero" if exponent < 0 else "0 to the power 0 has no value", at)
        return context.zero
    whole = context.isint(exponent)
    if base < 0 and not whole:
        raise Refused("a negative number to a broken power has no real value", at)
    if abs(exponent) > 10**9 or abs(exponent * context.ln(abs(base))) > _HUGE:
        raise Refused("this power is too large, or too small, to be worked with", at)
    return base ** int(exponent) if whole else context.power(base, exponent)


def _called(function: str, argument: Real, at: int, context: Any) -> Real:
    if function == "sqrt":
        if argument < 0:
            raise Refused("the square root of a negative number is not real", at)
        return context.sqrt(argument)
    if function == "exp":
        if abs(argument) > _HUGE:
            raise Refused("this power is too large, or too small, to be worked with", at)
        return context.exp(argument)
    if argument <= 0:
        raise Refused("the logarithm of 0 or less is not real", at)
    return context.ln(argument)
