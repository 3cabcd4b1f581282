"""The source notebook of an assignment, and what it needs beside it.

Nothing in these files is secret, before or after release: no solutions, no expected values of the draws that
marks are given on, no course secret.
"""

from __future__ import annotations

import json
from pathlib import Path

from headwork.assignment import Assignment
from headwork.course import Course
from headwork.exports.nbgrader.cells import notebook_cells, notebook_json
from headwork.exports.nbgrader.numbers import NAME, numbers_json
from headwork.handout.public_test import public_test_py
from headwork.model import CourseError
from headwork.pages.environment import environment
from headwork.sheets import Sheets
from headwork.writing import write_atomically


def write_source(course: Course, assignment: Assignment) -> list[Path]:
    """Write the notebook, the public checks, and the numbers of everyone on the roster.

    Raises CourseError where nbgrader cannot carry the assignment's name, or the roster is empty.
    """
    if "+" in assignment.name:
        raise CourseError(f"{assignment.name!r}: nbgrader takes no + in the name of an assignment; rename its folder")
    drawn = Sheets(course, assignment)
    sheets = [drawn.of(student.id) for student in course.roster().students]
    if not sheets:
        raise CourseError(f"{course.root / 'roster.csv'}: there are no students to draw numbers for")
    content = course.content()
    cells = notebook_cells(content, assignment, example=sheets[0].problems)
    notebook = json.dumps(notebook_json(cells, assignment=assignment.name), indent=1, ensure_ascii=False) + "\n"
    files = {
        f"{assignment.name}.ipynb": notebook.encode(),
        "own_numbers.py": environment(content).get_template("own_numbers.py.j2").render().encode(),
        "test_public.py": public_test_py(assignment.exercises, content).encode(),
        NAME: numbers_json(content, assignment, sheets, secret=course.secret()),
    }
    folder = course.root / "source" / assignment.name
    for name, data in files.items():
        write_atomically(folder / name, data)
    return [folder / name for name in files]
