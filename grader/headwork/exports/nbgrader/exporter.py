"""How ``nbgrader autograde`` reads the notebooks of headwork's assignments: not at all.

nbgrader parses a student's file twice before it runs anything, and stops for odd metadata, at the worst for
the whole class. Here the student's file is read by ``JudgeInSandbox`` alone, as text.
"""

from __future__ import annotations

import json
import weakref
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter

from headwork.course import open_course
from headwork.exports.nbgrader.database import load_api
from headwork.exports.nbgrader.graded import Shelf, open_shelf
from headwork.grading import Grader, Work


class Batch:
    """One assignment while it is graded: its release, and a grader whose runner stays open."""

    def __init__(self, root: Path, name: str, isolation: str) -> None:
        """Raises CourseError and IsolationError."""
        course = open_course(root)
        self.grader = Grader(Work(course=course, assignment_name=name, isolation=isolation))
        self.shelf: Shelf = open_shelf(course, self.grader.assignment)


class ExportFromText(NotebookExporter):
    """nbgrader's exporter for one run of ``autograde``; it keeps the open batch of every assignment."""

    def __init__(self, **kwargs: Any) -> None:
        """As nbconvert calls it."""
        super().__init__(**kwargs)
        self.optimistic_validation = True
        self._batches: dict[str, Batch] = {}
        self._sessions: dict[str, tuple[Any, Any]] = {}

    def is_ours(self, resources: Any) -> bool:
        """Whether a notebook is that of an assignment of headwork."""
        about = resources.get("nbgrader", {})
        name = about.get("assignment", "")
        return about.get("notebook") == name and (self.course_root / "source" / name / "assignment.toml").is_file()

    @property
    def course_root(self) -> Path:
        """The course folder, as nbgrader knows it."""
        return Path(self._converter.coursedir.root)

    @property
    def _converter(self) -> Any:
        """nbgrader's ``Autograde``, which has made this exporter."""
        return self.parent

    @property
    def course_id(self) -> str:
        """nbgrader's name of the course."""
        return str(self._converter.coursedir.course_id)

    def batch(self, name: str, isolation: str) -> Batch:
        """The open batch of an assignment."""
        if name not in self._batches:
            made = Batch(self.course_root, name, isolation)
            weakref.finalize(self, made.grader.close)
            self._batches[name] = made
        return self._batches[name]

    def session(self, db_url: str) -> tuple[Any, Any]:
        """nbgrader's models and an open session, the same one for the whole run; whoever writes commits."""
        if db_url not in self._sessions:
            api = load_api()
            gradebook = api.Gradebook(db_url, self.course_id)
            weakref.finalize(self, gradebook.close)
            self._sessions[db_url] = (api, gradebook.db)
        return self._sessions[db_url]

    def from_filename(self, filename: str, resources: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """The first pass, which is to clean the file, gives an empty notebook; the second is filled by our preprocessor."""
        if resources is None or not self.is_ours(resources):
            return super().from_filename(filename, resources=resources, **kwargs)
        resources = self._init_resources(resources)
        resources["metadata"]["name"] = Path(filename).stem
        resources["metadata"]["path"] = str(Path(filename).parent)
        empty = nbformat.from_dict({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        if self._converter._sanitizing:
            return json.dumps(empty), resources
        return self.from_notebook_node(empty, resources=resources, **kwargs)
