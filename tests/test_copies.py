"""An answer that is right for somebody else's numbers is shown to the instructor, and to nobody else."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from headwork.assigning import assign_all
from headwork.cli import app
from headwork.collect import collect, store
from headwork.course import Course, open_course
from headwork.demo import right_answers
from headwork.draw.seeds import seed_from_integer
from headwork.grading import Work, grade_class, submissions_of
from headwork.handout.answers_toml import filled_answers
from headwork.model import Verdict
from headwork.new_course import make_course
from headwork.publishing import write_class_report
from headwork.reports.class_figures import StageCount, mistakes_by_stage, teach_next, teaching_record
from headwork.reports.class_report import class_html
from headwork.reports.copies import Copy, copied_answers
from headwork.reports.stored import reports_of
from headwork.rooms import load_content
from headwork.solution_file import solution_source
from headwork.stages import evaluate
from headwork.writing import write_atomically
from made_reports import ATTACK, NOT_SCALED, judged, report_of
from typer.testing import CliRunner

CONTENT = load_content()
SLUGS = ("raw-scores", "scale")
TOML = f'title = "Small"\nexercises = {json.dumps(SLUGS)}\n[limits]\nwall = 2.0\ntotal = 6.0\n'
STUDENTS = ("ada", "ben", "cyd", "dan", "fay", "gus", "han")


def values_of(course: Course, student: str) -> dict[str, np.ndarray]:
    sheet = course.load_sheet(course.assignment("hw"), student)
    assert sheet is not None
    instance = sheet.problems["scale"].instance
    return evaluate(CONTENT.chains[instance.chain], instance.values)


def typed(matrix: np.ndarray) -> str:
    return "; ".join(" ".join(f"{cell:.6f}" for cell in row) for row in matrix.tolist())


def fixed(matrix: np.ndarray) -> str:
    """A scaled() that returns fixed numbers."""
    return f"import numpy as np\n\ndef scaled(scores, d_head):\n    return np.array({np.round(matrix, 4).tolist()})\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Ben, fay and dan hand in what is right for ada; cyd, gus and han are wrong in ways of their own."""
    root = tmp_path_factory.mktemp("copies") / "Kurs"
    make_course(root)
    write_atomically(root / "source" / "hw" / "assignment.toml", TOML.encode())
    write_atomically(root / "roster.csv", ("id,name\n" + "".join(f"{one},X\n" for one in STUDENTS)).encode())
    write_atomically(root / ".headwork" / "secret", seed_from_integer(6).hex().encode(), private=True)
    course = open_course(root)
    assignment = course.assignment("hw")
    list(assign_all(course, "hw", list(STUDENTS)))
    ada = values_of(course, "ada")
    code = solution_source(CONTENT, [CONTENT.exercises[slug] for slug in SLUGS])
    by_hand = {student: right_answers(course, assignment, student) for student in STUDENTS}
    slip = values_of(course, "cyd")["scores"].copy()
    slip[0, 0] += 1
    by_hand["ben"] = filled_answers({"raw-scores": {"scores": typed(ada["scores"])}})
    by_hand["fay"] = filled_answers(
        {"raw-scores": {"scores": typed(ada["scores"])}, "scale": {"scaled": typed(ada["scaled"])}}
    )
    by_hand["cyd"] = filled_answers({"raw-scores": {"scores": typed(slip)}})
    by_hand["han"] = filled_answers({"raw-scores": {"scores": typed(np.zeros_like(slip))}})
    written = {"dan": fixed(ada["scaled"]), "gus": fixed(values_of(course, "gus")["scaled"])}
    for student in STUDENTS:
        write_atomically(root / "inbox" / student / "answers.toml", by_hand[student].encode())
        write_atomically(root / "inbox" / student / "attention.py", written.get(student, code).encode())
    store(collect(root / "inbox", course.roster(), assignment="hw"), root, "hw")
    work = Work(course=course, assignment_name="hw", isolation="auto")
    assert not [one.fault for one in grade_class(work, submissions_of(course, "hw")) if one.fault]
    return course


@pytest.fixture(scope="module")
def copies(course: Course) -> tuple[Copy, ...]:
    return copied_answers(course, course.assignment("hw"), reports_of(course, "hw"))


def test_exactly_the_copies_are_found(copies: tuple[Copy, ...]):
    assert {(one.student, one.stage, one.by_hand, one.others) for one in copies} == {
        ("ben", "scores", True, ("ada",)),
        ("dan", "scaled", False, ("ada",)),
        ("fay", "scores", True, ("ada",)),
        ("fay", "scaled", True, ("ada",)),
    }


