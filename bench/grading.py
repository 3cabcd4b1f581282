"""What grading a submission costs at each isolation tier, beside a bare fork that makes the same calls."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from clock import command, milliseconds
from headwork.assignment import Assignment
from headwork.collect import read_submission
from headwork.course import Course
from headwork.demo import NAME, make_demo_course, right_answers
from headwork.grading import Grader, Work, grade_class
from headwork.marking.planner import Planner
from headwork.model import Call, CodePart, ComposePart, CourseError, Result, Submission
from headwork.sheets import Sheets
from headwork.solution_file import solution_source
from headwork.writing import write_atomically


@dataclass(frozen=True, slots=True, kw_only=True)
class Class:
    """A course with drawn problems, and a right submission of every student."""

    course: Course
    assignment: Assignment
    submissions: tuple[Submission, ...]


def make_class(root: Path, size: int = 40) -> Class:
    """The demo's course with so many students, all of them right."""
    course = make_demo_course(root)
    roster = "".join(f"student{number:04}\n" for number in range(size))
    write_atomically(root / "roster.csv", f"id\n{roster}".encode())
    assignment = course.assignment(NAME)
    content = course.content()
    source = solution_source(content, assignment.exercises).encode()
    submissions: list[Submission] = []
    sheets = Sheets(course, assignment)
    for student in [student.id for student in course.roster().students]:
        sheets.of(student)
        answers = right_answers(course, assignment, student).encode()
        files = {"attention.py": source, "answers.toml": answers}
        submissions.append(read_submission(files, student, assignment=NAME))
    return Class(course=course, assignment=assignment, submissions=tuple(submissions))


def functions_only(assignment: Assignment) -> Assignment:
    """The same assignment without hand work and questions."""
    kept = [
        replace(exercise, parts=tuple(part for part in exercise.parts if isinstance(part, CodePart | ComposePart)))
        for exercise in assignment.exercises
    ]
    return replace(assignment, exercises=tuple(exercise for exercise in kept if exercise.parts))


def bare_fork(source: str, calls: Sequence[Call]) -> None:
    """The floor: a fork that loads the file, makes the calls and sends arrays; no limits, no checks."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        names: dict[str, Any] = {}
        exec(compile(source, "submission", "exec"), names)
        made: list[Any] = []
        for call in calls:
            given = [made[one.index] if isinstance(one, Result) else one for one in call.arguments]
            made.append(names[call.function](*[one.copy() if isinstance(one, np.ndarray) else one for one in given]))
            os.write(writer, np.asarray(made[-1]).tobytes())
        os._exit(0)
    os.close(writer)
    while os.read(reader, 1 << 16):
        pass
    os.close(reader)
    os.waitpid(child, 0)


def lines(rounds: int) -> Iterator[str]:
    """CPU per submission: grader, zygote and child; the report is written, and everything is right.

    The median of all rounds of 40, and the best: on a shared machine the same work takes twice as long at times.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = make_class(Path(folder) / "course")
        floors = [statistics.mean(_floor(made)) for _ in range(rounds)]
        floor = statistics.median(floors)
        yield f"{'bare fork, the same calls':34} {floor:8.1f} ms, best {min(floors):.1f}"
        imports = [milliseconds(command(sys.executable, "-c", "import numpy")) for _ in range(9)]
        numpy = statistics.median(imports)
        yield f"{'python -c import numpy':34} {numpy:8.1f} ms, best {min(imports):.1f}; {numpy / floor:5.1f} x floor"
        for tier in ("base", "full", "limits"):
            for what, assignment in (("functions", functions_only(made.assignment)), ("everything", made.assignment)):
                try:
                    found = _per_submission(made, assignment, tier, 1 if tier == "limits" else rounds)
                except CourseError:
                    yield f"{f'{tier}: {what}':34}      not on this machine"
                    continue
                used = statistics.median(found)
                yield (
                    f"{f'{tier}: {what}':34} {used:8.1f} ms, best {min(found):.1f}; {used / floor:5.1f} x floor, "
                    f"{1e3 / used:4.0f} a second and core"
                )
    yield from _workers()


