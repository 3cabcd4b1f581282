"""Text of others stays text: in a terminal, in a log line, in a spreadsheet."""

import csv
import io
import json
import unicodedata
from pathlib import Path

import pytest
from headwork.reports.shown_text import csv_cell, shown_line, shown_text
from hypothesis import given
from hypothesis import strategies as st

ATTACKS = Path(__file__).parent / "hostile" / "attacks"
NAMES = [
    str(student["name"])
    for file in ("G20_names_html.roster.json", "G21_names_csv.roster.json")
    for student in json.loads((ATTACKS / file).read_text(encoding="utf-8"))["students"]
]
FORMULAS = [
    str(s["name"]) for s in json.loads((ATTACKS / "G21_names_csv.roster.json").read_text(encoding="utf-8"))["students"]
]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("O'Brien & Søns 張偉", "O'Brien & Søns 張偉"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nPASS\r", "a\\nPASS\\r"),
        ("\u202eyp.evil", "\\u202eyp.evil"),
        ("x\u200b\ufeff", "x\\u200b\\ufeff"),
        ("\x9b31m", "\\x9b31m"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_a_code(text, shown):
    assert shown_line(text) == shown


def test_long_text_is_cut_and_says_so():
    assert shown_line("x" * 300, longest=10) == "x" * 9 + "…"


def test_several_lines_stay_lines():
    assert shown_text("a\r\n\tb\x07") == "a\n    b\\x07"


@given(st.text())
def test_a_shown_line_has_nothing_that_acts(text):
    shown = shown_line(text, longest=10_000)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    shown.encode("utf-8")


@pytest.mark.parametrize("name", [n for n in FORMULAS if n != "%0A=1+1"])
def test_a_formula_gets_an_apostrophe(name):
    assert csv_cell(name).startswith("'")


@pytest.mark.parametrize("name", ["Pat Doe", "O'Neill", "Jean-Luc", "zhang_(wei)", "ana.b+lab", "", "3 = 2 + 1"])
def test_an_ordinary_name_is_left_as_it_is(name):
    assert csv_cell(name) == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_row_stays_one_row_whatever_the_name(name, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerow(["s1", csv_cell(name), "7"])
    assert len(file.getvalue().splitlines()) == 1
    assert next(csv.reader([file.getvalue()], delimiter=delimiter)) == ["s1", csv_cell(name), "7"]
