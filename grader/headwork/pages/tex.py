r"""Numbers of the answer grammar as TeX: ``1/5*sqrt(2)`` as ``\frac{1}{5}\sqrt{2}``.

The text is our own (drawn inputs and exact solutions); what students typed is never parsed here.
"""

from __future__ import annotations

import ast
from functools import lru_cache

_FUNCTIONS = {"ln": r"\ln", "log": r"\ln", "exp": r"\exp"}
_SUM, _SIGNED, _PRODUCT, _POWER, _ATOM = range(5)


@lru_cache(maxsize=4096)
def number_tex(text: str) -> str:
    """TeX of one exact or decimal number; text that is not of the grammar stands as text."""
    plain = text.strip().replace("^", "**")
    if plain in ("-inf", "inf"):
        return r"-\infty" if plain[0] == "-" else r"\infty"
    try:
        tree = ast.parse(plain, mode="eval").body
        return _tex(tree)[0]
    except (SyntaxError, ValueError, RecursionError):
        return rf"\text{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    return "".join(character for character in text if character not in "\\{}$#%&~^_")


def _tex(node: ast.expr) -> tuple[str, int]:
    """TeX of a node, and how tightly it binds."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return str(number), _ATOM
        case ast.Name(id=name):
            return {"e": "e", "pi": r"\pi", "inf": r"\infty"}.get(name, rf"\text{{{name}}}"), _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_within(operand, _PRODUCT)}", _SIGNED
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return f"{_tex(left)[0]} + {_within(right, _PRODUCT)}", _SUM
        case ast.BinOp(op=ast.Sub(), left=left, right=right):
            return f"{_tex(left)[0]} - {_within(right, _PRODUCT)}", _SUM
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            between = r" \cdot " if isinstance(right, ast.Constant) else r" \, "
            first = _within(left, _SIGNED)
            return f"{first}{between}{_within(right, _PRODUCT)}", _SIGNED if first.startswith("-") else _PRODUCT
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            above, binding = _tex(left)
            sign = "-" if binding == _SIGNED and above.startswith("-") else ""
            return rf"{sign}\frac{{{above.removeprefix(sign)}}}{{{_tex(right)[0]}}}", _SIGNED if sign else _ATOM
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return f"{_within(left, _ATOM)}^{{{_slanted(right)}}}", _POWER
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return rf"\sqrt{{{_tex(inner)[0]}}}", _ATOM
        case ast.Call(func=ast.Name(id="exp"), args=[inner]):
            return f"e^{{{_slanted(inner)}}}", _POWER
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _FUNCTIONS:
            return f"{_FUNCTIONS[name]} {_within(inner, _ATOM)}", _PRODUCT
        case _:
            raise ValueError("not a number of the grammar")


def _within(node: ast.expr, least: int) -> str:
    text, binding = _tex(node)
    return text if binding >= least else rf"\left({text}\right)"


def _slanted(node: ast.expr) -> str:
    """An exponent, with fractions on one line: they are too small to read stacked."""
    sign = ""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = "-", node.operand
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        left = node.left
        if isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub):
            sign, left = "-" if not sign else "", left.operand
        return f"{sign}{_within(left, _PRODUCT)}/{_within(node.right, _POWER)}"
    return sign + (_within(node, _PRODUCT) if sign else _tex(node)[0])


def matrix_tex(rows: list[list[str]]) -> str:
    """A matrix of numbers as TeX."""
    body = r" \\ ".join(" & ".join(number_tex(entry) for entry in row) for row in rows)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def name_tex(name: str) -> str:
    """The name of a value as TeX: one letter in italics, with its index; longer names upright."""
    head, _, index = name.partition("_")
    first = head if len(head) == 1 else rf"\text{{{head}}}"
    if not index:
        return first
    inner = index if len(index) == 1 else rf"\text{{{index.replace('_', ' ')}}}"
    return f"{first}_{{{inner}}}"
