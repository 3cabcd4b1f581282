"""The roster: a table of students as spreadsheets and learning platforms write it."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from headwork.collect.loose import items, mapping, parsed
from headwork.collect.text import decoded
from headwork.model import CourseError
from headwork.reports.shown_text import shown_line

LARGEST = 8 << 20
MOST_IN_HEADER = 100_000
MOST_LINES_IN_A_ROW = 3
"""A cell may hold line ends in quotes. More of them mean that a quote was never closed and swallowed people."""

_ROUNDED = re.compile(r"\d(?:[.,]\d+)?[Ee]\+\d+$")
_ID = re.compile(r"\w(?:[\w .@+'’()\[\]{},&=~#$!·-]{0,98}[\w)\]}'!~-])?$")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$", re.I)

_IDS = (
    "studentid", "id", "username", "user", "login", "loginid", "sisloginid", "sisuserid", "netid", "userid", "uid", "idnumber",
    "studentnumber", "matriculationnumber", "matrikelnummer", "matrnr", "kennung", "benutzername", "accountname", "student",
)  # fmt: skip
_LMS = ("lmsid", "canvasid", "canvasuserid", "moodleid", "lmsuserid")
_NAMES = ("name", "fullname", "studentname", "displayname", "student")
_FIRST = ("firstname", "givenname", "givennames", "forename", "vorname")
_LAST = ("lastname", "surname", "familyname", "nachname")
_EMAIL = ("email", "emailaddress", "mail", "epost", "universityemail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """One person of the course. ``id`` is text exactly as the roster has it; ``aliases`` are other logins and numbers."""

    id: str
    name: str = ""
    email: str = ""
    lms_id: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLine:
    """A line of the roster that makes no student, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Who is in the course."""

    students: tuple[Student, ...]
    refused: tuple[RefusedLine, ...] = ()


def same(text: str) -> str:
    """A key that is equal for two spellings of one id or name: case, Unicode form and spaces do not count."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def read_roster(path: Path) -> Roster:
    """Read a CSV (comma, semicolon or tab; any usual encoding) or a JSON list of students.

    Lines that cannot be used are refused one by one. Raises ``CourseError`` where no line can be.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path}: the roster cannot be read ({error.strerror})") from None
    if len(raw) > LARGEST:
        raise CourseError(f"{path}: a roster of {len(raw)} bytes; more than {LARGEST} are not read")
    text = decoded(raw).text
    rows = _json_rows(text, path) if path.suffix.lower() == ".json" else _csv_rows(text, path)
    if not rows:
        raise CourseError(f"{path}: no students in it")
    return _roster(rows)


def _csv_rows(text: str, path: Path) -> list[tuple[int, Student]]:
    lines = text.split("\n")
    skipped = next((i for i, line in enumerate(lines) if line.strip() and not line.lower().startswith("sep=")), 0)
    header = lines[skipped] if lines else ""
    delimiter = max(",;\t", key=lambda d: (_known(_split(header, d)), header.count(d)))
    reader = csv.reader(io.StringIO("\n".join(lines[skipped:])), delimiter=delimiter, skipinitialspace=True)
    rows: list[tuple[int, Student]] = []
    columns: Mapping[str, int] | None = None
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if columns is None:
                columns = _columns(cells, path)
            elif any(cells) and not re.match(r"points possible", cells[0], re.I):
                lines_in_row = sum(cell.count("\n") for cell in cells)
                if lines_in_row > MOST_LINES_IN_A_ROW:
                    raise CourseError(
                        f"{path}: a quote opened near line {reader.line_num + skipped - lines_in_row} is not closed"
                    )
                rows.append((reader.line_num + skipped, _student(cells, columns)))
    except csv.Error as error:
        raise CourseError(f"{path}: line {reader.line_num + skipped} is not a line of a table ({error})") from None
    return rows


def _split(header: str, delimiter: str) -> list[str]:
    if len(header) > MOST_IN_HEADER:
        return []
    return [cell for row in csv.reader([header], delimiter=delimiter, skipinitialspace=True) for cell in row]


def _key(cell: str) -> str:
    return re.sub(r"[^a-z0-9]", "", same(cell))


def _known(cells: Iterable[str]) -> int:
    keys = (*_IDS, *_LMS, *_NAMES, *_FIRST, *_LAST, *_EMAIL)
    return sum(_key(cell) in keys for cell in cells)


def _columns(header: list[str], path: Path) -> dict[str, int]:
    """Column numbers by what they hold: "id", "lms_id", "name", "first", "last", "email", and "alias…" for other ids."""
    keys = [_key(cell) for cell in header]
    first = {key: i for i, key in reversed(list(enumerate(keys)))}
    found = {
        kind: first[key]
        for kind, wanted in (("lms_id", _LMS), ("first", _FIRST), ("last", _LAST), ("email", _EMAIL), ("name", _NAMES))
        for key in reversed(wanted)
        if key in first
    }
    ids = [first[key] for key in _IDS if key in first and first[key] != found.get("name")]
    if "id" in first and any(key.startswith("sis") for key in keys):  # Canvas: "ID" is its own number of the person
        found.setdefault("lms_id", first["id"])
        ids = [i for i in ids if i != first["id"]]
        ids.sort(key=lambda i: keys[i] != "sisloginid")
    if not ids and found.get("name") == first.get("student", -1):
        ids = [found.pop("name")]
    if not ids and "email" in found:
        ids = [found["email"]]
    if not ids:
        seen = ", ".join(shown_line(cell, longest=30) for cell in header[:12])
        raise CourseError(
            f'{path}: no column of ids; the first line has: {seen}. Name one "id", "student_id" or "username".'
        )
    found["id"] = ids[0]
    return found | {f"alias{n}": i for n, i in enumerate(ids[1:])}


def _student(cells: list[str], columns: Mapping[str, int]) -> Student:
    def cell(kind: str) -> str:
        number = columns.get(kind, len(cells))
        return cells[number] if number < len(cells) else ""

    name = cell("name") or " ".join(filter(None, (cell("first"), cell("last"))))
    aliases = tuple(filter(None, (cell(kind) for kind in columns if kind.startswith("alias"))))
    return Student(id=cell("id"), name=name, email=cell("email"), lms_id=cell("lms_id"), aliases=aliases)


def _json_rows(text: str, path: Path) -> list[tuple[int, Student]]:
    try:
        document = parsed(text, deepest=10)
    except ValueError as error:
        raise CourseError(f"{path}: {error}") from None
    listed = items(document) or items(mapping(document).get("students"))
    rows: list[tuple[int, Student]] = []
    for number, entry in enumerate(listed, 1):
        read = mapping(entry).items()
        values = {key: str(value) for key, value in read if isinstance(value, str | int | float)}
        student, name, email, lms_id = (values.get(key, "").strip() for key in ("id", "name", "email", "lms_id"))
        rows.append((number, Student(id=student, name=name, email=email, lms_id=lms_id)))
    return rows


def _roster(rows: Iterable[tuple[int, Student]]) -> Roster:
    students: list[Student] = []
    refused: list[RefusedLine] = []
    taken: dict[str, int] = {}
    for line, student in rows:
        reason = _wrong(student.id)
        if reason is None and same(student.id) in taken:
            reason = f"the id {shown_line(student.id)} is that of line {taken[same(student.id)]} (case and accents' form do not count)"
        if reason:
            refused.append(RefusedLine(line=line, reason=reason))
            continue
        taken[same(student.id)] = line
        aliases = tuple(alias for alias in student.aliases if not _ROUNDED.match(alias))
        lms_id = "" if _ROUNDED.match(student.lms_id) else student.lms_id
        students.append(replace(student, aliases=aliases, lms_id=lms_id))
    return Roster(students=tuple(students), refused=tuple(refused))


def _wrong(identifier: str) -> str | None:
    shown = shown_line(identifier, longest=60)
    if not identifier:
        return "no id"
    if _ROUNDED.match(identifier):
        return f"the id {shown} was rounded by a spreadsheet; format the column as text and export again"
    if not _ID.match(unicodedata.normalize("NFC", identifier)) or _DEVICE.match(identifier):
        return f"the id {shown} cannot be the name of a folder; letters, digits and . _ - + @ ' ( ) [ ] are fine"
    return None
