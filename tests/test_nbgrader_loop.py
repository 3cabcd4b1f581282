"""nbgrader's own commands, from generate_assignment to the feedback page, on a class of 14."""

from __future__ import annotations

import csv
import json
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import required
from headwork.exports.nbgrader import write_gradebook
from headwork.exports.nbgrader.cells import grade_id_of
from headwork.grading import Work, grade_class, submissions_of
from headwork.model import Status
from headwork.reports.figures import show_points
from headwork.reports.stored import reports_of
from nbgrader_loop import again as rounds
from nbgrader_loop import loop as loops
from nbgrader_loop.formgrader import page, served
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
        (student, grade_id_of(one)): float(one.points)
        for student, report in reports.items()
        for one in report.judgements
    }
    assert {key: found[key] for key in wanted} == wanted


def test_without_a_mark_every_cell_waits_for_a_person(loop):
    rows = [row for row in rows_of(loop.course.root / "gradebook.db", SCORES) if row[0] in UNGRADED]
    assert {(auto, person) for _, _, auto, person in rows} == {(None, 1)}


@pytest.fixture(scope="module")
def alone(loop, tmp_path_factory):
    return loops.graded_alone(loop.course, tmp_path_factory.mktemp("alone") / "course")


@pytest.mark.parametrize("query", [SCORES, COMMENTS], ids=["scores", "comments"])
def test_headwork_grade_writes_the_same_gradebook(loop, alone, query):
    ours = [row for row in rows_of(alone.root / "gradebook.db", query) if row[0] != "pia"]
    theirs = rows_of(loop.course.root / "gradebook.db", query)
    assert sorted(ours, key=str) == sorted(theirs, key=str)


