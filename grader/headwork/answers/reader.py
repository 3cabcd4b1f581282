"""The reader of typed expressions: tokens to a tree, by precedence, with nothing guessed.

Where a text has two readings it is refused and both are named: that costs nothing, a wrong guess would.
Precedence, loosest first: + -, then * / and products without a sign, then the sign, then ^, then %.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from .characters import Plain, Refused, plain
from .tokens import Grammar, Token, tokenise, unwrap
from .tree import (
    Call,
    Constant,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    Tree,
    depth,
    everything,
    infinite,
    show,
)

MAX_LENGTH = 2000
MAX_DEPTH = 50
PLAIN_GRAMMAR = Grammar()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An answer that was read: its tree, and the canonical text to show back."""

    tree: Tree
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """An answer that was not read: why, at which character (from 0), and what was read before it."""

    message: str
    at: int
    so_far: str = ""
    typed: str = ""

    def pointed(self) -> str:
        """The message with the line of the answer and a mark under the character."""
        start = self.typed.rfind("\n", 0, self.at) + 1
        end = self.typed.find("\n", start)
        line = self.typed[start : end if end >= 0 else None]
        column = self.at - start
        left = max(0, column - 30)
        shown = "".join(each if each.isprintable() else " " for each in line[left : column + 30])
        lines = [f"cannot be read at character {self.at + 1}: {self.message}"]
        if shown.strip():
            lines += [f"  {shown}", f"  {' ' * (column - left)}^"]
        if self.so_far:
            lines.append(f"  read so far: {self.so_far}")
        return "\n".join(lines)


def read(answer: str, grammar: Grammar = PLAIN_GRAMMAR) -> Reading | Invalid:
    """Read one typed expression. Any text at all ends in a Reading or an Invalid."""
    if len(answer) > MAX_LENGTH:
        return Invalid(message=f"longer than {MAX_LENGTH} characters", at=MAX_LENGTH, typed=answer[:MAX_LENGTH])
    try:
        tree = read_plain(unwrap(plain(answer)), grammar)
        return Reading(tree=tree, text=show(tree))
    except Refused as refused:
        return Invalid(message=refused.message, at=refused.at, so_far=refused.so_far, typed=answer)


_DIGITS = re.compile(r"\s*(-?)(\d{1,20}(?:\.\d{1,20})?)\s*")


def read_plain(text: Plain, grammar: Grammar) -> Tree:
    """Read one expression from plain, unwrapped text. Raises Refused."""
    simple = _DIGITS.fullmatch(text.text)  # most cells of most answers
    if simple:
        return _signed(number_of(simple[2]), bool(simple[1]))
    tree = _Parser(text, grammar).whole()
    if infinite(tree):
        if not grammar.infinity:
            raise Refused("infinity is not a number", text.at(0))
    elif any_infinite(tree):
        raise Refused("infinity can stand alone, but is nothing to calculate with", text.at(0))
    if depth(tree) > MAX_DEPTH:
        raise Refused(f"nested deeper than {MAX_DEPTH} levels", text.at(0))
    return tree


def any_infinite(tree: Tree) -> bool:
    """Whether infinity stands anywhere in a tree."""
    return any(isinstance(node, Constant) and node.name == "inf" for node in everything(tree))


def read_list(text: Plain, grammar: Grammar) -> list[Tree]:
    """Read the arguments of ``softmax(…)``, given the whole call. Raises Refused."""
    return _Parser(text, grammar).softmax_arguments()


_OPENING = {"(": ")", "{": "}"}
_STARTS = frozenset(("number", "constant", "symbol", "function", "frac", "(", "{"))


