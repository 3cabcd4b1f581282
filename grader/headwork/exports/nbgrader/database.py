"""nbgrader's gradebook, written in bulk through nbgrader's own models.

nbgrader's methods look up one row per call and commit after each; a class of 300 is some hundred thousand
statements that way. Here every table is read once and written once, in one transaction.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from headwork.exports.nbgrader.marks import Marks
from headwork.model import CourseError

_UNNEEDED = "rfc3987_syntax"
"""Compiles grammars for a second when jsonschema finds it; only its checks of web addresses need it."""


def load_api() -> Any:
    """``nbgrader.api``. Raises CourseError where nbgrader is not installed."""
    if "nbgrader" in sys.modules:
        return importlib.import_module("nbgrader.api")
    spec = importlib.util.find_spec("nbgrader")
    if spec is None:
        raise CourseError("nbgrader is not installed: pip install 'headwork[nbgrader]'")
    # The package's own __init__ loads every server extension; the models need none of them.
    blocked = _UNNEEDED not in sys.modules
    if blocked:
        sys.modules[_UNNEEDED] = None  # pyright: ignore[reportArgumentType]
    sys.modules["nbgrader"] = importlib.util.module_from_spec(spec)
    try:
        return importlib.import_module("nbgrader.api")
    finally:
        del sys.modules["nbgrader"]
        if blocked:
            del sys.modules[_UNNEEDED]


@contextmanager
def open_gradebook(db_url: str, *, course_id: str) -> Generator[tuple[Any, Any]]:
    """nbgrader's ``api`` module and a session on its database, committed at the end and rolled back on an error."""
    api = load_api()
    _make_tables(api, db_url)
    with api.Gradebook(db_url, course_id) as gradebook:
        session = gradebook.db
        try:
            yield api, session
            session.commit()
        except BaseException:
            session.rollback()
            raise


def _make_tables(api: Any, db_url: str) -> None:
    """A new database, with the version that nbgrader's migrations start from.

    nbgrader starts a program called alembic for this, which is not on the PATH of every installation.
    """
    from sqlalchemy import create_engine, inspect, text

    engine = create_engine(db_url)
    try:
        if inspect(engine).get_table_names():
            return
        from alembic.config import Config
        from alembic.script import ScriptDirectory

        config = Config()
        config.set_main_option("script_location", str(_package_folder(api) / "alembic"))
        head = ScriptDirectory.from_config(config).get_current_head()
        api.Base.metadata.create_all(bind=engine)
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": head})
    finally:
        engine.dispose()


def _package_folder(api: Any) -> Any:
    from pathlib import Path

    return Path(api.__file__).parent


def save_marks(api: Any, session: Any, marks: Mapping[str, Marks], *, first_cell: str) -> None:
    """Write the marks, by id of the submitted notebook, over the automatic ones of before.

    Manual scores, extra credit and manual comments are left alone. A cell that has a manual score asks for a
    person again only if the automatic score has changed since.
    """
    from sqlalchemy import select, update

    grade, comment, cell = api.Grade, api.Comment, api.BaseCell
    ids = list(marks)
    changed: list[dict[str, Any]] = []
    for chunk in _chunks(ids):
        columns = (
            grade.id,
            grade.notebook_id,
            cell.name,
            grade.auto_score,
            grade.manual_score,
            grade.needs_manual_grade,
        )
        rows = session.execute(
            select(*columns).join(cell, cell.id == grade.cell_id).where(grade.notebook_id.in_(chunk))
        )
        for row_id, notebook, name, auto, manual, waiting in rows.all():
            score = marks[notebook].scores.get(name, marks[notebook].rest)
            person = score.person if manual is None else (waiting or auto != score.points)
            if (auto, waiting) != (score.points, person):
                changed.append({"id": row_id, "auto_score": score.points, "needs_manual_grade": person})
    if changed:
        session.execute(update(grade), changed)
    said: list[dict[str, Any]] = []
    for chunk in _chunks(ids):
        columns = (comment.id, comment.notebook_id, cell.name, comment.auto_comment)
        rows = session.execute(
            select(*columns).join(cell, cell.id == comment.cell_id).where(comment.notebook_id.in_(chunk))
        )
        for row_id, notebook, name, before in rows.all():
            mark = marks[notebook]
            text = mark.comments.get(name) or (mark.everywhere if name == first_cell else "") or None
            if before != text:
                said.append({"id": row_id, "auto_comment": text})
    if said:
        session.execute(update(comment), said)


def _chunks(ids: list[str]) -> Iterator[list[str]]:
    """SQLite takes some hundred values in one statement."""
    for start in range(0, len(ids), 500):
        yield ids[start : start + 500]


def add_rows(session: Any, model: Any, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows of one table at once."""
    from sqlalchemy import insert

    listed = list(rows)
    if listed:
        session.execute(insert(model), listed)


def new_id() -> str:
    """A primary key as nbgrader makes them."""
    return uuid4().hex
