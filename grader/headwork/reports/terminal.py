"""What the terminal shows of a class, and the same for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headwork.assignment import Assignment
from headwork.model import Report
from headwork.reports.class_report import class_lines, class_table
from headwork.reports.figures import points_number

if TYPE_CHECKING:
    from headwork.grading import Graded


def print_class_table(
    assignment: Assignment, reports: Sequence[Report], names: Mapping[str, str] | None = None
) -> None:
    """Print the class table; wide enough for its text where the output is not a terminal."""
    from rich.console import Console

    console = Console(width=None if Console().is_terminal else 250)
    console.print(class_table(reports, names))
    if not reports:
        console.print(f"nothing of {assignment.name} is graded yet")


def class_summary(assignment: Assignment, reports: Sequence[Report]) -> dict[str, Any]:
    """The class as JSON: the figures of the table."""
    by_student = {report.student: report for report in reports}
    return {
        "assignment": assignment.name,
        "students": [
            {
                "student": line.student,
                "status": by_student[line.student].status.value,
                "total": points_number(by_student[line.student].total) if line.total else None,
                "maximum": points_number(by_student[line.student].maximum),
                "first_wrong": line.first_wrong or None,
                "reason": line.reason or None,
            }
            for line in class_lines(reports)
        ],
    }


def summary_of(name: str, graded: Sequence[Graded]) -> dict[str, Any]:
    """A grading run as JSON."""
    return {
        "assignment": name,
        "graded": [one.student for one in graded if one.report and not one.kept],
        "unchanged": [one.student for one in graded if one.kept],
        "faults": {one.student: one.fault for one in graded if one.fault},
    }
