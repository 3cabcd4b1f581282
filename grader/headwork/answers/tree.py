"""What an answer was read as: a small expression tree, and its canonical text.

Sums and products hold all their terms side by side, so that a long answer is a wide tree and not a
deep one. ``at`` is the character of the answer that a message can point at.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A literal. ``decimals`` is None for a whole number, else how many decimals it shows."""

    value: Fraction
    decimals: int | None
    significant: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """``e``, ``pi`` or ``inf``."""

    name: str
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A letter or name that the question declares."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """Minus an operand."""

    operand: Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """Two or more terms; a difference holds a Negative."""

    terms: tuple[Tree, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Two or more factors."""

    factors: tuple[Tree, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotient:
    """A fraction."""

    top: Tree
    bottom: Tree
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A base and an exponent."""

    base: Tree
    exponent: Tree
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """``sqrt``, ``exp`` or ``ln`` of one argument."""

    function: str
    argument: Tree
    at: int = 0


Tree: TypeAlias = Number | Constant | Symbol | Negative | Sum | Product | Quotient | Power | Call

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)


def literal(tree: Tree) -> Number | None:
    """The number, where the answer is one signed literal and nothing else."""
    if isinstance(tree, Number):
        return tree
    if isinstance(tree, Negative) and isinstance(tree.operand, Number):
        inner = tree.operand
        return Number(value=-inner.value, decimals=inner.decimals, significant=inner.significant, text=f"-{inner.text}")
    return None


def infinite(tree: Tree) -> int:
    """1 or -1 where the answer is plus or minus infinity, else 0."""
    if isinstance(tree, Negative):
        return -infinite(tree.operand)
    return int(isinstance(tree, Constant) and tree.name == "inf")


def parts(tree: Tree) -> tuple[Tree, ...]:
    """The direct parts of a tree."""
    match tree:
        case Negative(operand=operand):
            return (operand,)
        case Sum(terms=terms):
            return terms
        case Product(factors=factors):
            return factors
        case Quotient(top=top, bottom=bottom):
            return (top, bottom)
        case Power(base=base, exponent=exponent):
            return (base, exponent)
        case Call(argument=argument):
            return (argument,)
        case _:
            return ()


def everything(tree: Tree) -> list[Tree]:
    """The tree and all its parts, parents first."""
    found: list[Tree] = []
    queue = [tree]
    while queue:
        node = queue.pop()
        found.append(node)
        queue.extend(reversed(parts(node)))
    return found


def depth(tree: Tree) -> int:
    """How many levels a tree has; measured without recursion."""
    deepest, queue = 0, [(tree, 1)]
    while queue:
        node, level = queue.pop()
        deepest = max(deepest, level)
        queue.extend((part, level + 1) for part in parts(node))
    return deepest


def symbols_of(tree: Tree) -> frozenset[str]:
    """Names of the symbols in a tree."""
    return frozenset(node.name for node in everything(tree) if isinstance(node, Symbol))


def show(tree: Tree) -> str:
    """Canonical text: what the answer was read as, in the plain grammar, with every product sign."""
    return _show(tree)[0]


def _show(tree: Tree) -> tuple[str, int]:
    match tree:
        case Number(text=text):
            return text, _ATOM if "^" not in text else _PRODUCT
        case Constant(name=name) | Symbol(name=name):
            return name, _ATOM
        case Negative(operand=operand):
            return f"-{_inside(operand, _PRODUCT)}", _SIGN
        case Sum(terms=terms):
            return _show_sum(terms), _SUM
        case Product(factors=factors):
            first, *rest = factors
            return "*".join([_inside(first, _PRODUCT), *(_inside(part, _POWER) for part in rest)]), _PRODUCT
        case Quotient(top=top, bottom=bottom):
            if isinstance(bottom, Number) and bottom.value == 1 and bottom.decimals is None:
                return _show(top)
            return f"{_inside(top, _PRODUCT)}/{_inside(bottom, _POWER)}", _PRODUCT
        case Power(base=base, exponent=exponent):
            return f"{_inside(base, _ATOM)}^{_inside(exponent, _ATOM)}", _POWER
        case Call(function="exp", argument=argument):
            return f"e^{_inside(argument, _ATOM)}", _POWER
        case Call(function=function, argument=argument):
            return f"{function}({_show(argument)[0]})", _ATOM


def _inside(tree: Tree, least: int) -> str:
    text, level = _show(tree)
    return text if level >= least else f"({text})"


def _show_sum(terms: tuple[Tree, ...]) -> str:
    pieces: list[str] = []
    for index, term in enumerate(terms):
        minus = isinstance(term, Negative)
        text = _inside(term.operand if isinstance(term, Negative) else term, _PRODUCT)
        if index == 0:
            pieces.append(f"-{text}" if minus else text)
        else:
            pieces.append(f" - {text}" if minus else f" + {text}")
    return "".join(pieces)
