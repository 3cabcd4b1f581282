"""nbgrader's gradebook on a real PostgreSQL server."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import required
from headwork.assigning import assign_all
from headwork.course import open_course
from headwork.exports.nbgrader import write_gradebook, write_source
from headwork.grading import Work, grade_class, submissions_of
from headwork.new_course import make_course
from headwork.solution_file import solution_source
from headwork.writing import write_atomically

pytestmark = pytest.mark.slow
psycopg2 = pytest.importorskip("psycopg2")

NAME = "steps"
STUDENTS = ("ada", "ben", "zoë")


def as_nobody() -> dict[str, object]:
    """PostgreSQL does not start as root; what a subprocess needs to be somebody else then."""
    if os.geteuid() != 0:
        return {}
    other = pwd.getpwnam("nobody")
    return {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}


@pytest.fixture(scope="module")
def server():
    """A server of its own on a socket in a new folder; its address for SQLAlchemy."""
    initdb, postgres = required("initdb"), required("postgres")
    # Below /tmp: a socket's path is at most a hundred bytes long, and nobody must be able to go there.
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        data = folder / "data"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **as_nobody()}
        subprocess.run([initdb, "-D", data, "-U", "teacher", "-A", "trust", "-E", "UTF8", "-N"], check=True, **quiet)
        running = subprocess.Popen([postgres, "-D", data, "-k", folder, "-c", "listen_addresses=", "-F"], **quiet)
        try:
            wait_for(folder, running)
            yield f"postgresql+psycopg2://teacher@/postgres?host={folder}"
        finally:
            running.terminate()
            running.wait(timeout=30)


def wait_for(folder: Path, running: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        try:
            psycopg2.connect(host=str(folder), user="teacher", dbname="postgres").close()
        except psycopg2.OperationalError:
            assert running.poll() is None
            time.sleep(0.2)
        else:
            return
    raise AssertionError("PostgreSQL does not answer")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("postgres") / "course"
    make_course(root)
    write_atomically(
        root / "roster.csv", ("id,name\n" + "".join(f"{one},{one} Example\n" for one in STUDENTS)).encode()
    )
    table = b'title = "Steps"\nexercises = ["project", "scale"]\n'
    write_atomically(root / "source" / NAME / "assignment.toml", table)
    course = open_course(root)
    list(assign_all(course, NAME, STUDENTS))
    write_source(course, course.assignment(NAME))
    right = solution_source(course.content(), course.assignment(NAME).exercises)
    for student in STUDENTS:
        write_atomically(root / "submitted" / student / NAME / "attention.py", right.encode())
    done = grade_class(Work(course=course, assignment_name=NAME, isolation="auto"), submissions_of(course, NAME))
    return course, [one.report for one in done if one.report]


@pytest.fixture(scope="module")
def written(server, graded):
    course, reports = graded
    write_gradebook(course, course.assignment(NAME), reports, db_url=server)
    return server


def test_nbgrader_reads_the_same_scores(written, graded):
    from nbgrader.api import Gradebook

    with Gradebook(written) as gradebook:
        scores = {student: gradebook.find_submission(NAME, student).score for student in STUDENTS}
    assert scores == {report.student: float(report.total) for report in graded[1]}


def test_a_mark_given_by_hand_stays(written, graded):
    from nbgrader.api import Gradebook

    course, reports = graded
    with Gradebook(written) as gradebook:
        grade = gradebook.find_grade("test-scale--scaled", NAME, NAME, "zoë")
        grade.manual_score, grade.needs_manual_grade = 0.25, False
        gradebook.db.commit()
    other = [
        replace(report, judgements=tuple(replace(j, points=Fraction(0)) for j in report.judgements))
        for report in reports
    ]
    write_gradebook(course, course.assignment(NAME), other, db_url=written)
    with Gradebook(written) as gradebook:
        grade = gradebook.find_grade("test-scale--scaled", NAME, NAME, "zoë")
        assert (grade.auto_score, grade.manual_score, grade.needs_manual_grade) == (0.0, 0.25, True)


def test_the_address_in_nbgraders_configuration_is_used(server, graded):
    from nbgrader.api import Gradebook

    course, reports = graded
    config = course.root / "nbgrader_config.py"
    before = config.read_text(encoding="utf-8")
    config.write_text(f"{before}\nc.CourseDirectory.db_url = {server!r}\n", encoding="utf-8")
    try:
        write_gradebook(course, course.assignment(NAME), reports)
    finally:
        config.write_text(before, encoding="utf-8")
    assert not (course.root / "gradebook.db").exists()
    with Gradebook(server) as gradebook:
        assert gradebook.find_submission(NAME, "ada").score == float(reports[0].total)
