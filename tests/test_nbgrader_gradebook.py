"""Reports into nbgrader's gradebook without nbgrader's commands: what is written, and what is left alone."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from fractions import Fraction

import pytest
from headwork.course import open_course
from headwork.exports.nbgrader import write_gradebook
from headwork.exports.nbgrader.configuration import config_text
from headwork.exports.nbgrader.rebuilt import harmless
from headwork.model import CourseError, Diagnosis, Judgement, Report, Status, Verdict
from headwork.new_course import make_course
from headwork.writing import write_atomically

NAME = "steps"
GRADES = """
select c.name, g.auto_score, g.manual_score, g.needs_manual_grade from grade g
join base_cell c on c.id = g.cell_id join submitted_notebook n on n.id = g.notebook_id
join submitted_assignment s on s.id = n.assignment_id where s.student_id = ? order by c.name
"""
COMMENTS = """
select c.name, k.auto_comment, k.manual_comment from comment k
join base_cell c on c.id = k.cell_id join submitted_notebook n on n.id = k.notebook_id
join submitted_assignment s on s.id = n.assignment_id where s.student_id = ? order by c.name
"""
CELL = "test-scale--scaled"


@pytest.fixture
def course(tmp_path):
    make_course(tmp_path / "a course", name="A course")
    root = tmp_path / "a course"
    write_atomically(root / "roster.csv", b"id,name,email\nada,Ada Example,ada@example.org\nben,Ben,\n")
    write_atomically(root / "source" / NAME / "assignment.toml", b'title = "Steps"\nexercises = ["scale"]\n')
    return open_course(root)


def judged(part, points, *, kind="code", verdict=Verdict.WRONG, **rest):
    rest = {"summary": f"{part}: wrong values", **rest}
    return Judgement(
        exercise="scale", part=part, kind=kind, verdict=verdict, points=Fraction(points), maximum=Fraction(1), **rest
    )


def report(student="ada", *judgements, status=Status.GRADED, **rest):
    found = judgements or (judged("scaled", 0), judged("scaled", 1, kind="hand", verdict=Verdict.RIGHT))
    total = sum((one.points for one in found), Fraction(0))
    return Report(
        assignment=NAME, student=student, status=status, judgements=found, total=total, maximum=Fraction(4), **rest
    )


def write(course, *reports):
    return write_gradebook(course, course.assignment(NAME), reports)


def rows(course, query, student="ada"):
    with sqlite3.connect(course.root / "gradebook.db") as connection:
        return {name: rest for name, *rest in connection.execute(query, (student,))}


def change(course, statement, *values):
    with sqlite3.connect(course.root / "gradebook.db") as connection:
        connection.execute(statement, values)


def grade_by_hand(course, score):
    where = "cell_id in (select id from base_cell where name = ? and type = 'GradeCell')"
    change(course, f"update grade set manual_score = ?, needs_manual_grade = 0 where {where}", score, CELL)


def everything(course):
    with sqlite3.connect(course.root / "gradebook.db") as connection:
        return list(connection.iterdump())


def test_points_and_remarks_arrive(course):
    assert write(course, report()) == 1
    assert rows(course, GRADES)[CELL] == [0.0, None, 0]
    assert rows(course, COMMENTS)["scaled"][0].startswith("scaled (wrong, 0 / 1): Wrong values")


def test_what_is_right_needs_no_remark(course):
    write(course, report("ada", judged("scaled", 1, verdict=Verdict.RIGHT)))
    assert rows(course, COMMENTS)["scaled"] == [None, None]


def test_names_come_from_the_roster(course):
    write(course, report())
    with sqlite3.connect(course.root / "gradebook.db") as connection:
        found = connection.execute("select first_name, last_name, email from student where id = 'ada'").fetchone()
    assert found == ("Ada", "Example", "ada@example.org")


def test_writing_twice_changes_nothing(course):
    write(course, report(), report("ben"))
    before = everything(course)
    write(course, report(), report("ben"))
    assert everything(course) == before


def test_one_student_alone_leaves_the_others_as_they_are(course):
    write(course, report(), report("ben"))
    before = rows(course, GRADES, "ben")
    write(course, report("ada", judged("scaled", 1, verdict=Verdict.RIGHT)))
    assert rows(course, GRADES, "ben") == before


def test_a_mark_given_by_hand_stays_and_the_automatic_one_stands_beside_it(course):
    write(course, report())
    grade_by_hand(course, 0.75)
    write(course, report("ada", judged("scaled", "1/3")))
    assert rows(course, GRADES)[CELL] == [1 / 3, 0.75, 1]


def test_a_mark_given_by_hand_asks_for_nobody_while_nothing_has_changed(course):
    write(course, report())
    grade_by_hand(course, 0.75)
    write(course, report())
    assert rows(course, GRADES)[CELL] == [0.0, 0.75, 0]


def test_a_stale_automatic_remark_goes_and_a_persons_stays(course):
    write(course, report())
    change(course, "update comment set manual_comment = ?", "One sign slip.")
    write(course, report("ada", judged("scaled", 1, verdict=Verdict.RIGHT)))
    assert rows(course, COMMENTS)["scaled"] == [None, "One sign slip."]


@pytest.mark.parametrize("status", [Status.NOT_GRADABLE, Status.NEEDS_ATTENTION])
def test_a_submission_without_a_mark_has_no_score_and_says_why(course, status):
    ungraded = replace(report(), judgements=(), total=Fraction(0), status=status, reason="language R")
    write(course, ungraded)
    assert {(auto, person) for auto, _, person in rows(course, GRADES).values()} == {(None, 1)}
    assert "language R" in rows(course, COMMENTS)["scaled"][0]


def test_an_answer_that_no_machine_decides_waits_for_a_person(course):
    undecided = judged("variance", 0, kind="derive", verdict=Verdict.ATTENTION)
    write(course, report("ada", judged("scaled", 1, verdict=Verdict.RIGHT), undecided))
    assert rows(course, GRADES)["answer-scale--variance"] == [None, None, 1]
    assert rows(course, GRADES)[CELL] == [1.0, None, 0]


def test_the_points_in_the_notebook_are_a_plain_number(course):
    write(course, report("ada", judged("scaled", "1/3")))
    path = course.root / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = next(c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == CELL)["outputs"]
    assert [one["output_type"] for one in outputs] == ["display_data", "execute_result"]
    assert float(outputs[1]["data"]["text/plain"]) == 1 / 3


def test_text_of_a_students_is_escaped_in_the_feedback(course):
    named = Diagnosis(kind="behaviour", title="Raised <script>alert(1)</script>")
    write(course, report("ada", judged("scaled", 0, summary="scaled: raised <img src=x>", diagnosis=named)))
    text = (course.root / "autograded" / "ada" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    remark = rows(course, COMMENTS)["scaled"][0]
    assert "<script>" not in text + remark
    assert "<img" not in text + remark


def test_a_students_markdown_keeps_its_formulas_and_loses_its_tags():
    assert harmless("$a < b$ and <b>x</b>") == "$a < b$ and &lt;b>x&lt;/b>"
    assert "\\href" not in harmless("$\\href{javascript:1}{x}$")


def test_the_course_id_is_nbgraders(course):
    write(course, report())
    with sqlite3.connect(course.root / "gradebook.db") as connection:
        assert connection.execute("select course_id from assignment").fetchall() == [("A-course",)]


def test_a_configuration_that_fails_is_named(course):
    (course.root / "nbgrader_config.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(CourseError, match=r"nbgrader_config\.py: can't be read: ZeroDivisionError"):
        write(course, report())


@pytest.mark.parametrize("name", ["Attention 101", "é/ü", "", '"; import os'])
def test_any_course_name_gives_a_configuration_that_runs(name):
    class Config:
        def __getattr__(self, name):
            made = Config()
            setattr(self, name, made)
            return made

    found = Config()
    exec(compile(config_text(name), "nbgrader_config.py", "exec"), {"get_config": lambda: found})
    assert found.CourseDirectory.course_id
