"""Literals, and the few ways in which trees grow."""

from __future__ import annotations

from fractions import Fraction

from .tree import Negative, Number, Product, Quotient, Sum, Tree


def sum_of(terms: list[Tree]) -> Tree:
    """One term for itself, several as a sum."""
    return terms[0] if len(terms) == 1 else Sum(terms=tuple(terms))


def signed(tree: Tree, negative: bool) -> Tree:
    """A tree, or minus it."""
    return Negative(operand=tree) if negative else tree


def product_of(left: Tree, right: Tree) -> Tree:
    """A product; factors of the left side stay side by side."""
    before = left.factors if isinstance(left, Product) else (left,)
    return Product(factors=(*before, right))


def percent_of(tree: Tree) -> Tree:
    """A hundredth, which a literal shows as two more decimals."""
    hundred = number_of("100")
    if not isinstance(tree, Number):
        return Quotient(top=tree, bottom=hundred)
    return Number(
        value=tree.value / 100, decimals=(tree.decimals or 0) + 2, significant=tree.significant, text=f"{tree.text}%"
    )


def number_of(text: str) -> Number:
    """A literal from its digits; a decimal comma counts as the point."""
    spelled = text.replace(",", ".").lower()
    mantissa, _, exponent = spelled.partition("e")
    whole, point, decimals = mantissa.partition(".")
    power = int(exponent or 0)
    digits = int(f"{whole}{decimals}" or "0")
    shift = power - len(decimals)
    value = Fraction(digits * 10**shift) if shift >= 0 else Fraction(digits, 10**-shift)
    shown = max(0, -shift) if point or power < 0 else None
    significant = len(f"{whole}{decimals}".lstrip("0")) or 1
    return Number(value=value, decimals=shown, significant=significant, text=_spelled(mantissa, power, value))


def _spelled(mantissa: str, power: int, value: Fraction) -> str:
    if not power:
        whole, point, decimals = mantissa.partition(".")
        return f"{whole or '0'}{point if decimals else ''}{decimals}"
    if value.denominator == 1 and abs(value) < 10**12:
        return str(value)
    return f"{mantissa.rstrip('.')}*10^{power if power > 0 else f'({power})'}"
