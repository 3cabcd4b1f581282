"""Setting up a course and handing out: new, assign, worksheet, certify."""

# Imports stay inside the commands, so that --help answers at once.
from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from headwork.commands.app import (
    AsJson,
    AssignmentName,
    CourseFolder,
    Students,
    app,
    plainly,
    print_json,
)


@app.command()
@plainly
def new(
    folder: Annotated[Path, typer.Argument(help="Where the course goes.")],
    name: Annotated[str | None, typer.Option(help="The course's name (default: the folder's).")] = None,
) -> None:
    """Make a course folder with a sample assignment.

    Example: headwork new attention-course
    """
    from shlex import quote

    from headwork.new_course import make_course

    for path in make_course(folder, name=name):
        print(f"wrote {path}")
    print(
        f"Next: put your students into {folder / 'roster.csv'}, then: cd {quote(str(folder))} && headwork assign attention"
    )


@app.command()
@plainly
def assign(
    assignment: AssignmentName,
    student: Students = None,
    course: CourseFolder = Path(),
    to: Annotated[str | None, typer.Option(help="nbgrader: also write source/<assignment>/*.ipynb.")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a problem for every student of the roster and write the handouts.

    A student who has one already keeps the same numbers. Example: headwork assign attention
    """
    from headwork.assigning import assign_all
    from headwork.course import open_course
    from headwork.reports.progress import tracked

    opened = open_course(course)
    students = student or [found.id for found in opened.roster().students]
    done = list(tracked(assign_all(opened, assignment, students), total=len(students), what="handouts"))
    written = [str(path) for path in _to_other_tool(to, opened, assignment)]
    if as_json:
        print_json({"assignment": assignment, "handouts": [str(path) for path in done], "written": written})
        return
    print(f"{len(done)} handouts in {opened.root / 'handouts' / assignment}")
    for path in written:
        print(f"wrote {path}")


def _to_other_tool(to: str | None, course: Any, assignment: str) -> list[Path]:
    from headwork.model import CourseError

    if to is None:
        return []
    if to != "nbgrader":
        raise CourseError(f"--to {to}: headwork can write for nbgrader")
    from headwork.exports.nbgrader import write_source

    return write_source(course, course.assignment(assignment))


@app.command()
@plainly
def worksheet(
    assignment: AssignmentName,
    student: Students = None,
    form: Annotated[str, typer.Option("--format", help="html, tex or pdf (pdf prints with Chromium).")] = "html",
    key: Annotated[bool, typer.Option("--key", help="With the answers filled in, for staff.")] = False,
    course: CourseFolder = Path(),
) -> None:
    """Write the same problems as worksheets for paper, with answer boxes, or as keys.

    What is typed in from them is marked by the same engine. Example: headwork worksheet attention --format pdf
    """
    from headwork.course import open_course
    from headwork.handout.worksheets import write_worksheets
    from headwork.reports.progress import tracked

    opened = open_course(course)
    students = student or [found.id for found in opened.roster().students]
    sheets = write_worksheets(opened, assignment, students, form=form, key=key)
    done = list(tracked(sheets, total=len(students), what="worksheets"))
    print(f"{len(done)} worksheets in {opened.root / 'worksheets' / assignment}")


@app.command()
@plainly
def certify(
    assignment: AssignmentName, student: Students = None, course: CourseFolder = Path(), as_json: AsJson = False
) -> None:
    """Show and store the certificate: how far every known mistake is from right, on every student's numbers.

    Example: headwork certify attention
    """
    from headwork.certifying import certificate_lines, certify_assignment
    from headwork.course import open_course

    opened = open_course(course)
    record = certify_assignment(opened, assignment, student or ())
    if as_json:
        print_json(record)
        return
    for line in certificate_lines(record):
        print(line)
