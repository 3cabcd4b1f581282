"""Reports into nbgrader's gradebook: what ``headwork grade --gradebook`` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwork.assignment import Assignment
from headwork.course import Course
from headwork.exports.nbgrader.database import add_rows, new_id, open_gradebook, save_marks
from headwork.exports.nbgrader.graded import Shelf, graded_notebook, open_shelf, write_graded
from headwork.exports.nbgrader.released import cells_of, flags_of, is_locked
from headwork.model import CourseError, Report

Row = dict[str, Any]


def write_gradebook(
    course: Course, assignment: Assignment, reports: Sequence[Report], *, db_url: str | None = None
) -> int:
    """Write students, cells, scores and comments, and the graded notebooks that nbgrader shows.

    Manual marks stay. ``db_url`` is nbgrader's; without one it is what ``nbgrader_config.py`` says, else
    ``gradebook.db`` in the course folder. This process is the one writer. Returns the number of students.
    Raises CourseError where nbgrader is not installed or its configuration cannot be read.
    """
    configured_url, course_id = configuration_of(course)
    shelf = open_shelf(course, assignment)
    marks: dict[str, Any] = {}
    for report in reports:
        graded = graded_notebook(shelf, report)
        write_graded(shelf, report, graded)
        marks[report.student] = graded.marks
    with open_gradebook(db_url or configured_url, course_id=course_id) as (api, session):
        notebook_id = _ensure_notebook(api, session, shelf, course_id)
        _ensure_students(api, session, course, list(marks))
        submitted = _ensure_submissions(api, session, shelf, notebook_id, list(marks))
        by_notebook = {submitted[student]: found for student, found in marks.items()}
        save_marks(api, session, by_notebook, first_cell=first_comment_cell(shelf))
    return len(marks)


def first_comment_cell(shelf: Shelf) -> str:
    """The first cell of the notebook that can have a comment."""
    return next(
        (flags["grade_id"] for cell in cells_of(shelf.released) if (flags := flags_of(cell)).get("solution")), ""
    )


def configuration_of(course: Course) -> tuple[str, str]:
    """Database and course id as the course's ``nbgrader_config.py`` has them."""
    default = f"sqlite:///{course.root.resolve() / 'gradebook.db'}"
    path = course.root / "nbgrader_config.py"
    if not path.exists():
        return default, "default_course"
    from traitlets.config.loader import PyFileConfigLoader

    try:
        found: Any = PyFileConfigLoader(path.name, path=str(course.root)).load_config()
    except Exception as error:  # the file is the instructor's program and may fail in any way
        raise CourseError(f"{path}: can't be read: {type(error).__name__}: {error}") from error
    section: Mapping[str, Any] = found.get("CourseDirectory", {})
    url, name = section.get("db_url"), section.get("course_id")
    return str(url or default), str(name or "default_course")


def _ensure_notebook(api: Any, session: Any, shelf: Shelf, course_id: str) -> str:
    """Assignment, notebook and cells, as ``nbgrader generate_assignment`` makes them; what is there stays."""
    from sqlalchemy import select

    name = shelf.assignment.name
    assignment_id = session.execute(select(api.Assignment.id).where(api.Assignment.name == name)).scalar()
    if assignment_id is None:
        assignment_id = new_id()
        add_rows(session, api.Assignment, [{"id": assignment_id, "name": name, "course_id": course_id}])
    query = select(api.Notebook.id).where(api.Notebook.name == name, api.Notebook.assignment_id == assignment_id)
    notebook_id = session.execute(query).scalar()
    if notebook_id is None:
        import json

        notebook_id = new_id()
        kernel = json.dumps(shelf.released["metadata"].get("kernelspec", {}))
        row = {"id": notebook_id, "name": name, "assignment_id": assignment_id, "kernelspec": kernel}
        add_rows(session, api.Notebook, [row])
    _ensure_cells(api, session, shelf, notebook_id)
    return notebook_id


def _ensure_cells(api: Any, session: Any, shelf: Shelf, notebook_id: str) -> None:
    from sqlalchemy import select

    query = select(api.BaseCell.name, api.BaseCell.type).where(api.BaseCell.notebook_id == notebook_id)
    there = {(name, kind) for name, kind in session.execute(query).all()}
    sources = set(
        session.execute(select(api.SourceCell.name).where(api.SourceCell.notebook_id == notebook_id)).scalars()
    )
    grades: list[Row] = []
    solutions: list[Row] = []
    texts: list[Row] = []
    for cell in cells_of(shelf.released):
        flags = flags_of(cell)
        if not flags:
            continue
        name = flags["grade_id"]
        row = {"name": name, "notebook_id": notebook_id}
        if flags["grade"] and (name, "GradeCell") not in there:
            points = float(flags["points"])
            grades.append({**row, "id": new_id(), "max_score": points, "cell_type": cell["cell_type"]})
        if flags["solution"] and (name, "SolutionCell") not in there:
            solutions.append({**row, "id": new_id()})
        if name not in sources:
            text = {"source": cell["source"], "checksum": flags.get("checksum")}
            texts.append({**row, **text, "id": new_id(), "cell_type": cell["cell_type"], "locked": is_locked(flags)})
    add_rows(session, api.GradeCell, grades)
    add_rows(session, api.SolutionCell, solutions)
    add_rows(session, api.SourceCell, texts)
    session.flush()


