"""Public cases about running code and grading many, on a course's own content: its stages, its exercise, its names."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from headwork.collect import collect, store
from headwork.course import open_course
from headwork.grading import Work, grade_class, submissions_of
from headwork.model import Verdict
from headwork.new_course import make_course
from headwork.reports.stored import reports_of
from headwork.writing import write_atomically

CASES = Path(__file__).parent / "cases"
CONTENT = CASES / "content"
ASSIGNMENT = 'exercises = ["homework-three"]\n[limits]\nwall = {wall}\ntotal = 30.0\n'


def course_with(root: Path, files: dict[str, bytes], *, wall: float = 5.0):
    make_course(root)
    (root / "course.toml").write_text(f"name = 'cases'\ncontent = [{json.dumps(str(CONTENT))}]\n")
    (root / "source/attention/assignment.toml").write_text(ASSIGNMENT.format(wall=wall))
    (root / "roster.csv").write_text("id\n" + "\n".join(files) + "\n")
    for student, source in files.items():
        write_atomically(root / "inbox" / student / "attention.py", source)
    course = open_course(root)
    store(collect(root / "inbox", course.roster(), assignment="attention"), root, "attention")
    return course


def grade(course, students=(), **rest):
    work = Work(course=course, assignment_name="attention", isolation="auto", **rest)
    found = list(grade_class(work, submissions_of(course, "attention", students)))
    assert [one.fault for one in found if one.fault] == []
    return {one.student: one.report for one in found}


def parts(report):
    return {one.part: one for one in report.judgements}


def test_an_endless_loop_costs_what_it_touches(tmp_path):
    case = CASES / "B03-endless-loop"
    expect = json.loads((case / "case.json").read_text())["expect"]
    course = course_with(tmp_path / "c", {"s1": (case / "hw3_attention.py").read_bytes()}, wall=2.0)
    started = time.monotonic()
    judged = parts(grade(course)["s1"])
    assert time.monotonic() - started < expect["max_seconds"]
    assert judged["softmax"].verdict is judged["attention_scores"].verdict is Verdict.RIGHT
    assert judged["causal_mask"].points == 0
    assert judged["causal_mask"].verdict is Verdict.OUT_OF_TIME
    assert "causal_mask" in judged["causal_mask"].summary
    assert "2 s" in judged["causal_mask"].summary
    assert 0 < judged["attention_head"].points < judged["attention_head"].maximum


def test_one_students_settings_never_reach_the_next(tmp_path):
    case = CASES / "B07-state-leak"
    files = {"a-first": (case / "first.py").read_bytes(), "b-second": (case / "second.py").read_bytes()}
    course = course_with(tmp_path / "c", files)
    alone = grade(course, ["b-second"])["b-second"]
    for _ in range(3):
        together = grade(course, again=True)
        assert together["a-first"].total == together["a-first"].maximum
        assert together["b-second"] == alone
    assert alone.total == alone.maximum


WORDS = {"full": "full", "partial": "partial", "zero": "zero"}


def outcome_of(report):
    return "full" if report.total == report.maximum else "partial" if report.total else "zero"


@pytest.mark.slow
def test_three_hundred_submissions_survive_a_killed_run(tmp_path):
    case = CASES / "H01-batch-300"
    expect = json.loads((case / "case.json").read_text())["expect"]
    with (case / "manifest.csv").open(encoding="utf-8") as file:
        planted = {row["student"]: row["base"] for row in csv.DictReader(file)}
    sources = {path.stem: path.read_bytes() for path in (case / "base").glob("*.py")}
    course = course_with(tmp_path / "c", {student: sources[base] for student, base in planted.items()})

    command = [sys.executable, "-m", "headwork.cli", "grade", "attention", "--workers", "2"]
    killed = subprocess.Popen(command, cwd=course.root, stdout=subprocess.DEVNULL, start_new_session=True)
    while len(list(course.root.glob("reports/attention/*/report.json"))) < 60:
        time.sleep(0.1)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    done = {path: path.stat().st_mtime_ns for path in course.root.glob("reports/attention/*/report.json")}
    assert len(done) < len(planted)

    subprocess.run(command, cwd=course.root, stdout=subprocess.DEVNULL, check=True, timeout=600)
    assert all(path.stat().st_mtime_ns == before for path, before in done.items())
    started = time.monotonic()
    reports = {report.student: report for report in reports_of(course, "attention")}
    assert time.monotonic() - started < expect["list_seconds_max"]
    assert set(reports) == set(planted)
    # A syntax error on the last line costs only what it touches, so those files keep their marks here.
    wanted = {**expect["outcomes"], "syntax": "full"}
    assert {s: outcome_of(report) for s, report in reports.items()} == {s: wanted[base] for s, base in planted.items()}

    before = {path: path.read_bytes() for path in done}
    one = grade(course, ["s017"], again=True)["s017"]
    assert one == reports["s017"]
    assert {path: path.read_bytes() for path in before} == before


def test_a_number_is_not_taken_for_a_matrix(tmp_path):
    source = (CASES / "C01-shapes" / "hw3_attention.py").read_bytes()
    judged = parts(grade(course_with(tmp_path / "c", {"s1": source}))["s1"])
    assert judged["softmax"].points == 0
    assert judged["attention_scores"].verdict is Verdict.RIGHT
    told = " ".join((judged["softmax"].summary, *judged["softmax"].messages))
    assert "wrong shape" in told
    assert "T=" in told
    assert "a single number" in told
