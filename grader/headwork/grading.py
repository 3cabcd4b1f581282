"""Grade a class: every student's newest submission, in parallel, each in its own try, resumable."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, cast

from headwork.course import Course
from headwork.draw.student import Sheet
from headwork.help_shown import help_shown, with_help_paid
from headwork.marking.grade import fingerprint_of, grade_submission
from headwork.marking.planner import Planner
from headwork.model import CourseError, GraderFault, Report, Submission
from headwork.reports.record import write_report
from headwork.reports.stored import report_at
from headwork.sandbox import Runner, open_runner
from headwork.sheets import Sheets


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """How grading one student went: a report (new or kept), or a fault of the grader."""

    student: str
    report: Report | None
    kept: bool = False
    """True where the report was there already and nothing had changed."""
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a worker process needs to grade submissions of one assignment."""

    course: Course
    assignment_name: str
    isolation: str
    again: bool = False
    """Grade even where nothing has changed."""


class Grader:
    """Grades submissions of one assignment with one runner, which it keeps open between them."""

    def __init__(self, work: Work) -> None:
        """Load content and assignment, and open a runner. Raises CourseError, IsolationError."""
        self.work = work
        self.course = work.course
        self.assignment = work.course.assignment(work.assignment_name)
        self.sheets = Sheets(work.course, self.assignment)
        self.planner = Planner(work.course.content(), self.assignment, secret=work.course.secret())
        self.runner: Runner = open_runner(work.isolation)
        # What is loaded by now stays loaded: collecting garbage between submissions need not look at it again.
        gc.freeze()

    def close(self) -> None:
        """End the runner."""
        self.runner.close()

    def grade(self, submission: Submission) -> Graded:
        """Grade one submission and write its report; a fault leaves the old report where it is."""
        path = self.course.report_path(self.assignment.name, submission.student)
        try:
            sheet = self.sheets.of(submission.student)
            submission = with_problem_notice(submission, sheet)
            if not self.work.again and (old := report_at(path)):
                tier = self.runner.tier.name
                if old.fingerprint == fingerprint_of(self.planner, sheet, submission, isolation=tier):
                    return Graded(student=submission.student, report=old, kept=True)
            report = grade_submission(self.planner, sheet, submission, self.runner)
            report = with_help_paid(report, help_shown(path.parent), cost=Fraction(self.assignment.policy.hint_cost))
            write_report(path, report)
        except GraderFault as error:
            return Graded(student=submission.student, report=None, fault=str(error))
        except Exception as error:  # one student's odd submission never stops the batch
            return Graded(student=submission.student, report=None, fault=f"{type(error).__name__}: {error}")
        return Graded(student=submission.student, report=report)


def with_problem_notice(submission: Submission, sheet: Sheet) -> Submission:
    """The submission; staff are told where the problem.json that came along is not the one that was handed out.

    It is a notice, never a mark: what is graded by is what was drawn.
    """
    if submission.problem is None:
        return submission
    differing = [
        slug
        for slug, problem in sheet.problems.items()
        if (digest := _digest_in(submission.problem, slug)) and digest != problem.digest
    ]
    if not differing:
        return submission
    notice = f"problem.json is not the one that was handed out (differs in {', '.join(differing)}); graded by ours"
    return replace(submission, notices=(*submission.notices, notice))


def _digest_in(record: Mapping[str, Any], slug: str) -> str:
    """The digest that a problem.json states for an exercise; empty where it states none."""
    found: Any = record
    for key in ("exercises", slug, "digest"):
        found = cast(dict[str, Any], found).get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""


_one_at_a_time = Lock()
_grader: Grader | None = None


def grade_here(work: Work, submission: Submission) -> Graded:
    """Grade in this process, with a grader that is opened once and kept for the same ``work``.

    Threads of one process take turns. Raises CourseError, IsolationError where this process cannot grade.
    """
    with _one_at_a_time:
        return _kept(work).grade(submission)


def _get_ready(work: Work) -> None:
    """Open the grader that ``grade_here`` keeps. What keeps it from opening is told with the first submission."""
    with _one_at_a_time, suppress(Exception):
        _kept(work)


