"""Throw generated strings at the reader of typed answers: each must end in a value or in "invalid", quickly.

    python bench/fuzz_reader.py [COUNT]

Prints how many were read, how many were not, and the slowest; ends in 1 if one took over 50 ms or raised.
"""

from __future__ import annotations

import hashlib
import sys
import time
import traceback
from collections.abc import Iterator

from headwork.answers.characters import Refused
from headwork.answers.matrices import Matrix, read_matrix, shown
from headwork.answers.reader import Invalid, Reading, read
from headwork.answers.tokens import Grammar
from headwork.answers.tree import Tree, symbols_of
from headwork.answers.value import fraction, real, worth

GRAMMAR = Grammar(symbols={"x": "real", "p_1": "positive", "d_head": "positive"}, infinity=True, words=True)
COMMA = Grammar(symbols={"x": "real"}, decimal_comma=True, infinity=True)
ODD_TEXT = (
    "0 1 2 3 9 10 0.5 .5 12. 1e5 1e-300 2e999 99999999999999999999 + - * / ^ ** ( ) [ ] { } , ; % ! | & ~ = : . _ ' \" "
    "sqrt exp ln log softmax e pi x p_1 p1 d_head inf nan True √ π ∞ − × · ⋅ ² ³ ⁻¹ ₁ ½ ， （ ） \\frac \\sqrt \\exp \\ln "
    "\\left( \\right) \\cdot \\begin{pmatrix} \\end{pmatrix} \\\\ \\begin \\ $ array( tensor( np.float64( np. dtype= "
    "sqrt( exp( ln( e^ 10^ 9^9^9 __import__ lambda f( \u200b \u202e х 一 \x00 \U0001d465 \ud800"
)
ODD = [*ODD_TEXT.split(" "), " ", "\n", "\t", "  ", "\n\n"]
VALUES = ("0", "1", "2", "9", "10", "0.5", "-3", "1/2", "√2", "sqrt(2)", "e^2", "e^(-2/5)", "ln(3)", "x", "p_1", "pi",
          "2e3", "50%", "x²", "1e300", "9^99", "\\frac{1}{2}", "(1+e^9)", "exp(99)", "-inf", "99999999999")  # fmt: skip
BETWEEN = (
    "+",
    "-",
    "*",
    "/",
    "^",
    " ",
    " + ",
    " - ",
    "*",
    "·",
    "/",
    "",
    ",",
    ";",
    "\n",
    "\t",
    " & ",
    "^-",
    "**",
    ")*(",
)


def strings(count: int, seed: str = "fuzz") -> Iterator[str]:
    """``count`` strings, always the same for a seed: well-formed pieces in a row, any pieces, one piece many times."""
    for index in range(count):
        raw = hashlib.shake_128(f"{seed} {index}".encode()).digest(64)
        if raw[0] < 3:
            yield ODD[raw[1] % len(ODD)] * (1 + raw[2] * 20)
        elif raw[0] < 100:
            yield "".join(ODD[raw[2 + each] % len(ODD)] for each in range(1 + raw[1] % 30))
        else:
            wrap = (("", ""), ("(", ")"), ("[", "]"), ("[[", "]]"), ("sqrt(", ")"), ("array([", "])"), ("-", ""))[
                raw[1] % 7
            ]
            values = "".join(
                VALUES[raw[4 + 2 * each] % len(VALUES)] + BETWEEN[raw[5 + 2 * each] % len(BETWEEN)]
                for each in range(raw[2] % 9)
            )
            yield f"{wrap[0]}{values}{VALUES[raw[3] % len(VALUES)]}{wrap[1]}"


def handled(text: str, grammar: Grammar) -> int:
    """Read and evaluate one string as an expression and as a matrix; how many of the two were read."""
    reading, matrix = read(text, grammar), read_matrix(text, grammar)
    trees: list[Tree] = []
    for found in (reading, matrix):
        if isinstance(found, Invalid):
            found.pointed()
        elif isinstance(found, Reading):
            trees.append(found.tree)
        else:
            shown(found)
            trees += [cell for cell in found.cells if cell is not None]
    for tree in trees:
        try:
            fraction(tree)
            worth(tree, {name: real(2) for name in symbols_of(tree)})
        except Refused:
            continue
    return isinstance(reading, Reading) + isinstance(matrix, Matrix)


def main(count: int) -> int:
    read_count, slowest, slowest_text, faults = 0, 0.0, "", 0
    handled("e+1", GRAMMAR)
    begun = time.perf_counter()
    for index, text in enumerate(strings(count)):
        start = time.process_time()
        try:
            read_count += handled(text, COMMA if index % 4 == 0 else GRAMMAR) > 0
        except Exception:
            faults += 1
            print(repr(text[:200]), file=sys.stderr)
            traceback.print_exc(limit=-3)
        took = time.process_time() - start
        if took > slowest:
            slowest, slowest_text = took, text
    print(
        f"{count} strings in {time.perf_counter() - begun:.0f} s: {read_count} read, {count - read_count} invalid, "
        f"{faults} raised; slowest {slowest * 1000:.1f} ms: {slowest_text[:60]!r}"
    )
    return int(faults > 0 or slowest > 0.05)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
