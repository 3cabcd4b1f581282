"""Answers that other graders marked wrongly, with the verdicts they should have had (tests/cases/C*)."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from headwork.answers.decimals import Asked, Closeness, closeness, within
from headwork.answers.equality import compare
from headwork.answers.form import form_fault
from headwork.answers.matrices import Matrix, read_matrix
from headwork.answers.reader import Invalid, Reading, read
from headwork.answers.tokens import Grammar
from headwork.answers.tree import literal, show
from headwork.answers.value import real, worth

CASES = Path(__file__).parent / "cases"
POSITIVE = {"a": "positive", "b": "positive", "d": "positive", "s": "real", "x": "real"}
GRAMMAR = Grammar(symbols=POSITIVE)


def rows(case: str) -> list[dict[str, str]]:
    with open(CASES / case / "answers.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def allowed(accept: str) -> dict[str, Fraction]:
    named = dict(part.split() for part in accept.split(", "))
    return {
        "relative": Fraction(named.get("rel", "0")),
        "absolute": Fraction(named.get("abs", "0")),
    }


def judged_number(row: dict[str, str]) -> str:
    reading = read(row["submitted"], GRAMMAR)
    if isinstance(reading, Invalid):
        return "invalid"
    reference = read(row["reference"])
    assert isinstance(reference, Reading)
    student, wanted = worth(reading.tree), worth(reference.tree)
    asked = re.fullmatch(r"(\d+) (decimals|significant figures)", row["accept"])
    if asked:
        number = int(asked[1])
        places = Asked(decimals=number) if asked[2] == "decimals" else Asked(significant=number)
        found = closeness(student, wanted, places, literal(reading.tree))
        return "right" if found is Closeness.RIGHT else "wrong"
    return "right" if within(student, wanted, **allowed(row["accept"])) else "wrong"


def judged_array(row: dict[str, str]) -> str:
    matrix = read_matrix(row["submitted"], GRAMMAR)
    if isinstance(matrix, Invalid):
        return "invalid"
    reference = [[Fraction(cell) for cell in line.split()] for line in row["reference"].split(";")]
    flat = [cell for line in reference for cell in line]
    shape = (len(flat),) if row["task"] == "list" else (len(reference), len(reference[0]))
    if not matrix.fits(shape):
        return "wrong"
    distance = allowed(row["accept"])
    right = [
        cell is not None and within(worth(cell), real(wanted), **distance)
        for cell, wanted in zip(matrix.cells, flat, strict=True)
    ]
    return "right" if all(right) else "wrong"


def judged_symbolic(row: dict[str, str]) -> str:
    student, reference = read(row["submitted"], GRAMMAR), read(row["reference"], GRAMMAR)
    assert isinstance(reference, Reading)
    if isinstance(student, Invalid):
        return "invalid"
    fault = form_fault(student.tree, "exact")
    if fault and row["accept"] == "exact":
        return "wrong"
    if fault:
        distance = allowed(row["accept"].removeprefix("exact or decimal, "))
        return "right" if within(worth(student.tree), worth(reference.tree), **distance) else "wrong"
    return "right" if compare(student.tree, reference.tree, POSITIVE).equal else "wrong"


JUDGES = {"number": judged_number, "list": judged_array, "matrix": judged_array, "symbolic": judged_symbolic}
ANSWERS = [
    pytest.param(row, id=f"{case[:3]}-{row['item']}")
    for case in ("C03-zero-and-sign", "C05-pasted-text", "C07-surds", "C09-implicit-multiplication", "C11-rounding")
    for row in rows(case)
]


@pytest.mark.parametrize("row", ANSWERS)
def test_the_verdict_is_the_one_of_the_case(row: dict[str, str]) -> None:
    assert JUDGES[row["task"]](row) == row["verdict"]


@pytest.mark.parametrize(
    "item", json.loads((CASES / "C01-shapes" / "items.json").read_text("utf-8")), ids=lambda item: item["name"]
)
def test_values_are_compared_only_where_the_shapes_are_the_same(item: dict[str, object]) -> None:
    reference, submitted = read_matrix(json.dumps(item["reference"])), read_matrix(json.dumps(item["submitted"]))
    assert isinstance(reference, Matrix)
    assert isinstance(submitted, Matrix)
    assert reference.shape is not None
    same = submitted.fits(reference.shape) and submitted.cells == reference.cells
    assert same == (item["verdict"] == "right")


@pytest.mark.parametrize(
    ("typed", "shown"), [("3e2", "300"), ("e^2/1+e^2", "e^2 + e^2"), ("2√2", "2*sqrt(2)"), ("3 e**2", "3*e^2")]
)
def test_what_was_read_is_shown_back(typed: str, shown: str) -> None:
    reading = read(typed)
    assert isinstance(reading, Reading)
    assert reading.text == shown


@pytest.mark.parametrize(
    ("typed", "readings"),
    [
        ("1/2sqrt(2)", "two readings: write (1/2)*sqrt(2) or 1/(2*sqrt(2))"),
        ("e^x(x+1)", "two readings: write e^x*(x + 1) or e^(x*(x + 1))"),
    ],
)
def test_two_readings_are_both_shown(typed: str, readings: str) -> None:
    reading = read(typed, GRAMMAR)
    assert isinstance(reading, Invalid)
    assert reading.message == readings


def test_a_decimal_where_an_exact_value_is_asked_is_told_so() -> None:
    reading = read("0.7071067811865476")
    assert isinstance(reading, Reading)
    assert form_fault(reading.tree, "exact") == "0.7071067811865476 is a decimal; give the exact value"


def test_too_few_digits_have_a_word_of_their_own() -> None:
    reading = read("0.67")
    assert isinstance(reading, Reading)
    found = closeness(worth(reading.tree), real(0.6652409557748219), Asked(decimals=3), literal(reading.tree))
    assert found is Closeness.TOO_FEW
    assert Asked(decimals=3).text() == "3 decimals"


# --- hostile answers ----------------------------------------------------------------------------

ATTACKS = Path(__file__).parent / "hostile" / "attacks"
LINES = [
    pytest.param(line.partition(" = ")[2], id=f"{path.name[:3]}-{line.partition(' = ')[0]}-{number}")
    for path in sorted(ATTACKS.glob("G*.answers.txt"))
    for number, line in enumerate(path.read_text("utf-8").split("\n"))
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("typed", LINES)
def test_a_hostile_answer_ends_inert(typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    grammar = Grammar(symbols={"x": "real", "y": "real", "d_k": "positive"})
    for found in (read(typed, grammar), read_matrix(typed, grammar)):
        if isinstance(found, Invalid):
            assert found.pointed()
        else:
            assert show(found.tree) if isinstance(found, Reading) else found.cells is not None
    assert not list(tmp_path.iterdir())


REFERENCE = read("x^2", Grammar(symbols={"x": "real"}))
PROBES = [
    line.partition(" = ")[2]
    for line in (ATTACKS / "G07_probe_points.answers.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("typed", PROBES)
def test_an_answer_that_agrees_at_likely_points_only_is_not_equal(typed: str) -> None:
    symbols = dict.fromkeys("xyz", "real")
    student = read(typed, Grammar(symbols=symbols))
    assert isinstance(REFERENCE, Reading)
    right = isinstance(student, Reading) and compare(student.tree, REFERENCE.tree, symbols).equal
    assert right is False


@pytest.mark.parametrize(
    "typed", ["nan", "inf", "1_000", "0x10", "1e400", "3,14", "True", "12abc", "", "1e5000000000", "9" * 400]
)
def test_an_odd_number_is_invalid(typed: str) -> None:
    assert isinstance(read(typed), Invalid)


@pytest.mark.parametrize("typed", [".5", "12.", " 3 ", "1/3", "50%", "-0.0", "１２"])
def test_a_plain_number_is_read(typed: str) -> None:
    assert isinstance(read(typed), Reading)
