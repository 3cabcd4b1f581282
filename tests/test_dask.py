"""A class graded on a Dask cluster gets the marks that it gets here, and trouble is said in words."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from headwork.assigning import assign_all
from headwork.cli import app
from headwork.collect import collect, store
from headwork.course import Course, open_course
from headwork.exports.dask import dask_executor
from headwork.grading import Work, grade_class, grade_here, stop_grading, submissions_of
from headwork.model import CourseError, Report
from headwork.new_course import make_course
from headwork.reports.stored import reports_of
from headwork.rooms import load_content
from headwork.solution_file import solution_source
from headwork.writing import write_atomically
from typer.testing import CliRunner

SLUGS = ("scale", "output-projection")
TOML = f'title = "Small"\nexercises = {json.dumps(SLUGS)}\n[limits]\nwall = 1.0\ntotal = 4.0\n'
HANG = "def scaled(scores, d_head):\n    while True: pass\n"


@pytest.fixture
def course(tmp_path: Any) -> Course:
    content = load_content()
    root = tmp_path / "Kurs für Köpfe"
    make_course(root)
    write_atomically(root / "source" / "hw" / "assignment.toml", TOML.encode())
    right = solution_source(content, [content.exercises[slug] for slug in SLUGS])
    sources = {"ada": right, "ben": right.replace("np.sqrt(d_head)", "d_head"), "eva": "def scaled(:\n", "gus": HANG}
    write_atomically(root / "roster.csv", ("id,name\n" + "".join(f"{one},X\n" for one in sources)).encode())
    course = open_course(root)
    list(assign_all(course, "hw", list(sources)))
    for student, source in sources.items():
        write_atomically(root / "inbox" / student / "attention.py", source.encode())
    store(collect(root / "inbox", course.roster(), assignment="hw"), root, "hw")
    return course


def work_on(course: Course, **rest: Any) -> Work:
    return Work(course=course, assignment_name="hw", isolation="auto", **rest)


def marks(reports: list[Report]) -> dict[str, Any]:
    return {report.student: (report.total, report.status, report.judgements, report.fingerprint) for report in reports}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, worker_dashboard_address=None
    ) as started:
        yield started


@pytest.mark.slow
def test_a_cluster_gives_the_same_marks_as_one_worker(course: Course, cluster: Any):
    submissions = submissions_of(course, "hw")
    assert not [one.fault for one in grade_class(work_on(course), submissions) if one.fault]
    here = marks(reports_of(course, "hw"))
    with dask_executor(cluster.scheduler_address) as executor:
        graded = list(grade_class(work_on(course, again=True), submissions, executor=executor))
    assert [one for one in graded if one.fault or one.kept] == []
    assert marks(reports_of(course, "hw")) == here


@pytest.mark.slow
def test_the_command_grades_there_and_leaves_what_has_not_changed(course: Course, cluster: Any):
    command = ["grade", "hw", "--course", str(course.root), "--dask", cluster.scheduler_address, "--json"]
    first, second = (CliRunner().invoke(app, command) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert sorted(json.loads(first.stdout)["graded"]) == ["ada", "ben", "eva", "gus"]
    assert sorted(json.loads(second.stdout)["unchanged"]) == ["ada", "ben", "eva", "gus"]


@pytest.mark.slow
def test_workers_that_served_one_course_serve_another(course: Course, cluster: Any):
    small = [one for one in submissions_of(course, "hw") if one.student in ("ada", "ben")]
    with dask_executor(cluster.scheduler_address) as executor:
        list(grade_class(work_on(course), small, executor=executor))
    (report,) = [report for report in reports_of(course, "hw") if report.student == "ada"]
    assert report.total == report.maximum - sum(
        one.maximum for one in report.judgements if one.kind not in ("code", "compose")
    )


@pytest.mark.slow
def test_where_nobody_answers_the_message_says_so(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("headwork.exports.dask.CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(CourseError, match="no scheduler answers there"), dask_executor(address):
        pass


@pytest.mark.slow
def test_an_address_that_is_none_is_said_to_be_wrong():
    pytest.importorskip("distributed")
    with pytest.raises(CourseError, match="no scheduler answers there"), dask_executor("nonsense://x"):
        pass


def test_a_process_keeps_one_grader_and_opens_another_for_other_work(course: Course):
    (ada,) = [one for one in submissions_of(course, "hw") if one.student == "ada"]
    try:
        first = grade_here(work_on(course), ada)
        assert grade_here(work_on(course), ada).kept
        assert not grade_here(work_on(course, again=True), ada).kept
        assert first.report is not None
    finally:
        stop_grading()
