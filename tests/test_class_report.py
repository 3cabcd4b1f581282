"""The class: the same figures everywhere, no zero for want of a mark, what to teach next."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from headwork.model import Judgement, Report, Status, Verdict
from headwork.reports.class_figures import bands, mistakes_by_stage
from headwork.reports.class_report import class_html, class_lines, class_table, grades_csv, summary_sentence
from headwork.reports.figures import points_number
from headwork.reports.record import to_json
from made_reports import HOSTILE, MIXED, NOT_SCALED, judged, report_of
from sheets import content
from test_feedback import pages_of, seen

CASES = Path(__file__).parent / "cases"


def point_sums() -> tuple[list[Report], dict[str, str]]:
    """Case D03: three students under a rubric of thirds, fifths and tenths."""
    case = CASES / "D03-point-sums"
    with (case / "rubric.csv").open(encoding="utf-8") as file:
        rubric = {row["check"]: Fraction(row["points"]) for row in csv.DictReader(file)}
    passed: dict[str, list[Judgement]] = {}
    with (case / "results.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            points = rubric[row["check"]]
            right = row["result"] == "pass"
            verdict = Verdict.RIGHT if right else Verdict.WRONG
            judgement = judged(row["check"], verdict, str(points if right else 0), str(points))
            passed.setdefault(row["student"], []).append(judgement)
    reports = [report_of(*judgements, student=student) for student, judgements in passed.items()]
    return reports, json.loads((case / "case.json").read_text(encoding="utf-8"))["expect"]["totals"]


CLASS = (
    MIXED,
    replace(MIXED, student="bob"),
    report_of(judged("scaled", Verdict.WRONG, "0"), student="cyd"),
    report_of(judged("scaled", Verdict.RIGHT, "1"), student="dan"),
    report_of(student="eve", status=Status.NEEDS_ATTENTION, reason="Two files changed."),
    report_of(student="fay", status=Status.NOT_GRADABLE, reason="language R"),
    report_of(
        judged("scaled", Verdict.RIGHT, "1"), student="gil", status=Status.GRADED_WITH_NOTICE, notices=("q2 twice",)
    ),
)


def rows(reports: tuple[Report, ...] | list[Report]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(grades_csv(reports))))


# --- one figure -------------------------------------------------------------------------------


def test_points_add_up_exactly_in_every_output() -> None:
    reports, totals = point_sums()
    page = " ".join(seen(class_html(reports, content())).text)
    table = list(class_table(reports).columns[1].cells)
    assert {row["student"]: row["total"] for row in rows(reports)} == totals
    assert {row["maximum"] for row in rows(reports)} == {"4"}
    assert [str(cell) for cell in table] == list(totals.values())
    for report in reports:
        total = totals[report.student]
        assert f"{report.student} {total} " in page
        assert str(to_json(report)["total"]["figure"]) == total
        assert str(points_number(report.total)) == total
        assert [text for text in pages_of(report) if f"{total} of 4" not in text] == []


def test_the_mean_is_of_exact_totals() -> None:
    reports, _ = point_sums()
    assert "Mean 2.79, median 3.67, of 4 points." in seen(class_html(reports, content())).text


# --- no mark is not a zero --------------------------------------------------------------------


@pytest.mark.parametrize("student", ["eve", "fay"])
def test_without_a_mark_every_figure_is_empty(student: str) -> None:
    row = next(row for row in rows(CLASS) if row["student"] == student)
    line = next(line for line in class_lines(CLASS) if line.student == student)
    assert (row["total"], row["scale"], row["project"]) == ("", "", "")
    assert row["reason"] != ""
    assert (line.total, dict(line.exercises)) == ("", {})


def test_the_page_lists_who_needs_a_person_with_the_reason() -> None:
    page = " ".join(seen(class_html(CLASS, content())).text)
    assert "eve (needs attention): Two files changed." in page
    assert "fay (not gradable): language R" in page
    assert "gil : q2 twice" in page


def test_the_summary_counts_what_waits() -> None:
    assert summary_sentence(CLASS) == "5 of 7 graded, 1 needs attention, 1 not gradable"
    assert summary_sentence(CLASS[:1]) == "1 of 1 graded"


# --- what to teach next -----------------------------------------------------------------------


def test_mistakes_are_counted_by_stage_and_student() -> None:
    marked = [report for report in CLASS if report.status is not Status.NOT_GRADABLE]
    (stage,) = mistakes_by_stage(marked, content())
    assert (stage.name, stage.wrong, stage.asked) == ("scaled", 3, 5)
    assert [(cause.title, cause.students) for cause in stage.mistakes] == [
        (NOT_SCALED.title, ("ada", "bob")),
        ("Wrong, no known cause", ("cyd",)),
    ]


def test_what_only_follows_is_not_counted() -> None:
    names = [stage.name for stage in mistakes_by_stage([MIXED], content())]
    assert names == ["scaled"]


def test_what_was_left_out_is_counted_apart_and_ranks_last() -> None:
    missing = judged("out", Verdict.MISSING, "0")
    reports = [report_of(missing, student=name) for name in "abc"]
    found = mistakes_by_stage([*reports, MIXED], content())
    assert [(stage.name, stage.wrong, stage.missing) for stage in found] == [("scaled", 1, 0), ("out", 0, 3)]


def test_every_total_is_in_one_band_and_full_marks_in_the_last() -> None:
    reports, _ = point_sums()
    found = bands(reports)
    assert sum(band.count for band in found) == len(reports)
    assert found[-1].count == 2
    assert found[-1].label == "3.6 to 4"


@pytest.mark.parametrize("reports", [(), CLASS[4:6]])
def test_a_class_without_a_mark_has_a_page_and_a_table(reports: tuple[Report, ...]) -> None:
    page = " ".join(seen(class_html(reports, content())).text)
    assert f"0 of {len(reports)} graded" in page
    assert class_table(reports).row_count == len(reports)


# --- spreadsheets, terminals, browsers --------------------------------------------------------


def test_the_table_of_grades_survives_a_spreadsheet() -> None:
    (row,) = list(csv.reader(io.StringIO(grades_csv([HOSTILE]))))[1:]
    assert [cell for cell in row if re.match(r"[=+@\t\r]", cell)] == []
    assert row[0].startswith("'=1+1")
    assert "\u202e" not in "".join(row)


def test_names_of_the_roster_stand_beside_the_ids() -> None:
    names = {"ada": "Lovelace, Ada", "bob": "=HYPERLINK(1)"}
    found = {row["student"]: row["name"] for row in csv.DictReader(io.StringIO(grades_csv(CLASS, names)))}
    assert (found["ada"], found["bob"], found["cyd"]) == ("Lovelace, Ada", "'=HYPERLINK(1)", "")


def test_hostile_text_reaches_neither_terminal_nor_browser() -> None:
    from rich.console import Console

    console = Console(width=400, file=io.StringIO(), force_terminal=False)
    console.print(class_table([HOSTILE]))
    printed = console.file.getvalue()  # pyright: ignore[reportAttributeAccessIssue]
    page = class_html([HOSTILE], content(), {HOSTILE.student: "<script>"})
    assert [sign for sign in ("\x1b", "\u202e") if sign in printed or sign in page] == []
    assert set(seen(page).tags) & {"script", "img", "link", "svg"} == set()


def test_brackets_in_an_id_are_not_markup() -> None:
    (cell,) = list(class_table([report_of(student="[red]x[/red]")]).columns[0].cells)
    assert str(cell) == "[red]x[/red]"
