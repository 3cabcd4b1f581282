"""Tokens to a tree, by precedence, with nothing guessed.

Where a text has two readings it is refused and both are named: that costs nothing, a wrong guess would.
Precedence, loosest first: + -, then * / and products without a sign, then the sign, then ^, then %.
"""

from __future__ import annotations

from .characters import Plain, Refused
from .literals import number_of, percent_of, product_of, signed, sum_of
from .tokens import Grammar, Token, tokenise
from .tree import Call, Constant, Negative, Power, Product, Quotient, Symbol, Tree, show

MAX_FACTORS = 500
MAX_DEPTH = 50

_OPENING = {"(": ")", "{": "}"}
_STARTS = frozenset(("number", "constant", "symbol", "function", "frac", "(", "{"))


def parsed(text: Plain, grammar: Grammar) -> Tree:
    """The tree of one whole expression. Raises Refused."""
    return _Parser(text, grammar).whole()


def parsed_softmax(text: Plain, grammar: Grammar) -> list[Tree]:
    """The arguments of ``softmax(…)``, given the whole call. Raises Refused."""
    return _Parser(text, grammar).softmax_arguments()


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
        return Refused(message, self.text.at((token or self.token).start), show(sum_of(self.done)) if self.done else "")

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
        return sum_of(terms)

    def term(self, *, negative: bool, before: list[Tree]) -> Tree:
        left = self.power()
        divided: Token | None = None
        steps = 0
        while True:
            steps += 1
            if steps > MAX_FACTORS:
                raise self.refuse("too many factors")
            kind = self.token.kind
            if self.level == 1:
                self.done = [*before, signed(left, negative)]
            if kind in ("*", "/"):
                operator = self.advance()
                if self.ending == "word":
                    raise self.refuse("two readings: put what the function is taken of in brackets", operator)
                divided = operator if kind == "/" else None
                right = self.signed()
                left = product_of(left, right) if kind == "*" else self.quotient(left, right, operator)
            elif kind in _STARTS:
                left = self.implied(left, divided)
            else:
                return signed(left, negative)

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
                f"({show(left)})*{show(right)}", Quotient(top=left.top, bottom=product_of(left.bottom, right)), token
            )
        if token.command or (ending == "argument" and token.kind == "function"):
            return product_of(left, right)
        if ending != "closed":
            last = left.factors[-1] if isinstance(left, Product) else left
            if ending == "exponent" and isinstance(last, Power):
                second = Power(base=last.base, exponent=product_of(last.exponent, right))
                raise self.two_readings(product_of(last, right), second, token)
            if isinstance(last, Call):
                second = Call(function=last.function, argument=product_of(last.argument, right))
                raise self.two_readings(product_of(last, right), second, token)
            raise self.refuse("two readings: use brackets or a product sign", token)
        return product_of(left, right)

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
            tree = percent_of(tree)
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