def _ensure_students(api: Any, session: Any, course: Course, students: Sequence[str]) -> None:
    """Students who are not in the gradebook yet, with their names from the roster."""
    from sqlalchemy import select

    there = set(session.execute(select(api.Student.id)).scalars())
    named = {found.id: found for found in course.roster().students} if (course.root / "roster.csv").exists() else {}
    rows: list[Row] = []
    for student in students:
        if student not in there:
            known = named.get(student)
            first, _, last = (known.name if known else "").rpartition(" ")
            email = (known.email if known else "") or None
            rows.append({"id": student, "first_name": first or None, "last_name": last or None, "email": email})
    add_rows(session, api.Student, rows)


def _ensure_submissions(
    api: Any, session: Any, shelf: Shelf, notebook_id: str, students: Sequence[str]
) -> dict[str, str]:
    """The submitted notebook of every student, with a row for every cell's grade and comment."""
    from sqlalchemy import select, update

    notebook = session.execute(select(api.Notebook.assignment_id).where(api.Notebook.id == notebook_id)).one()
    assignment_id = notebook.assignment_id
    query = select(api.SubmittedAssignment.student_id, api.SubmittedAssignment.id, api.SubmittedAssignment.timestamp)
    rows = session.execute(query.where(api.SubmittedAssignment.assignment_id == assignment_id)).all()
    known = {student: (found, timestamp) for student, found, timestamp in rows}
    stamps = {student: _timestamp(api, shelf, student) for student in students}
    fresh = {student: new_id() for student in students if student not in known}
    add_rows(
        session,
        api.SubmittedAssignment,
        [
            {"id": found, "assignment_id": assignment_id, "student_id": student, "timestamp": stamps[student]}
            for student, found in fresh.items()
        ],
    )
    later = [
        {"id": known[student][0], "timestamp": stamps[student]}
        for student in students
        if student in known and stamps[student] is not None and stamps[student] != known[student][1]
    ]
    if later:
        session.execute(update(api.SubmittedAssignment), later)
    by_student = {student: fresh.get(student) or known[student][0] for student in students}
    return _ensure_submitted_notebooks(api, session, assignment_id, notebook_id, by_student)


def _ensure_submitted_notebooks(
    api: Any, session: Any, assignment_id: str, notebook_id: str, submissions: Mapping[str, str]
) -> dict[str, str]:
    from sqlalchemy import select

    notebooks = list(
        session.execute(select(api.Notebook.id).where(api.Notebook.assignment_id == assignment_id)).scalars()
    )
    query = select(api.SubmittedNotebook.assignment_id, api.SubmittedNotebook.notebook_id, api.SubmittedNotebook.id)
    rows = session.execute(query.where(api.SubmittedNotebook.notebook_id.in_(notebooks))).all()
    there = {(submission, notebook): found for submission, notebook, found in rows}
    fresh = {
        (submission, notebook): new_id()
        for submission in submissions.values()
        for notebook in notebooks
        if (submission, notebook) not in there
    }
    add_rows(
        session,
        api.SubmittedNotebook,
        [
            {"id": found, "assignment_id": submission, "notebook_id": notebook}
            for (submission, notebook), found in fresh.items()
        ],
    )
    there |= fresh
    wanted = set(submissions.values())
    by_notebook: dict[str, list[str]] = {}
    for (submission, notebook), found in there.items():
        if submission in wanted:
            by_notebook.setdefault(notebook, []).append(found)
    for notebook, found in by_notebook.items():
        _ensure_grades(api, session, notebook, found)
    return {student: there[submission, notebook_id] for student, submission in submissions.items()}


def _ensure_grades(api: Any, session: Any, notebook_id: str, submitted: Sequence[str]) -> None:
    from sqlalchemy import select

    query = select(api.BaseCell.id, api.BaseCell.type).where(api.BaseCell.notebook_id == notebook_id)
    cells = session.execute(query).all()
    graded = [cell for cell, kind in cells if kind in ("GradeCell", "TaskCell")]
    commented = [cell for cell, kind in cells if kind in ("SolutionCell", "TaskCell")]
    for model, wanted in ((api.Grade, graded), (api.Comment, commented)):
        rows = session.execute(
            select(model.notebook_id, model.cell_id)
            .join(api.BaseCell, api.BaseCell.id == model.cell_id)
            .where(api.BaseCell.notebook_id == notebook_id)
        ).all()
        there = {(notebook, cell) for notebook, cell in rows}
        extra = {"needs_manual_grade": True} if model is api.Grade else {}
        add_rows(
            session,
            model,
            [
                {"id": new_id(), "notebook_id": notebook, "cell_id": cell, **extra}
                for notebook in submitted
                for cell in wanted
                if (notebook, cell) not in there
            ],
        )


def _timestamp(api: Any, shelf: Shelf, student: str) -> Any:
    """When the submission was handed in, in UTC, where nbgrader has noted it."""
    path = shelf.course.root / "submitted" / student / shelf.assignment.name / "timestamp.txt"
    if not path.is_file() or path.is_symlink():
        return None
    try:
        return api.utils.parse_utc(path.read_text(encoding="utf-8").strip())
    except (ValueError, OverflowError, OSError):
        return None
