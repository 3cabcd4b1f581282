"""The reports that grading has stored, with the marks given by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from headwork.course import Course
from headwork.manual_marks import read_marks, with_marks
from headwork.model import GraderFault, Report, Status
from headwork.reports.record import read_report


def report_at(path: Path) -> Report | None:
    """The report that is there. One that can't be read (torn by a power cut, of another version) counts as none."""
    if not path.exists():
        return None
    try:
        return read_report(path)
    except GraderFault:
        return None


def reports_of(course: Course, assignment: str) -> list[Report]:
    """All stored reports of an assignment, by student, with the marks given by hand.

    One that can't be read (torn by a power cut) needs attention, and stops nobody else's.
    """
    folder: Path = course.root / "reports" / assignment
    paths = sorted(folder.glob("*/report.json"))
    return [with_marks(report_at(path) or _unread(course, assignment, path), read_marks(path.parent)) for path in paths]


def _unread(course: Course, assignment: str, path: Path) -> Report:
    return Report(
        assignment=assignment,
        student=path.parent.name,
        status=Status.NEEDS_ATTENTION,
        judgements=(),
        total=Fraction(0),
        maximum=course.assignment(assignment).maximum,
        reason="the record of this grading can't be read; `headwork grade` writes it anew",
    )
