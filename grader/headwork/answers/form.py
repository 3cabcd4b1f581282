"""The form of an answer, where a question asks for one: judged apart from its value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from .tree import Call, Constant, Negative, Number, Power, Product, Quotient, Sum, Tree, everything


def form_fault(tree: Tree, form: str) -> str | None:
    """What keeps an answer from a declared form, as half a sentence; None where it has it.

    Forms: "exact", "one fraction", "in terms of e", "simplified".
    """
    return FORMS[form](tree)


def _exact(tree: Tree) -> str | None:
    for node in everything(tree):
        if isinstance(node, Number) and node.decimals is not None and not node.text.endswith("%"):
            return f"{node.text} is a decimal; give the exact value"
    return None


def _one_fraction(tree: Tree) -> str | None:
    bare = tree.operand if isinstance(tree, Negative) else tree
    inner = everything(bare)[1:] if isinstance(bare, Quotient) else everything(bare)
    exponents = {id(node) for power in inner if isinstance(power, Power) for node in everything(power.exponent)}
    exponents |= {id(node) for call in inner if isinstance(call, Call) for node in everything(call.argument)}
    if any(isinstance(node, Quotient) and id(node) not in exponents for node in inner):
        return "there is more than one fraction in it; write one"
    return _exact(tree)


def _in_terms_of_e(tree: Tree) -> str | None:
    nodes = everything(tree)
    if any(isinstance(node, Number) and node.decimals is not None for node in nodes):
        return "it holds a decimal; leave powers of e as they are"
    if not any((isinstance(node, Constant) and node.name == "e") or _is_exp(node) for node in nodes):
        return "it is not written in terms of e"
    return None


def _is_exp(node: Tree) -> bool:
    return isinstance(node, Call) and node.function == "exp"


def _simplified(tree: Tree) -> str | None:
    for node in everything(tree):
        fault = _unsimplified(node)
        if fault:
            return fault
    return _exact(tree)


def _unsimplified(node: Tree) -> str | None:
    match node:
        case Sum(terms=terms):
            plain = [term for term in terms if isinstance(term, Number | Negative) and _whole(term) is not None]
            return "numbers in it can be added" if len(plain) > 1 else None
        case Product(factors=factors):
            plain = [factor for factor in factors if _whole(factor) is not None]
            return "numbers in it can be multiplied" if len(plain) > 1 else None
        case Quotient(top=top, bottom=bottom):
            above, below = _whole(top), _whole(bottom)
            if below == 1:
                return "it divides by 1"
            if above is not None and below is not None and math.gcd(above, below) > 1:
                return f"the fraction {above}/{below} can be reduced"
            return None
        case Call(function="sqrt", argument=argument):
            under = _whole(argument)
            square = under is not None and any(
                under % (n * n) == 0 for n in range(2, math.isqrt(min(under, 10**6)) + 1)
            )
            return f"sqrt({under}) can be simplified" if square or under in (0, 1) else None
        case _:
            return None


def _whole(tree: Tree) -> int | None:
    if isinstance(tree, Negative):
        inner = _whole(tree.operand)
        return None if inner is None else -inner
    return int(tree.value) if isinstance(tree, Number) and tree.value.denominator == 1 else None


FORMS: Mapping[str, Callable[[Tree], str | None]] = MappingProxyType(
    {"exact": _exact, "one fraction": _one_fraction, "in terms of e": _in_terms_of_e, "simplified": _simplified}
)
