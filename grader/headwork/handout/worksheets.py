"""Worksheets of a class as files: print-ready HTML, LaTeX or PDF, with the key beside them if asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwork.course import Course
from headwork.handout.print_pdf import print_pdf
from headwork.handout.worksheet import worksheet_html, worksheet_tex
from headwork.model import CourseError
from headwork.sheets import Sheets
from headwork.writing import write_atomically

FORMATS = ("html", "tex", "pdf")


def write_worksheets(
    course: Course, name: str, students: Iterable[str], *, form: str = "html", key: bool = False
) -> Iterator[Path]:
    """Write ``worksheets/<assignment>/<student>.<form>`` (``-key`` with the answers), yielding the paths.

    Raises CourseError for an unknown form, or for "pdf" where no browser can print.
    """
    if form not in FORMATS:
        raise CourseError(f"form {form!r}; wanted one of {', '.join(FORMATS)}")
    assignment = course.assignment(name)
    content = course.content()
    sheets = Sheets(course, assignment)
    for student in students:
        sheet = sheets.of(student)
        path = course.root / "worksheets" / name / f"{student}{'-key' if key else ''}.{form}"
        make = worksheet_tex if form == "tex" else worksheet_html
        text = make(content, assignment.title, student, sheet.problems, assignment.exercises, key=key)
        if form == "pdf":
            path.parent.mkdir(parents=True, exist_ok=True)
            yield print_pdf(text, path)
            continue
        write_atomically(path, text.encode())
        yield path