def as_text(value):
    """Notebook files hold text as it is or in lines."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    if isinstance(value, list):
        return [as_text(one) for one in value]
    return {key: as_text(one) for key, one in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("student", CLASS)
def test_headwork_grade_writes_the_same_notebook(loop, alone, student):
    path = Path("autograded") / student / NAME / f"{NAME}.ipynb"
    ours, theirs = (json.loads((root / path).read_text(encoding="utf-8")) for root in (alone.root, loop.course.root))
    assert as_text(ours["cells"]) == as_text(theirs["cells"])


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


# --- marks by hand, late work, a second time ---------------------------------------------------


@pytest.fixture(scope="module")
def again(loop, alone, tmp_path_factory):
    return rounds.run_again(loop, alone, tmp_path_factory.mktemp("nbgrader again"))


GRADES = """
select g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade from grade g
join base_cell c on c.id = g.cell_id join submitted_notebook n on n.id = g.notebook_id
join submitted_assignment s on s.id = n.assignment_id where s.student_id = '{student}' and c.name = '{cell}'
"""
REMARKS = """
select k.auto_comment, k.manual_comment from comment k
join base_cell c on c.id = k.cell_id join submitted_notebook n on n.id = k.notebook_id
join submitted_assignment s on s.id = n.assignment_id where s.student_id = '{student}' and c.name = '{cell}'
"""


def grade_of(root: Path, student: str, cell: str) -> tuple:
    return rows_of(root / "gradebook.db", GRADES.format(student=student, cell=cell))[0]


def remarks_of(root: Path, student: str, cell: str) -> tuple:
    return rows_of(root / "gradebook.db", REMARKS.format(student=student, cell=cell))[0]


def write_again(course) -> None:
    work = Work(course=course, assignment_name=NAME, isolation="auto")
    done = list(grade_class(work, submissions_of(course, NAME, ["ben"])))
    write_gradebook(course, course.assignment(NAME), [one.report for one in done if one.report])


def test_every_command_of_the_second_round_ends_well(again):
    assert {line: one["output"][-500:] for line, one in again.said.items() if one["code"]} == {}


def test_a_mark_given_by_hand_survives_autograding_again(again):
    assert grade_of(again.regraded.root, "ben", "test-scale--scaled") == (0.0, 0.5, 0.25, 0)


def test_a_remark_made_by_hand_survives_autograding_again(again):
    assert remarks_of(again.regraded.root, "ben", "scaled")[1] == rounds.REMARK


def test_a_stale_automatic_remark_goes(loop, again):
    assert "Wrong shape" in remarks_of(loop.course.root, "ben", "project")[0]
    assert remarks_of(again.regraded.root, "ben", "project") == (None, None)


def test_better_work_earns_its_points_the_second_time(again):
    assert grade_of(again.regraded.root, "ben", "test-project--project")[0] == 2.0


def test_a_late_penalty_of_the_course_applies(again):
    with (again.regraded.root / "export.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert float(rows["carla"]["raw_score"]) > 0
    assert float(rows["carla"]["score"]) == 0
    assert float(rows["ben"]["late_submission_penalty"]) == 0


def test_a_mark_given_by_hand_survives_headwork_grade(again):
    write_again(again.regraded)
    assert grade_of(again.regraded.root, "ben", "test-scale--scaled") == (0.0, 0.5, 0.25, 0)
    assert remarks_of(again.regraded.root, "ben", "scaled")[1] == rounds.REMARK


# --- headwork grade alone, seen through nbgrader ------------------------------------------------


def test_the_export_shows_a_plain_file_as_well(again, alone):
    with (alone.root / "export.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    report = next(report for report in reports_of(alone, NAME) if report.student == "pia")
    assert show_points(Fraction(scores["pia"])) == show_points(report.total)
    assert 0 < report.total < report.maximum


def test_generate_feedback_shows_a_plain_file_as_well(again, alone):
    page = (alone.root / "feedback" / "pia" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Did not scale the scores" in page or "Likely cause" in page


# --- notebooks that get full points for wrong work ---------------------------------------------


@pytest.mark.parametrize("attack", loops.ATTACKS)
def test_nbgrader_alone_gives_the_attack_full_points(again, attack):
    scores = [row[2] for row in rows_of(again.plain / "gradebook.db", SCORES) if row[0] == attack]
    assert scores == [5.0, 5.0]


@pytest.mark.parametrize("attack", loops.ATTACKS)
def test_the_attack_earns_what_its_numbers_deserve(again, attack):
    assert grade_of(again.locked.root, attack, "test-whole-head--attention")[0] == 0.0


def test_honest_work_earns_everything_beside_the_attacks(again):
    assert grade_of(again.locked.root, "honest", "test-whole-head--attention")[0] == 10.0


def test_an_assignment_that_is_not_headworks_is_graded_by_nbgrader(again):
    scores = [grade_of(again.locked.root, "honest", cell)[0] for cell in ("test_values", "test_stable")]
    assert scores == [5.0, 5.0]


def test_a_written_explanation_waits_for_a_person(again):
    auto, manual, _, person = grade_of(again.locked.root, "honest", "answer-whole-head--why-scale")
    assert (auto, manual, person) == (None, None, 1)


# --- formgrader --------------------------------------------------------------------------------

SUBMITTED = """
select n.id from submitted_notebook n join submitted_assignment s on s.id = n.assignment_id where s.student_id = '{}'
"""


@pytest.fixture(scope="module")
def formgrader(loop, tmp_path_factory):
    browser = required("chromium", "chromium-browser", "google-chrome")
    own = tmp_path_factory.mktemp("formgrader")
    pages = {}
    with served(loop.course.root, own) as address:
        for student in ("ben", "jan"):
            (found,) = rows_of(loop.course.root / "gradebook.db", SUBMITTED.format(student))[0]
            pages[student] = page(browser, address, f"/formgrader/submissions/{found}/", own)
    return pages


def test_formgrader_shows_the_feedback(formgrader):
    assert "Divided by d_head instead of" in formgrader["ben"]


def test_formgrader_shows_the_automatic_score_and_comment(formgrader):
    assert 'placeholder="scaled (wrong, 0 / 1): Wrong values' in formgrader["ben"]
    assert 'placeholder="3"' in formgrader["ben"]


def test_a_students_script_does_not_run_in_formgrader(formgrader):
    assert "<title>attention</title>" in formgrader["jan"]
    assert "AG-XSS" in formgrader["jan"]
