"""The course folder: an nbgrader-shaped folder with what headwork adds to it.

course.toml                          names the course
roster.csv                           one student a line
source/<assignment>/assignment.toml  what is asked
handouts/<assignment>/<student>/     what each student got
submitted/<student>/<assignment>/    what came back
reports/<assignment>/                a report.json per student, grades.csv, class.html
feedback/<student>/<assignment>/     pages for students
.headwork/                           the course secret and the stored draws; not for students
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwork.assignment import Assignment, read_assignment
from headwork.collect.release import ReleaseNotebook
from headwork.collect.roster import Roster, read_roster
from headwork.draw.seeds import new_secret
from headwork.draw.student import Sheet
from headwork.model import CourseError
from headwork.rooms import Content, load_content
from headwork.writing import write_atomically

_NAME = re.compile(r"\w[\w .+()\[\]-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A course folder."""

    root: Path
    name: str
    extra_content: tuple[Path, ...] = ()

    def content(self) -> Content:
        """The built-in rooms and the course's own."""
        return load_content(self.extra_content)

    def secret(self) -> bytes:
        """The course secret; made at first use, readable by its owner only."""
        path = self.root / ".headwork" / "secret"
        if not path.exists():
            write_atomically(path, new_secret().hex().encode(), private=True)
        try:
            return bytes.fromhex(path.read_text(encoding="ascii").strip())
        except ValueError:
            raise CourseError(f"{path}: not a course secret; put the old file back, or all draws change") from None

    def roster(self) -> Roster:
        """The students of ``roster.csv``."""
        path = self.root / "roster.csv"
        if not path.exists():
            raise CourseError(f"{path}: there is no roster; write one student id a line, under the heading id")
        return read_roster(path)

    def assignment(self, name: str) -> Assignment:
        """An assignment of the course, by its folder name in source/."""
        if not _NAME.fullmatch(name):
            raise CourseError(f"{name!r} is not the name of an assignment (letters, digits and - _ . are)")
        path = self.root / "source" / name / "assignment.toml"
        if not path.exists():
            there = sorted(found.parent.name for found in (self.root / "source").glob("*/assignment.toml"))
            raise CourseError(f"{path}: there is no such assignment; there are: {', '.join(there) or 'none'}")
        return read_assignment(path, self.content().exercises, name=name)

    def handed_out(self, assignment: str) -> ReleaseNotebook | None:
        """What ``release/<assignment>/`` holds, for telling it from what students wrote; None where nothing is there."""
        from headwork.collect.handed_out import release_of

        paths = sorted((self.root / "release" / assignment).glob("*.ipynb"))
        try:
            return release_of({path.name: path.read_bytes() for path in paths}) if paths else None
        except (OSError, ValueError) as error:
            raise CourseError(f"{paths[0].parent}: a released notebook can't be read: {error}") from error

    def handout_folder(self, assignment: str, student: str) -> Path:
        """Where a student's handout is written."""
        return self.root / "handouts" / assignment / student

    def report_path(self, assignment: str, student: str) -> Path:
        """Where the record of a grading lies."""
        return self.root / "reports" / assignment / student / "report.json"

    def feedback_folder(self, assignment: str, student: str) -> Path:
        """Where a student's feedback pages are written."""
        return self.root / "feedback" / student / assignment

    def sheet_path(self, assignment: str, student: str) -> Path:
        """Where a student's draws are kept."""
        return self.root / ".headwork" / "draws" / assignment / f"{student}.json"

    def save_sheet(self, assignment: str, sheet: Sheet) -> None:
        """Keep what was drawn, so that it stays gradable whatever a later version would draw."""
        from headwork.handout.problem_json import problem_record

        problem = problem_record(assignment, sheet.student, sheet.problems)
        stated: dict[int, str] = {}
        for slug, found in sheet.problems.items():
            first = stated.setdefault(id(found.instance), slug)
            if first != slug:  # numbers that exercises share are written, and later read, once
                problem["exercises"][slug] = {"version": found.version, "digest": found.digest, "numbers_of": first}
        record = {"attempts": dict(sheet.attempts), "problem": problem}
        path = self.sheet_path(assignment, sheet.student)
        write_atomically(path, json.dumps(record, ensure_ascii=False).encode(), private=True)

    def load_sheet(self, assignment: Assignment, student: str) -> Sheet | None:
        """The stored draws of a student; None where there are none, or where an exercise was added since."""
        from headwork.handout.problem_json import problem_file

        path = self.sheet_path(assignment.name, student)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            record: Mapping[str, Any] = json.loads(text)
            exercises: dict[str, Any] = record["problem"]["exercises"]
            for slug, entry in exercises.items():
                if "numbers_of" in entry:
                    exercises[slug] = {**exercises[entry["numbers_of"]], **entry}
            found = problem_file(record["problem"])
        except (ValueError, KeyError, TypeError, AttributeError, CourseError) as error:
            raise CourseError(f"{path}: the stored draws can't be read ({error}); put the file back") from error
        if any(exercise.slug not in found.problems for exercise in assignment.exercises):
            return None
        return Sheet(student=student, problems=found.problems, attempts=record["attempts"])


def open_course(start: Path, extra_content: tuple[Path, ...] = ()) -> Course:
    """The course that ``start`` lies in: the nearest folder upwards with a course.toml.

    Raises CourseError where there is none.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        path = folder / "course.toml"
        if not path.exists():
            continue
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise CourseError(f"{path}: not readable as TOML: {error}") from error
        own = tuple(folder / str(name) for name in table.get("content", ()))
        return Course(root=folder, name=str(table.get("name", folder.name)), extra_content=(*extra_content, *own))
    raise CourseError(f"{start}: no course.toml here or above; `headwork new FOLDER` makes a course")
