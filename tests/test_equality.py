"""Which answers are the same, what decided it, and which form was asked."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from threading import Thread

import pytest
from headwork.answers.equality import Comparison, compare
from headwork.answers.form import form_fault
from headwork.answers.proof import proved_equal
from headwork.answers.reader import Invalid, Reading, read
from headwork.answers.tokens import Grammar
from headwork.answers.tree import Tree
from hypothesis import given, settings
from hypothesis import strategies as st

SYMBOLS = {
    **dict.fromkeys(("x", "y", "g_1", "g_2"), "real"),
    **dict.fromkeys(("a", "b", "d", "d_head", "n_heads", "T", "B", "p_1", "p_2"), "positive"),
}
GRAMMAR = Grammar(symbols=SYMBOLS, infinity=True)
with open(Path(__file__).parent / "data" / "answer_pairs.csv", encoding="utf-8", newline="") as _file:
    PAIRS = list(csv.DictReader(_file))


def tree(text: str) -> Tree:
    reading = read(text, GRAMMAR)
    assert isinstance(reading, Reading), reading
    return reading.tree


def decided(student: str, reference: str) -> Comparison:
    return compare(tree(student), tree(reference), SYMBOLS)


def test_there_are_two_hundred_pairs() -> None:
    assert len(PAIRS) >= 200
    assert len({(pair["student"], pair["reference"]) for pair in PAIRS}) == len(PAIRS)


READABLE = [pair for pair in PAIRS if pair["equal"] in ("yes", "no")]


@pytest.mark.parametrize("pair", READABLE, ids=lambda pair: f"{pair['student']} = {pair['reference']}")
def test_a_written_out_pair_is_judged_right(pair: dict[str, str]) -> None:
    assert decided(pair["student"], pair["reference"]).equal is (pair["equal"] == "yes")


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair["equal"] == "no-reading"], ids=lambda p: p["student"])
def test_a_pair_outside_of_the_grammar_is_invalid(pair: dict[str, str]) -> None:
    readings = [read(pair[side], GRAMMAR) for side in ("student", "reference")]
    assert any(isinstance(reading, Invalid) for reading in readings)


@pytest.mark.parametrize(
    ("student", "reference", "by"),
    [
        ("1/2", "0.5", "fractions"),
        ("1/3", "0.333", "fractions"),
        ("sqrt(2)", "1.414", "digits"),
        ("sqrt(8)", "2*sqrt(2)", "proof"),
        ("e^x/(e^x+e^y)", "1/(1+e^(y-x))", "proof"),
        ("x", "x^2", "points"),
    ],
)
def test_the_result_says_what_decided(student: str, reference: str, by: str) -> None:
    assert decided(student, reference).decided_by == by


def test_without_a_proof_in_time_sixty_digits_decide() -> None:
    found: list[Comparison] = []
    # A proof is stopped by a signal, which other threads than the main one do not get.
    thread = Thread(target=lambda: found.append(decided("sqrt(8)", "2*sqrt(2)")))
    thread.start()
    thread.join()
    assert found == [Comparison(equal=True, decided_by="digits")]


def test_agreeing_digits_with_a_proof_against_them_are_for_a_person() -> None:
    assert decided("sqrt(2)+10^-90", "sqrt(2)").equal is None


def test_a_slow_proof_is_given_up() -> None:
    left = tree("(x+1)^40*(y+2)^40*(a+3)^40/((b+1)^40+(x+y)^30)")
    assert proved_equal(left, tree("x"), SYMBOLS, seconds=0.05) is None


@settings(max_examples=150, deadline=None)
@given(st.fractions(max_denominator=50), st.fractions(max_denominator=50))
def test_fractions_are_equal_exactly_when_they_are(one: Fraction, other: Fraction) -> None:
    assert decided(f"({one})", f"({other})").equal is (one == other)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_roots_multiply(first: int, second: int, outside: int) -> None:
    student = tree(f"{outside}*sqrt({first})*sqrt({second})")
    assert compare(student, tree(f"sqrt({outside * outside * first * second})")).equal is True


# --- forms --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("sqrt(2)/2", "exact"),
        ("50%", "exact"),
        ("1/(1+e^(-2/5))", "one fraction"),
        ("e^(4/5)/(e^(4/5)+e^(2/5))", "one fraction"),
        ("-3/4", "one fraction"),
        ("1/(1+e^(-2/5))", "in terms of e"),
        ("exp(2)", "in terms of e"),
        ("3/4", "simplified"),
        ("3*sqrt(2)/5", "simplified"),
    ],
)
def test_a_form_is_recognised(answer: str, form: str) -> None:
    assert form_fault(tree(answer), form) is None


@pytest.mark.parametrize(
    ("answer", "form", "said"),
    [
        ("0.7071", "exact", "0.7071 is a decimal; give the exact value"),
        ("1-1/(1+e^(2/5))", "one fraction", "there is more than one fraction in it; write one"),
        ("1/2+1/3", "one fraction", "there is more than one fraction in it; write one"),
        ("3/4", "in terms of e", "it is not written in terms of e"),
        ("1/(1+0.67)", "in terms of e", "it holds a decimal; leave powers of e as they are"),
        ("6/8", "simplified", "the fraction 6/8 can be reduced"),
        ("sqrt(8)", "simplified", "sqrt(8) can be simplified"),
        ("2*3*sqrt(2)", "simplified", "numbers in it can be multiplied"),
        ("1+2+sqrt(2)", "simplified", "numbers in it can be added"),
    ],
)
def test_another_form_is_told_apart_from_the_value(answer: str, form: str, said: str) -> None:
    assert form_fault(tree(answer), form) == said
