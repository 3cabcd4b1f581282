"""What "to 3 decimals" accepts."""

from __future__ import annotations

from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from headwork.answers.decimals import Asked, Closeness, closeness, tells_apart
from headwork.answers.reader import Reading, read
from headwork.answers.tree import literal
from headwork.answers.value import real, worth
from hypothesis import given, settings
from hypothesis import strategies as st

ASKED = Asked(decimals=3)
FINE = st.fractions(min_value=-50, max_value=50, max_denominator=10**6)


def judged(typed: str, reference: Fraction, asked: Asked = ASKED) -> Closeness:
    reading = read(typed)
    assert isinstance(reading, Reading)
    return closeness(worth(reading.tree), real(reference), asked, literal(reading.tree))


def to_places(value: Fraction, places: int, rounding: str = ROUND_HALF_UP) -> str:
    units = Decimal(value.numerator * 10**places) / Decimal(value.denominator)
    return f"{units.to_integral_value(rounding=rounding).scaleb(-places):.{places}f}"


@settings(max_examples=150, deadline=None)
@given(FINE, st.integers(3, 8))
def test_every_correct_rounding_is_right(value: Fraction, places: int) -> None:
    assert judged(to_places(value, places), value) is Closeness.RIGHT


@settings(max_examples=120, deadline=None)
@given(st.integers(-50_000, 50_000))
def test_either_rounding_of_a_tie_is_right(units: int) -> None:
    value = Fraction(2 * units + 1, 2000)
    for rounding in (ROUND_HALF_UP, ROUND_HALF_DOWN):
        assert judged(to_places(value, 3, rounding), value) is Closeness.RIGHT


@settings(max_examples=150, deadline=None)
@given(FINE, st.sampled_from([-3, -2, 2, 3]))
def test_two_units_off_is_wrong(value: Fraction, units: int) -> None:
    off = to_places(value + Fraction(units, 1000), 3)
    assert judged(off, value) is Closeness.WRONG


@settings(max_examples=150, deadline=None)
@given(FINE, st.integers(0, 2))
def test_fewer_digits_than_asked_are_never_wrong_but_too_few(value: Fraction, places: int) -> None:
    typed = to_places(value, places)
    wanted = Fraction(to_places(value, 3)) == Fraction(typed)
    assert judged(typed, value) is (Closeness.RIGHT if wanted else Closeness.TOO_FEW)


@settings(max_examples=120, deadline=None)
@given(FINE)
def test_the_exact_value_is_right_in_any_form(value: Fraction) -> None:
    assert judged(f"({value})", value) is Closeness.RIGHT


@pytest.mark.parametrize(
    ("typed", "reference", "found"),
    [
        ("59.9%", "0.599", Closeness.RIGHT),
        ("60%", "0.599", Closeness.TOO_FEW),
        ("6.65*10^-1", "0.6652", Closeness.RIGHT),
        ("6.65e-1", "0.6652", Closeness.RIGHT),
        ("2/3", "0.6652", Closeness.WRONG),
        ("0.50", "0.5001", Closeness.RIGHT),
        ("0", "0.0004", Closeness.RIGHT),
        ("0", "0.0006", Closeness.TOO_FEW),
        ("-0.665", "0.6652", Closeness.WRONG),
    ],
)
def test_what_was_typed_counts_as_it_shows(typed: str, reference: str, found: Closeness) -> None:
    assert judged(typed, Fraction(reference)) is found


@settings(max_examples=120, deadline=None)
@given(FINE, FINE)
def test_where_digits_tell_two_values_apart_no_answer_is_right_for_both(one: Fraction, other: Fraction) -> None:
    if tells_apart(real(one), real(other), ASKED):
        assert judged(to_places(other, 3), one) is not Closeness.RIGHT
        assert judged(to_places(other, 5), one) is not Closeness.RIGHT
