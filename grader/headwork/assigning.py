"""Draw for a class and write the handouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwork.course import Course
from headwork.handout import handout_files
from headwork.model import CourseError
from headwork.sheets import Sheets
from headwork.writing import write_atomically


def assign_all(course: Course, name: str, students: Iterable[str]) -> Iterator[Path]:
    """Write one handout per student, yielding its folder. Stored draws are kept, so handing out twice changes nothing.

    Raises CourseError where the assignment can't be drawn, or a student is not on the roster.
    """
    assignment = course.assignment(name)
    content = course.content()
    sheets = Sheets(course, assignment)
    known = {student.id for student in course.roster().students}
    for student in students:
        if student not in known:
            raise CourseError(f"{student!r} is not on the roster ({course.root / 'roster.csv'})")
        sheet = sheets.of(student)
        problems = {exercise.slug: sheet.problems[exercise.slug] for exercise in assignment.exercises}
        form = "notebook" if assignment.form == "notebook" else "py"
        files = handout_files(content, name, student, problems, assignment.exercises, form=form)
        folder = course.handout_folder(name, student)
        for file, data in files.items():
            write_atomically(folder / file, data)
        yield folder