def _kept(work: Work) -> Grader:
    global _grader
    if _grader is None or _grader.work != work:
        _close()
        _grader = Grader(work)
    return _grader


def stop_grading() -> None:
    """End the grader that ``grade_here`` keeps."""
    with _one_at_a_time:
        _close()


def _close() -> None:
    global _grader
    if _grader is not None:
        _grader.close()
        _grader = None


def grade_class(
    work: Work,
    submissions: Sequence[Submission],
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
) -> Iterator[Graded]:
    """Grade in any order, yielding each as it is done. Results do not depend on workers or order.

    One worker is this process, the others are processes of their own; or all runs in any ``concurrent.futures``
    executor whose processes reach the course folder under the same path. The processes are started at once, what
    they do with the first step. Raises CourseError before the first submission is run where the assignment or the
    isolation is not as asked for.
    """
    return _graded(
        work, submissions, _others(work, workers - 1) if workers > 1 and executor is None else None, executor
    )


def _others(work: Work, count: int) -> ProcessPoolExecutor:
    """Processes that get ready to grade.

    A process of one thread is forked, which starts in no time. Where there are more, a lock that one of them holds
    would stay locked in a fork for good, and macOS and Windows have no safe fork: there it is a new process.
    """
    alone = sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    context = get_context("fork" if alone else "spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin)
    for _ in range(count):
        pool.submit(_get_ready, work)
    return pool


def _begin() -> None:
    """A worker has no grader yet (one that came along with a fork is the other process's), and ends with its parent."""
    global _grader
    _grader = None
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)  # what waits for work would wait for ever; the zygote ends when we do


def _graded(
    work: Work,
    submissions: Sequence[Submission],
    others: ProcessPoolExecutor | None,
    executor: Callable[[], Executor] | None,
) -> Iterator[Graded]:
    # What is wrong for everyone is found here, not once per worker.
    with others or nullcontext(), closing(Grader(work)) as grader:
        if executor is not None:
            grader.close()
            yield from _from(executor(), work, submissions)
        elif others:
            yield from _from(others, work, submissions, here=grader)
        else:
            yield from map(grader.grade, submissions)


def _from(
    pool: Executor, work: Work, submissions: Sequence[Submission], *, here: Grader | None = None
) -> Iterator[Graded]:
    """Grade in a pool. ``here`` is one more at work: it takes from the end what no other has begun."""
    came: SimpleQueue[Future[Graded]] = SimpleQueue()
    waiting: dict[Future[Graded], Submission] = {}
    try:
        for submission in submissions:
            waiting[pool.submit(grade_here, work, submission)] = submission
        left = len(waiting)
        for future in waiting:
            future.add_done_callback(came.put)
        unbegun = reversed(waiting) if here else iter(())
        while left:
            mine = next((future for future in unbegun if future.cancel()), None)
            if here and mine:
                left -= 1
                yield here.grade(waiting[mine])
            while left and (not came.empty() or not mine):
                if not (done := came.get()).cancelled():
                    left -= 1
                    yield _result(done, waiting[done])
    finally:
        for future in waiting:  # of a run that was stopped: what has begun is finished, the rest waits
            future.cancel()
        pool.shutdown()


def _result(done: Future[Graded], submission: Submission) -> Graded:
    try:
        return done.result()
    except Exception as error:  # a lost worker is our fault, and only its students wait for another run
        return Graded(student=submission.student, report=None, fault=f"{type(error).__name__}: {error}")


def submissions_of(course: Course, assignment: str, students: Sequence[str] = ()) -> list[Submission]:
    """Stored submissions, of all students or of those named.

    Raises CourseError for a named student from whom nothing came.
    """
    from headwork.collect import load_stored

    found = [
        submission
        for submission in load_stored(course.root, assignment, release=course.handed_out(assignment))
        if not students or submission.student in students
    ]
    missing = sorted(set(students) - {submission.student for submission in found})
    if missing:
        raise CourseError(f"{assignment}: nothing has been collected from {', '.join(missing)}")
    return found
