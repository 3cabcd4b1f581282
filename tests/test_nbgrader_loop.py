"""nbgrader's own commands, from generate_assignment to the feedback page, on a class of 14."""

from __future__ import annotations

import csv
import json
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest
from headwork.exports.nbgrader import write_gradebook
from headwork.exports.nbgrader.cells import grade_id_of
from headwork.grading import Work, grade_class, reports_of, submissions_of
from headwork.model import Status
from headwork.reports.figures import show_points
from nbgrader_loop import loop as loops
from nbgrader_loop.loop import CLASS, ME, NAME, Loop

pytestmark = pytest.mark.slow

UNGRADED = {"iva", "kim"}


@pytest.fixture(scope="module")
def loop(tmp_path_factory) -> Loop:
    return loops.run_loop(tmp_path_factory.mktemp("nbgrader loop é"))


@pytest.fixture(scope="module")
def reports(loop):
    return {report.student: report for report in reports_of(loop.course, NAME)}


def code_points(report) -> dict[str, Fraction]:
    return {one.part: one.points for one in report.judgements if one.kind in ("code", "compose")}


def full(report) -> dict[str, Fraction]:
    return {one.part: one.maximum for one in report.judgements if one.kind in ("code", "compose")}


def rows_of(database: Path, query: str) -> list[tuple]:
    with sqlite3.connect(database) as connection:
        return connection.execute(query).fetchall()


SCORES = """
select s.student_id, c.name, g.auto_score, g.needs_manual_grade from grade g
join base_cell c on c.id = g.cell_id join submitted_notebook n on n.id = g.notebook_id
join submitted_assignment s on s.id = n.assignment_id
"""
COMMENTS = """
select s.student_id, c.name, k.auto_comment from comment k
join base_cell c on c.id = k.cell_id join submitted_notebook n on n.id = k.notebook_id
join submitted_assignment s on s.id = n.assignment_id
"""


def test_every_command_ends_well(loop):
    assert {line: one["code"] for line, one in loop.said.items() if one["code"]} == {}


def test_generate_assignment_warns_of_nothing(loop):
    assert "WARNING" not in loop.said[f"generate_assignment {NAME}"]["output"]


def test_the_self_check_fails_on_stubs(loop):
    assert "VALIDATION FAILED" in loop.stub_said["output"]


def test_the_self_check_finds_the_students_own_numbers(loop):
    problem = json.loads((loop.student_folder / "attn101" / NAME / "problem.json").read_text(encoding="utf-8"))
    sheet = loop.course.load_sheet(loop.course.assignment(NAME), ME)
    assert sheet is not None
    assert {slug: entry["digest"] for slug, entry in problem["exercises"].items()} == {
        slug: one.digest for slug, one in sheet.problems.items()
    }


def test_the_self_check_passes_right_functions(loop):
    validated = next(one for line, one in loop.said.items() if line.startswith("validate"))
    assert "Success!" in validated["output"]


def test_everyone_comes_back_once(reports):
    assert sorted(reports) == sorted(CLASS)


@pytest.mark.parametrize("student", ["ada", "dora", "carla", "jan", "mia", ME])
def test_right_code_earns_everything(reports, student):
    assert code_points(reports[student]) == full(reports[student])


@pytest.mark.parametrize("student", ["emil", "fay", "gus", "hal"])
def test_wrong_code_earns_nothing_whatever_it_does_to_the_kernel(reports, student):
    assert set(code_points(reports[student]).values()) == {0}


def test_half_right_code_earns_its_half(reports):
    points = code_points(reports["ben"])
    assert (points["project"], points["scaled"]) == (0, 0)
    assert points["weights"] == full(reports["ben"])["weights"]


def test_a_file_that_is_no_notebook_of_python_has_no_mark(reports):
    assert {student: reports[student].status for student in UNGRADED} == dict.fromkeys(UNGRADED, Status.NOT_GRADABLE)
    assert "language R" in reports["kim"].reason


def test_copied_cells_are_named_to_staff(reports):
    notices = " ".join(reports["carla"].notices)
    assert "scaled" in notices
    assert "test-scale--scaled" in notices


def test_an_untouched_file_beside_the_worked_one_does_not_count(reports):
    notices = " ".join(reports["mia"].notices)
    assert f"{NAME}.ipynb" in notices
    assert f"{NAME}-Copy1.ipynb" in notices


def test_input_is_told_to_the_student(reports):
    assert any("input" in message or "EOF" in message for message in reports["dora"].messages)


def test_the_gradebook_has_the_points_of_the_reports_to_the_digit(loop, reports):
    found = {(student, cell): auto for student, cell, auto, _ in rows_of(loop.course.root / "gradebook.db", SCORES)}
    wanted = {
        (student, grade_id_of(one)): float(one.points) for student, report in reports.items() for one in report.judgements
    }
    assert {key: found[key] for key in wanted} == wanted


def test_without_a_mark_every_cell_waits_for_a_person(loop):
    rows = [row for row in rows_of(loop.course.root / "gradebook.db", SCORES) if row[0] in UNGRADED]
    assert {(auto, person) for _, _, auto, person in rows} == {(None, 1)}


def test_headwork_grade_writes_the_same_gradebook(loop, tmp_path):
    course = loops.without_grades(loop.course, tmp_path / "ours alone")
    work = Work(course=course, assignment_name=NAME, isolation="auto")
    done = list(grade_class(work, submissions_of(course, NAME)))
    assert [one.fault for one in done if one.fault] == []
    write_gradebook(course, course.assignment(NAME), [one.report for one in done if one.report])
    for query in (SCORES, COMMENTS):
        theirs = sorted(rows_of(loop.course.root / "gradebook.db", query), key=str)
        assert sorted(rows_of(course.root / "gradebook.db", query), key=str) == theirs


def test_the_export_shows_the_totals_of_the_reports(loop, reports):
    with (loop.course.root / "export.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    assert {student: show_points(Fraction(score)) for student, score in scores.items()} == {
        student: show_points(report.total) for student, report in reports.items()
    }


def test_the_feedback_page_explains_a_mistake(loop):
    page = (loop.course.root / "feedback" / "ben" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Divided by d_head instead of" in page


def test_a_students_script_is_text_in_the_feedback(loop):
    page = (loop.course.root / "feedback" / "jan" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "AG-XSS" in page
    assert '<script>document.title="AG-XSS"' not in page
    assert "<img src=x" not in page


def test_feedback_comes_back_through_the_exchange(loop):
    assert list((loop.student_folder / "attn101" / NAME / "feedback").rglob("*.html"))


def test_no_kernel_is_started(loop):
    assert "kernel" not in loop.said[f"autograde {NAME}"]["output"].lower()
