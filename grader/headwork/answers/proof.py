"""Proof of equality by SymPy, within a time limit. SymPy's home among the answers.

SymPy is given trees of our own, node by node; it never sees a text.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, cast

from .tree import Call, Constant, Negative, Number, Power, Product, Quotient, Sum, Symbol, Tree

SECONDS = 0.5
_LARGEST = 200
"""Whole exponents and nodes beyond this are not worth a proof."""


_OURS = ("sympy", "mpmath", "headwork")


class _OutOfTime(BaseException):
    """No Exception, so that SymPy's own handlers let it through."""


class _TooLarge(Exception):
    pass


def proved_equal(left: Tree, right: Tree, symbols: Mapping[str, str], seconds: float = SECONDS) -> bool | None:
    """True or False where SymPy decides in time, None where it does not."""
    if threading.current_thread() is not threading.main_thread():
        return None  # the clock that stops SymPy is a signal, which only the main thread gets
    import sympy  # before the clock runs

    del sympy
    try:
        with _clock(seconds):
            difference = expression(left, symbols) - expression(right, symbols)
            return _is_zero(difference)
    except (_OutOfTime, _TooLarge):
        return None
    except (ArithmeticError, AttributeError, NotImplementedError, RecursionError, TypeError, ValueError):
        return None  # SymPy has no answer; numbers decide


def _is_zero(difference: Any) -> bool | None:
    import sympy

    ways = cast("tuple[Callable[[Any], Any], ...]", (sympy.expand, sympy.together, sympy.radsimp, sympy.simplify))
    for attempt in ways:
        difference = attempt(difference)
        if difference == 0:
            return True
    return False if difference.is_zero is False else None


def expression(tree: Tree, symbols: Mapping[str, str]) -> Any:
    """A tree as a SymPy expression. Symbols are real, and positive where so declared."""
    import sympy

    def made(node: Tree) -> Any:
        match node:
            case Number(value=value):
                return sympy.Rational(value.numerator, value.denominator)
            case Constant(name=name):
                return cast("dict[str, Any]", {"e": sympy.E, "pi": sympy.pi, "inf": sympy.oo})[name]
            case Symbol(name=name):
                kind: dict[str, Any] = {"positive": True} if symbols.get(name) == "positive" else {"real": True}
                return sympy.Symbol(name, **kind)
            case Negative(operand=operand):
                return -made(operand)
            case Sum(terms=terms):
                return sympy.Add(*[made(term) for term in terms])
            case Product(factors=factors):
                return sympy.Mul(*[made(factor) for factor in factors])
            case Quotient(top=top, bottom=bottom):
                return made(top) / made(bottom)
            case Power(base=base, exponent=exponent):
                below, above = made(base), made(exponent)
                if above.is_number and abs(above.evalf(5)) > _LARGEST:
                    raise _TooLarge
                return below**above
            case Call(function=function, argument=argument):
                return {"sqrt": sympy.sqrt, "exp": sympy.exp, "ln": sympy.log}[function](made(argument))

    return made(tree)


@contextmanager
def _clock(seconds: float) -> Generator[None]:
    """Raise _OutOfTime in the main thread after this time; an alarm that was set before goes on afterwards."""

    running = [True]

    def ring(number: int, frame: FrameType | None) -> None:
        del number
        # Python swallows what is raised in a callback of its own (a collection, a finaliser): wait for the next ring.
        if running and frame is not None and frame.f_globals.get("__name__", "").startswith(_OURS):
            raise _OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    waiting, _ = signal.setitimer(signal.ITIMER_REAL, seconds, 0.02)
    try:
        try:
            yield
        finally:
            running.clear()
    finally:  # also when it rang a moment ago
        signal.setitimer(signal.ITIMER_REAL, waiting)
        signal.signal(signal.SIGALRM, before)
