"""nbgrader: the assignment as its source notebook, grading inside ``nbgrader autograde``, marks in its gradebook.

Importing this costs nothing; nbgrader itself is loaded where a function needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from headwork.assignment import Assignment
    from headwork.course import Course
    from headwork.model import Report

__all__ = ["configure", "write_gradebook", "write_source"]


def configure(c: Any, *, isolation: str = "auto") -> None:
    """Set nbgrader up, from a course's ``nbgrader_config.py``; see ``configuration.py``."""
    from headwork.exports.nbgrader.configuration import configure

    configure(c, isolation=isolation)


def write_source(course: Course, assignment: Assignment) -> list[Path]:
    """Write ``source/<assignment>/``; see ``source.py``."""
    from headwork.exports.nbgrader.source import write_source

    return write_source(course, assignment)


def write_gradebook(
    course: Course, assignment: Assignment, reports: Sequence[Report], *, db_url: str | None = None
) -> int:
    """Write marks into nbgrader's gradebook and return the number of students; see ``gradebook.py``."""
    from headwork.exports.nbgrader.gradebook import write_gradebook

    return write_gradebook(course, assignment, reports, db_url=db_url)
