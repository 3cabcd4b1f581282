"""The reader of typed answers: kind to spellings, strict about two readings, inert whatever comes."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from headwork.answers.characters import Refused
from headwork.answers.matrices import Matrix, read_matrix
from headwork.answers.reader import Invalid, Reading, read
from headwork.answers.tokens import Grammar
from headwork.answers.tree import show, symbols_of
from headwork.answers.value import fraction, real, worth
from hypothesis import example, given, settings
from hypothesis import strategies as st

SYMBOLS = {"x": "real", "y": "real", "p_1": "positive", "g_2": "real", "d_head": "positive", "d": "positive"}
GRAMMAR = Grammar(symbols=SYMBOLS, infinity=True)
COMMA = Grammar(symbols=SYMBOLS, decimal_comma=True)

SPELLINGS = {
    "3": ["3", " 3 ", "３", "+3", "(3)", "3\n", "{3}", "$3$", r"\(3\)", "3.", "np.int64(3)"],
    "-3": ["-3", "−3", "–3", "- 3", "(-3)", "－３", "np.int64(-3)"],
    "0.25": ["0.25", ".25", "np.float64(0.25)", "tensor(0.25)", "array(0.25)", "float(0.25)"],
    "1/2": ["1/2", "1⁄2", "1÷2", "½", r"\frac{1}{2}", r"\dfrac12", r"\tfrac{1}{2}", "1 / 2", "１／２", r"1\div2"],
    "sqrt(2)": ["sqrt(2)", "√2", "√(2)", "sqrt2", "Sqrt(2)", r"\sqrt{2}", r"\sqrt2", "np.sqrt(2)", "math.sqrt(2)"],
    "2*sqrt(2)": ["2√2", "2sqrt(2)", "2*sqrt(2)", "2·√2", "2×√2", "2⋅√2", r"2\sqrt{2}", r"2\cdot\sqrt{2}", "2 √2"],
    "e^2": ["e^2", "e**2", "exp(2)", "e²", "e^{2}", "e^(2)", r"\exp(2)", r"\mathrm{e}^{2}", "np.exp(2)", "ℯ^2", "exp2"],
    "e^(-2/5)": ["e^(-2/5)", "exp(-2/5)", r"e^{-2/5}", r"\exp\left(-2/5\right)", "e^(−2/5)", "exp(−2⁄5)"],
    "ln(3)": ["ln(3)", "ln 3", "ln3", "log(3)", r"\ln 3", r"\ln{3}", r"\log(3)", "np.log(3)", "LN(3)"],
    "2*ln(3)": ["2ln(3)", "2 ln 3", "2·ln3", r"2\ln 3"],
    "pi": ["pi", "π", r"\pi", "Pi"],
    "-inf": ["-inf", "−∞", "-∞", "-oo", "-infinity", r"-\infty", "-np.inf", "-Inf"],
    "p_1": ["p_1", "p1", "p₁", "p_{1}", "(p_1)"],
    "p_1*g_2": ["p_1 g_2", "p1g2", "p₁g₂", "p_1*g_2", "p_{1}g_{2}", "p_1·g_2"],
    "x^2": ["x^2", "x**2", "x²", "x^{2}", "x^(2)", "𝑥²"],
    "x*y": ["xy", "x y", "x*y", "x·y", "x(y)", "(x)(y)", "x\u2062y"],
    "x*(x + 1)": ["x(x+1)", "x*(x+1)", "x (x + 1)", r"x\left(x+1\right)", "x(x\u00a0+\u00a01)"],
    "2*x*e^x": ["2x exp(x)", "2xexp(x)", "2*x*e^x"],
    "sqrt(d_head)": ["√d_head", "sqrt(d_head)", r"\sqrt{d_{head}}", "sqrt d_head"],
    "d_head^(-1/2)": ["d_head^(-1/2)", "d_head**(-1/2)", r"d_{head}^{-1/2}"],
    "50%": ["50%", "50 %", r"50\%"],
    "0.6": ["≈ 0.6", "~0.6", "= 0.6", "w = 0.6"],
    "1 - x": ["1-x", "1 − x", "1 – x"],
}
READ_AS = [(shown, typed) for shown, many in SPELLINGS.items() for typed in many]


@pytest.mark.parametrize(("shown", "typed"), READ_AS, ids=[typed for _, typed in READ_AS])
def test_a_spelling_is_read_as_it_is_meant(shown: str, typed: str) -> None:
    reading = read(typed, GRAMMAR)
    assert isinstance(reading, Reading), reading
    assert reading.text.replace("e^(2)", "e^2") == shown or reading.text == shown


REFUSED = {
    "1/2sqrt(2)": (4, "two readings: write (1/2)*sqrt(2) or 1/(2*sqrt(2))"),
    "1/2x": (4, "two readings: write (1/2)*x or 1/(2*x)"),
    "e^x(x+1)": (4, "two readings: write e^x*(x + 1) or e^(x*(x + 1))"),
    "√2x": (3, "two readings: write sqrt(2)*x or sqrt(2*x)"),
    "2^3^2": (4, "two readings: put the exponent in brackets"),
    "ln 2/3": (5, "two readings: put what the function is taken of in brackets"),
    "1,234": (2, "a comma between digits has two readings (decimals or thousands): write the decimal point"),
    "1½": (2, "a mixed number has two readings here: write it as a sum or one fraction"),
    "--3.2": (2, "two signs in a row: put the signed number in brackets"),
    "2 3": (3, "a number right after another value: is a sign missing?"),
    "1 1/2": (3, "a number right after another value: is a sign missing?"),
    "(1+2": (1, 'this "(" is never closed'),
    "1+2)": (4, '")" closes nothing'),
    "1+": (3, "something is missing at the end"),
    "*2": (1, '"*" is not expected here'),
    "[1, 2]": (1, '"[" belongs to a list; one value is asked'),
    "sqrt": (5, "sqrt of what? Put it in brackets: sqrt(2)"),
    "softmax(1, 2)": (1, "softmax makes a list; one value is asked"),
    "2 - inf": (1, "infinity can stand alone, but is nothing to calculate with"),
    "1:30": (2, '":" has no meaning here'),
    "х + 1": (1, 'the character "х" (cyrillic small letter ha, U+0445) has no meaning here'),
    "1e400": (2, "a power of ten beyond 300"),
    "0x10": (2, "numbers are written in plain decimal digits"),
    r"\foo{1}": (1, "the LaTeX command \\foo is not one of this grammar"),
    "": (1, "nothing is there"),
    "   ": (4, "nothing is there"),
}


@pytest.mark.parametrize("typed", REFUSED)
def test_a_refusal_points_at_the_character_and_says_why(typed: str) -> None:
    position, message = REFUSED[typed]
    reading = read(typed, GRAMMAR)
    assert isinstance(reading, Invalid)
    assert (reading.at + 1, reading.message) == (position, message)


def test_a_refusal_shows_the_place_and_what_was_read_so_far() -> None:
    reading = read("3 + 1/2√2", GRAMMAR)
    assert isinstance(reading, Invalid)
    assert reading.pointed() == (
        "cannot be read at character 8: two readings: write (1/2)*sqrt(2) or 1/(2*sqrt(2))\n"
        "  3 + 1/2√2\n"
        "         ^\n"
        "  read so far: 3 + 1/2"
    )


def test_an_unknown_name_is_told_which_names_there_are() -> None:
    reading = read("2*z", Grammar(symbols={"p_1": "positive"}))
    assert isinstance(reading, Invalid)
    assert reading.message == (
        'the name "z" is not known; the names of this question are p_1, e and pi, and the functions sqrt, exp and ln'
    )


def test_infinity_is_a_value_only_where_it_can_be_one() -> None:
    assert isinstance(read("-inf"), Invalid)


@pytest.mark.parametrize(
    ("typed", "shown"), [("0,25", "0.25"), ("1,5/2", "1.5/2"), ("-2,5√2", "-2.5*sqrt(2)"), ("1.5", "1.5")]
)
def test_a_decimal_comma_is_read_where_it_is_declared(typed: str, shown: str) -> None:
    reading = read(typed, COMMA)
    assert isinstance(reading, Reading)
    assert reading.text == shown


@pytest.mark.parametrize("typed", ["1,234.5", "1.234,5", "1,2,3"])
def test_two_marks_in_one_number_are_refused(typed: str) -> None:
    assert isinstance(read(typed, COMMA), Invalid)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("1" * 2001, "longer than 2000 characters"),
        ("(" * 60 + "1" + ")" * 60, "nested deeper than 50 levels"),
        ("√" * 60 + "2", "nested deeper than 50 levels"),
        ("1" * 61, "a number with more than 60 digits"),
        ("+".join("1" * 700), "more than 600 numbers, names and signs"),
        ("1" + "/1" * 60, "nested deeper than 50 levels"),
    ],
)
def test_limits_are_said(typed: str, message: str) -> None:
    reading = read(typed)
    assert isinstance(reading, Invalid)
    assert reading.message == message


@pytest.mark.parametrize("typed", ["9^9^9", "e^(e^(e^99))", "(10^300)^300", "exp(99999)", "9^(9^9)", "10^300^300"])
def test_a_tower_of_powers_takes_no_time(typed: str) -> None:
    times = []
    for _ in range(3):
        start = time.process_time()
        assert is_refused(typed)
        times.append(time.process_time() - start)
    assert min(times) < 0.05


def is_refused(typed: str) -> bool:
    reading = read(typed)
    if isinstance(reading, Invalid):
        return True
    with pytest.raises(Refused):
        worth(reading.tree)
    return True


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("1/(2-2)", "this divides by zero"),
        ("1/0", "this divides by zero"),
        ("0^-1", "this divides by zero"),
        ("0^0", "0 to the power 0 has no value"),
        ("sqrt(-1)", "the square root of a negative number is not real"),
        ("ln(0)", "the logarithm of 0 or less is not real"),
        ("(-2)^0.5", "a negative number to a broken power has no real value"),
    ],
)
def test_what_has_no_value_is_told(typed: str, message: str) -> None:
    reading = read(typed)
    assert isinstance(reading, Reading)
    with pytest.raises(Refused, match=message):
        worth(reading.tree)


# --- any text at all ----------------------------------------------------------------------------

PIECES = st.sampled_from(
    [*"0123456789.,;+-*/^()[]{}%|&=_ \n\t", "sqrt", "exp", "ln", "e", "x", "p_1", "√", "−", "²", "½", "1e5", "\\frac",
     "\\sqrt", "\\left(", "\\begin{pmatrix}", "\\end{pmatrix}", "\\\\", "array(", "softmax(", "inf", "nan", "9^9"]
)  # fmt: skip
ANYTHING = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join))


@settings(max_examples=600, deadline=None)
@given(ANYTHING)
@example("\x00")
@example("\ud800")
@example("^^")
@example("_1")
def test_any_text_ends_in_a_value_or_is_invalid(text: str) -> None:
    reading = read(text, GRAMMAR)
    if isinstance(reading, Invalid):
        assert reading.pointed()
        assert 0 <= reading.at <= len(text)
    else:
        assert reading.text == show(reading.tree)


@settings(max_examples=400, deadline=None)
@given(ANYTHING, st.booleans())
def test_any_text_is_a_matrix_or_is_invalid(text: str, comma: bool) -> None:
    found = read_matrix(text, COMMA if comma else GRAMMAR)
    if isinstance(found, Invalid):
        assert found.pointed()
        assert 0 <= found.at <= len(text)
    else:
        assert len(found.cells) == sum(found.lengths)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_shown_back_reads_as_the_same(text: str) -> None:
    reading = read(text, GRAMMAR)
    if isinstance(reading, Reading):
        again = read(reading.text, GRAMMAR)
        assert isinstance(again, Reading)
        assert value_of(again) == value_of(reading)


def value_of(reading: Reading) -> object:
    try:
        exact = fraction(reading.tree)
        if exact is not None:
            return exact
        return f"{float(worth(reading.tree, {name: real(2) for name in symbols_of(reading.tree)})):.12g}"
    except Refused as refused:
        return refused.message


def test_the_reader_of_the_bench_survives_a_sample() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
    try:
        bench = pytest.importorskip("fuzz_reader")
    finally:
        sys.path.pop(0)
    assert bench.main(800) == 0


def test_a_matrix_cell_says_where_it_cannot_be_read() -> None:
    found = read_matrix("1 2\n3 z")
    assert isinstance(found, Invalid)
    assert found.message.startswith('row 2, column 2: the name "z" is not known')


def test_matrices_keep_to_the_same_grammar() -> None:
    assert isinstance(read_matrix("[[x, 1], [2, √2]]", GRAMMAR), Matrix)
