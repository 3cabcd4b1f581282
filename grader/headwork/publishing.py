"""Reports to pages: feedback for students, the class report for the instructor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from headwork.assignment import Assignment
from headwork.course import Course
from headwork.help_shown import remember_help
from headwork.model import CourseError, Report
from headwork.reports.class_report import class_html, grades_csv
from headwork.reports.copies import Copy
from headwork.reports.feedback import feedback_pages
from headwork.reports.stored import reports_of
from headwork.reports.worked import worked_pages
from headwork.worked import slip_pages
from headwork.writing import write_atomically


def write_feedback(course: Course, name: str, students: Sequence[str] = ()) -> Iterator[Path]:
    """Write feedback.html and feedback.md for every graded student (or those named), yielding their folders.

    Raises CourseError where a named student has no report.
    """
    assignment = course.assignment(name)
    content = course.content()
    reports = [report for report in reports_of(course, name) if not students or report.student in students]
    missing = sorted(set(students) - {report.student for report in reports})
    if missing:
        raise CourseError(f"{name}: no report for {', '.join(missing)}; run `headwork grade {name}` first")
    for report in reports:
        sheet = course.load_sheet(assignment, report.student)
        problems = sheet.problems if sheet else None
        folder = course.feedback_folder(name, report.student)
        remember_help(course.report_path(name, report.student).parent, report, steps=assignment.policy.hints)
        pages = feedback_pages(report, content, problems=problems, hint_steps=assignment.policy.hints)
        if assignment.policy.worked_solution and problems:
            pages |= worked_pages(content, assignment.title, problems)
            pages |= slip_pages(content, assignment.title, problems, report.judgements)
        for file, text in pages.items():
            write_atomically(folder / file, text.encode())
        yield folder


def write_class_report(
    course: Course, assignment: Assignment, reports: Sequence[Report], copies: Sequence[Copy] = ()
) -> list[Path]:
    """Write grades.csv and class.html beside the reports; ``copies`` are answers for the instructor to look at."""
    folder = course.root / "reports" / assignment.name
    names = {student.id: student.name for student in course.roster().students}
    files = {
        "grades.csv": grades_csv(reports, names),
        "class.html": class_html(reports, course.content(), names, copies),
    }
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
    return [folder / name for name in files]
