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


@lru_cache(maxsize=1)
def digits() -> Any:
    """The arithmetic of 60 digits, apart from mpmath's own global one."""
    import mpmath

    context = mpmath.MPContext()
    context.dps = DIGITS
    return context


def real(number: Fraction | int | float) -> Real:
    """A plain number in 60 digits."""
    if isinstance(number, Fraction):
        return digits().mpf(number.numerator) / number.denominator
    return digits().mpf(number)


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


def worth(tree: Tree, symbols: Mapping[str, Real] | None = None) -> Real:
    """The value in 60 digits, with the given values for symbols; plus or minus infinity for itself.

    Raises Refused, pointing at the operation, where there is no real value or none of a sane size.
    """
    sign = infinite(tree)
    if sign:
        return digits().mpf("inf") * sign
    return _worth(tree, symbols or {})


def _worth(tree: Tree, symbols: Mapping[str, Real]) -> Real:
    match tree:
        case Number(value=value):
            return real(value)
        case Constant(name=name):
            return +digits().e if name == "e" else +digits().pi
        case Symbol(name=name):
            return symbols[name]
        case Negative(operand=operand):
            return -_worth(operand, symbols)
        case Sum(terms=terms):
            return sum((_worth(term, symbols) for term in terms), digits().zero)
        case Product(factors=factors):
            result = digits().one
            for factor in factors:
                result = _sane(result * _worth(factor, symbols), 0)
            return result
        case Quotient(top=top, bottom=bottom, at=at):
            below = _worth(bottom, symbols)
            if not below:
                raise Refused("this divides by zero", at)
            return _sane(_worth(top, symbols) / below, at)
        case Power(base=base, exponent=exponent, at=at):
            return _raised(_worth(base, symbols), _worth(exponent, symbols), at)
        case Call(function=function, argument=argument, at=at):
            return _called(function, _worth(argument, symbols), at)


def _sane(value: Real, at: int) -> Real:
    if value and abs(digits().mag(value)) > 2 * _HUGE:
        raise Refused("this is too large, or too small, to be worked with", at)
    return value


def _raised(base: Real, exponent: Real, at: int) -> Real:
    context = digits()
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


def _called(function: str, argument: Real, at: int) -> Real:
    context = digits()
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