def test_a_whole_trace_that_was_copied_is_seen_where_it_earns_follow_through(course: Course):
    fay = next(report for report in reports_of(course, "hw") if report.student == "fay")
    verdicts = {one.part: one.verdict for one in fay.judgements if one.kind == "hand"}
    assert verdicts == {"scores": Verdict.WRONG, "scaled": Verdict.FOLLOWS}


def test_marks_and_feedback_know_nothing_of_it(course: Course, copies: tuple[Copy, ...]):
    before = reports_of(course, "hw")
    write_class_report(course, course.assignment("hw"), before, copies)
    assert reports_of(course, "hw") == before
    assert all("ada" not in json.dumps(report.messages) for report in before if report.student == "ben")


def test_the_words_are_neutral_and_bring_the_figures(copies: tuple[Copy, ...]):
    sentence = copies[0].sentence()
    assert sentence.startswith(
        "ben, raw-scores: scores, worked by hand, is not right for these numbers; in all 9 cells"
    )
    assert "may have been mixed up" in sentence
    assert "the marks are as for any other answer" in sentence
    for word in ("cheat", "plagiar", "suspicio", "dishonest"):
        assert word not in " ".join(one.sentence() for one in copies).lower()


def test_answers_that_differ_in_fewer_than_four_cells_are_left_alone(course: Course, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("headwork.reports.copies.LEAST_DIFFERING", 10)
    assert copied_answers(course, course.assignment("hw"), reports_of(course, "hw")) == ()


def test_where_all_have_the_same_numbers_nothing_is_a_copy(course: Course):
    ada = course.load_sheet(course.assignment("hw"), "ada")
    assert ada is not None
    kept = {student: course.load_sheet(course.assignment("hw"), student) for student in STUDENTS}
    try:
        for student in STUDENTS:
            course.save_sheet("hw", replace(ada, student=student))
        assert copied_answers(course, course.assignment("hw"), reports_of(course, "hw")) == ()
    finally:
        for sheet in kept.values():
            assert sheet is not None
            course.save_sheet("hw", sheet)


def test_the_page_and_the_command_show_them(course: Course):
    result = CliRunner().invoke(app, ["report", "hw", "--course", str(course.root), "--json"])
    assert result.exit_code == 0
    record = json.loads(result.stdout)
    assert {one["student"] for one in record["look_at_these"]} == {"ben", "dan", "fay"}
    assert {"scores", "scaled"} <= {stage["stage"] for stage in record["teach_next"]}
    page = (course.root / "reports" / "hw" / "class.html").read_text(encoding="utf-8")
    assert "Look at these" in page
    assert "the right answer for the numbers of ada" in page


def test_without_copies_there_is_no_such_section():
    assert "Look at these" not in class_html([report_of(judged("scaled", Verdict.WRONG, "0"))], CONTENT)


def test_hostile_names_are_shown_as_text():
    copy = Copy(student=ATTACK, others=(ATTACK,), exercise=ATTACK, stage="scores", by_hand=True, cells=9, differing=5)
    page = class_html([report_of(judged("scaled", Verdict.WRONG, "0"))], CONTENT, copies=[copy])
    assert "<script>alert" not in page
    assert "\x1b" not in page


# --- what to teach next -----------------------------------------------------------------------


def stages() -> tuple[StageCount, ...]:
    reports = [
        report_of(judged("scaled", Verdict.WRONG, "0", diagnosis=NOT_SCALED), student="ada"),
        report_of(judged("scaled", Verdict.WRONG, "0", diagnosis=NOT_SCALED), student="ben"),
        report_of(judged("scaled", Verdict.WRONG, "0"), judged("scores", Verdict.WRONG, "0"), student="cyd"),
        report_of(judged("scaled", Verdict.RIGHT, "1"), student="dan"),
    ]
    return mistakes_by_stage(reports, CONTENT)


def test_one_line_says_what_to_teach_next():
    assert teach_next(stages()) == (
        "scaled: wrong for 3 of 4; for 2 of them: Divided by d_head instead of its square root (scaled/divided-by-d-head)"
    )


def test_where_nothing_is_wrong_the_line_says_so():
    assert teach_next(mistakes_by_stage([report_of(judged("scaled", Verdict.RIGHT, "1"))], CONTENT)) == (
        "Nothing was wrong in itself."
    )


def test_scripts_get_slugs_by_stage_and_students():
    first = teaching_record(stages())[0]
    assert (first["stage"], first["asked"], first["wrong"], first["missing"]) == ("scaled", 4, 3, 0)
    assert first["causes"][0]["mistakes"] == "scaled/divided-by-d-head"
    assert first["causes"][0]["students"] == ["ada", "ben"]