def _floor(made: Class) -> Iterator[float]:
    content = made.course.content()
    assignment = functions_only(made.assignment)
    source = "\n".join(made.submissions[0].cells)
    for submission in made.submissions:
        sheet = made.course.load_sheet(made.assignment, submission.student)
        assert sheet is not None
        calls = Planner(content, assignment, secret=made.course.secret()).plan(sheet).calls
        yield milliseconds(lambda: bare_fork(source, calls))  # noqa: B023


def _per_submission(made: Class, assignment: Assignment, tier: str, rounds: int) -> list[float]:
    grader = Grader(Work(course=made.course, assignment_name=NAME, isolation=tier, again=True))
    grader.assignment = assignment
    grader.planner = Planner(made.course.content(), assignment, secret=made.course.secret())
    try:
        helpers = _helpers(grader)
        _graded(grader, made.submissions[:3])
        found: list[float] = []
        for _ in range(rounds):
            used = milliseconds(lambda: _graded(grader, made.submissions), helpers=helpers)
            found.append(used / len(made.submissions))
        return found
    finally:
        grader.close()


def _helpers(grader: Grader) -> list[int]:
    zygote = getattr(getattr(grader.runner, "_worker", None), "_zygote", None)
    return [zygote.process.pid] if zygote else []


def _graded(grader: Grader, submissions: Sequence[Submission]) -> None:
    for submission in submissions:
        done = grader.grade(submission)
        assert done.report is not None, done.fault
        assert done.report.total == done.report.maximum, submission.student


def _workers() -> Iterator[str]:
    """Wall clock of a whole class that is graded for the first time, start of the workers included.

    The best of five, in turn.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = make_class(Path(folder) / "course", 320)
        work = Work(course=made.course, assignment_name=NAME, isolation="auto", again=True)
        ways = {
            "one": lambda: _timed(work, made, 1),
            "two": lambda: _timed(work, made, 2),
            "alone": lambda: _running(work, made, 1),
            "beside": lambda: _running(work, made, 2),
        }
        took = {name: min(times) for name, times in _in_turn(ways, 5).items()}
    for name, workers in (("one", 1), ("two", 2)):
        yield f"{f'{len(made.submissions)} submissions, {workers} worker(s)':34} {took[name]:8.1f} s, wall clock"
    yield f"{'two workers beside one':34} {took['one'] / took['two']:8.2f} x as fast"
    yield f"{'two graders that share nothing':34} {2 * took['alone'] / took['beside']:8.2f} x as much as one: what this machine has"


def _in_turn(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            found[name].append(way())
    return found


def _timed(work: Work, made: Class, workers: int) -> float:
    shutil.rmtree(made.course.root / "reports", ignore_errors=True)
    start = time.perf_counter()
    done = list(grade_class(work, made.submissions, workers=workers))
    assert all(one.report for one in done)
    return time.perf_counter() - start


def _running(work: Work, made: Class, count: int) -> float:
    """Seconds that each of ``count`` graders takes for a half of the submissions of its own, once they are running."""
    shutil.rmtree(made.course.root / "reports", ignore_errors=True)
    halves = made.submissions[::2], made.submissions[1::2]
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        return max(pool.map(_alone, [work] * count, halves[:count]))


def _alone(work: Work, submissions: Sequence[Submission]) -> float:
    """Seconds of a grader that is running already."""
    grader = Grader(work)
    try:
        _graded(grader, submissions[:10])
        start = time.perf_counter()
        _graded(grader, submissions[10:])
        return time.perf_counter() - start
    finally:
        grader.close()


def memory_lines(count: int) -> Iterator[str]:
    """Resident memory of grader and zygote after 200 submissions, and after ``count``."""
    with tempfile.TemporaryDirectory() as folder:
        made = make_class(Path(folder) / "course")
        grader = Grader(Work(course=made.course, assignment_name=NAME, isolation="auto", again=True))
        try:
            for number in range(count):
                _graded(grader, [made.submissions[number % len(made.submissions)]])
                if number + 1 in (200, count):
                    # The zygote is renewed now and then, so it is looked up anew.
                    sizes = " + ".join(f"{_resident(pid):.1f}" for pid in [os.getpid(), *_helpers(grader)])
                    yield f"{f'memory after {number + 1} submissions':34} {sizes} MB (grader + zygote)"
        finally:
            grader.close()


def _resident(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