class _Parser:
    """One walk over the tokens. ``ending`` says how the operand just read ended.

    "closed": visibly (a bracket, a single atom); "exponent": with a bare exponent, as in e^x;
    "argument": with an argument without brackets, as in sqrt2; "word": the same of ln or exp.
    """

    def __init__(self, text: Plain, grammar: Grammar) -> None:
        self.text = text
        self.tokens = tokenise(text, grammar)
        self.index = 0
        self.token = self.tokens[0]
        self.level = 0
        self.ending = "closed"
        self.done: list[Tree] = []

    # -- walking

    def next_is(self, *kinds: str) -> bool:
        """Whether the token to come is one of these; it changes with every step."""
        return self.token.kind in kinds

    def advance(self) -> Token:
        token = self.token
        if self.index < len(self.tokens) - 1:
            self.index += 1
            self.token = self.tokens[self.index]
        return token

    def refuse(self, message: str, token: Token | None = None) -> Refused:
        return Refused(message, self.text.at((token or self.token).start), show(_sum(self.done)) if self.done else "")

    def two_readings(self, first: Tree | str, second: Tree, token: Token) -> Refused:
        shown = first if isinstance(first, str) else show(first)
        return self.refuse(f"two readings: write {shown} or {show(second)}", token)

    def whole(self) -> Tree:
        if self.token.kind == "end":
            raise self.refuse("nothing is there")
        tree = self.sum()
        if self.token.kind != "end":
            raise self.refuse(self.unexpected())
        return tree

    def unexpected(self) -> str:
        if self.token.kind == "end":
            return "something is missing at the end"
        if self.token.kind in ")}]":
            return f'"{self.token.text}" closes nothing'
        if self.token.kind in ",;[":
            return f'"{self.token.text}" belongs to a list; one value is asked'
        return f'"{self.token.text}" is not expected here'

    # -- from the loosest to the tightest

    def sum(self) -> Tree:
        self.level += 1
        if self.level > MAX_DEPTH:
            raise self.refuse(f"nested deeper than {MAX_DEPTH} levels")
        terms: list[Tree] = []
        operator = self.advance() if self.token.kind in "+-" else None
        while True:
            if self.token.kind in ("+", "-"):
                raise self.refuse("two signs in a row: put the signed number in brackets")
            term = self.term(negative=operator is not None and operator.kind == "-", before=terms)
            terms.append(term)
            if self.token.kind not in ("+", "-"):
                break
            operator = self.advance()
        self.level -= 1
        return _sum(terms)

    def term(self, *, negative: bool, before: list[Tree]) -> Tree:
        left = self.power()
        divided: Token | None = None
        steps = 0
        while True:
            steps += 1
            if steps > MAX_LENGTH // 4:
                raise self.refuse("too many factors")
            kind = self.token.kind
            if self.level == 1:
                self.done = [*before, _signed(left, negative)]
            if kind in ("*", "/"):
                operator = self.advance()
                if self.ending == "word":
                    raise self.refuse("two readings: put what the function is taken of in brackets", operator)
                divided = operator if kind == "/" else None
                right = self.signed()
                left = _product(left, right) if kind == "*" else self.quotient(left, right, operator)
            elif kind in _STARTS:
                left = self.implied(left, divided)
            else:
                return _signed(left, negative)

    def quotient(self, top: Tree, bottom: Tree, operator: Token) -> Tree:
        return Quotient(top=top, bottom=bottom, at=self.text.at(operator.start))

    def implied(self, left: Tree, divided: Token | None) -> Tree:
        """A product without a sign: refused wherever it can be read in two ways."""
        token, ending = self.token, self.ending
        before = self.tokens[self.index - 1]
        if token.kind == "number" and before.kind not in (")", "}"):
            raise self.refuse("a number right after another value: is a sign missing?")
        right = self.power()
        if divided is not None and isinstance(left, Quotient):
            raise self.two_readings(
                f"({show(left)})*{show(right)}", Quotient(top=left.top, bottom=_product(left.bottom, right)), token
            )
        if token.command or (ending == "argument" and token.kind == "function"):
            return _product(left, right)
        if ending != "closed":
            last = left.factors[-1] if isinstance(left, Product) else left
            if ending == "exponent" and isinstance(last, Power):
                second = Power(base=last.base, exponent=_product(last.exponent, right))
                raise self.two_readings(_product(last, right), second, token)
            if isinstance(last, Call):
                second = Call(function=last.function, argument=_product(last.argument, right))
                raise self.two_readings(_product(last, right), second, token)
            raise self.refuse("two readings: use brackets or a product sign", token)
        return _product(left, right)

    def signed(self) -> Tree:
        """A factor that may have one sign: 2*-3, 10^-9."""
        if self.token.kind not in ("+", "-"):
            return self.power()
        sign = self.advance()
        if self.token.kind in ("+", "-"):
            raise self.refuse("two signs in a row: put the signed number in brackets")
        inner = self.power()
        return Negative(operand=inner) if sign.kind == "-" else inner

    def power(self) -> Tree:
        base = self.percent()
        if self.token.kind != "^":
            return base
        operator = self.advance()
        if self.ending in ("argument", "word") and isinstance(base, Call):
            second = Call(function=base.function, argument=Power(base=base.argument, exponent=Symbol(name="…")))
            raise self.two_readings(Power(base=base, exponent=Symbol(name="…")), second, operator)
        exponent = self.exponent()
        if self.token.kind in ("^", "%"):
            raise self.refuse("two readings: put the exponent in brackets")
        return Power(base=base, exponent=exponent, at=self.text.at(operator.start))

    def exponent(self) -> Tree:
        sign = self.advance() if self.token.kind in ("+", "-") else None
        bare = sign is not None or self.token.kind not in _OPENING
        inner = self.atom()
        self.ending = "exponent" if bare else "closed"
        return Negative(operand=inner) if sign is not None and sign.kind == "-" else inner

    def percent(self) -> Tree:
        tree = self.atom()
        while self.token.kind == "%":
            sign = self.advance()
            if self.ending != "closed" or self.next_is(*_STARTS, "%"):
                raise self.refuse("a percent sign can only end a value", sign)
            tree = _percent(tree)
        return tree

    def atom(self) -> Tree:
        token = self.advance()
        self.ending = "closed"
        match token.kind:
            case "number":
                return number_of(token.text)
            case "constant":
                return Constant(name=token.text, at=self.text.at(token.start))
            case "symbol":
                return Symbol(name=token.text)
            case "(" | "{":
                return self.bracket(token)
            case "frac":
                return self.fraction(token)
            case "function":
                return self.call(token)
            case _:
                if token.kind != "end":
                    self.index -= 1
                self.token = token
                raise self.refuse(self.unexpected())

    def bracket(self, opening: Token) -> Tree:
        inner = self.sum()
        if self.token.kind != _OPENING[opening.kind]:
            if self.token.kind == "end":
                raise self.refuse(f'this "{opening.text}" is never closed', opening)
            raise self.refuse(self.unexpected())
        self.advance()
        self.ending = "closed"
        return inner

    def fraction(self, token: Token) -> Tree:
        if self.token.kind == "number" and len(self.token.text) == 2 and self.token.text.isdigit():
            digits = self.advance().text  # \frac12
            return Quotient(top=number_of(digits[0]), bottom=number_of(digits[1]), at=self.text.at(token.start))
        top = self.fraction_part()
        bottom = self.fraction_part()
        self.ending = "closed"
        return Quotient(top=top, bottom=bottom, at=self.text.at(token.start))

    def fraction_part(self) -> Tree:
        if self.token.kind == "{":
            return self.bracket(self.advance())
        if self.token.kind in ("number", "symbol", "constant") and len(self.token.text) == 1:
            return self.atom()
        raise self.refuse("a LaTeX fraction needs both parts in braces: \\frac{1}{2}")

    def call(self, token: Token) -> Tree:
        name, at = token.text, self.text.at(token.start)
        if name == "softmax":
            raise self.refuse("softmax makes a list; one value is asked", token)
        if name == "sqrt" and self.token.kind == "[":
            return self.root(token)
        if self.token.kind in _OPENING:
            argument = self.bracket(self.advance())
            return Call(function=name, argument=argument, at=at)
        if self.token.kind not in _STARTS:
            raise self.refuse(f"{name} of what? Put it in brackets: {name}(2)")
        self.level += 1
        if self.level > MAX_DEPTH:
            raise self.refuse(f"nested deeper than {MAX_DEPTH} levels")
        argument = self.atom()
        self.level -= 1
        self.ending = "argument" if name == "sqrt" else "word"
        return Call(function=name, argument=argument, at=at)

    def root(self, token: Token) -> Tree:
        """LaTeX's ``\\sqrt[3]{x}``."""
        self.advance()
        order = self.sum()
        if self.token.kind != "]":
            raise self.refuse(self.unexpected())
        self.advance()
        if not self.next_is("{"):
            raise self.refuse("a LaTeX root needs braces: \\sqrt[3]{2}")
        argument = self.bracket(self.advance())
        at = self.text.at(token.start)
        return Power(base=argument, exponent=Quotient(top=number_of("1"), bottom=order, at=at), at=at)

    def softmax_arguments(self) -> list[Tree]:
        self.advance()
        closing: list[str] = []
        while self.token.kind in ("(", "[") and len(closing) < 2:
            closing.append(")" if self.advance().kind == "(" else "]")
        if not closing:
            raise self.refuse("softmax of what? Put the list in brackets: softmax(1, 2)")
        self.level += 1
        found = [self.sum()]
        while self.token.kind in (",", ";"):
            self.advance()
            found.append(self.sum())
        for bracket in reversed(closing):
            if self.token.kind != bracket:
                raise self.refuse(self.unexpected())
            self.advance()
        if self.token.kind != "end":
            raise self.refuse(self.unexpected())
        return found


def _sum(terms: list[Tree]) -> Tree:
    return terms[0] if len(terms) == 1 else Sum(terms=tuple(terms))


def _signed(tree: Tree, negative: bool) -> Tree:
    return Negative(operand=tree) if negative else tree


def _product(left: Tree, right: Tree) -> Tree:
    before = left.factors if isinstance(left, Product) else (left,)
    return Product(factors=(*before, right))


def _percent(tree: Tree) -> Tree:
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
