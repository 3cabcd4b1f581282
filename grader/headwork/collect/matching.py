"""Whose file is it: the names that people, folders and learning platforms give to what was handed in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from headwork.collect.roster import Roster, Student, same

_CANVAS = re.compile(r"(?P<name>[^_/]*)_(?:(?P<late>LATE)_)?(?P<lms>\d+)_(?P<order>\d+)_(?P<file>.+)$")
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<lms>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)$")
_BLACKBOARD = re.compile(r"(?P<title>.*?)_(?P<login>[^_]+)_attempt_(?P<order>\d{4}(?:-\d\d){5})_?(?P<file>.*)$")
_BRIGHTSPACE = re.compile(r"\d+-\d+ - (?P<name>.+?) - (?P<file>.+)$")
_ATTEMPT = re.compile(r"-(\d{1,3})(?=\.\w+$)")
_EDGE = r"[\s_.,()\[\]-]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A name that was read: the student (or why there is none), and what the student called the file."""

    student: str | None
    reason: str = ""
    file: str = ""
    late: bool = False
    order: tuple[int, ...] = ()
    """Larger is newer, among the files of one student."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """The roster, by every spelling that may name a student. ``None`` stands for more than one person."""

    ids: Mapping[str, str]
    logins: Mapping[str, str | None]
    lms: Mapping[str, str | None]
    names: Mapping[str, str | None]


def register(roster: Roster) -> Register:
    """Index the roster."""
    logins: dict[str, str | None] = {}
    lms: dict[str, str | None] = {}
    names: dict[str, str | None] = {}
    for student in roster.students:
        for spelling in _logins(student):
            _enter(logins, same(spelling), student.id)
        for number in filter(None, (student.lms_id,)):
            _enter(lms, number, student.id)
        for spelling in filter(None, {same(student.name), _turned(student.name)}):
            _enter(names, spelling, student.id)
    return Register(ids={same(s.id): s.id for s in roster.students}, logins=logins, lms=lms, names=names)


def _logins(student: Student) -> set[str]:
    local = student.email.partition("@")[0]
    return {text for text in (student.email, local, student.lms_id, *student.aliases) if text}


def _turned(name: str) -> str:
    """ "Doe, Pat" for "Pat Doe" and the other way round."""
    last, comma, first = name.partition(",")
    if comma:
        return same(f"{first} {last}")
    first, _, last = name.rpartition(" ")
    return same(f"{last}, {first}") if first else ""


def _enter(index: dict[str, str | None], key: str, student: str) -> None:
    index[key] = student if index.get(key, student) == student else None


def whose(name: str, known: Register, *, folder: bool = False) -> Match:
    """Read a file's or folder's name. Platforms' forms come first: their numbers are surer than names."""
    if canvas := _CANVAS.match(name):
        return _by_number(canvas, known)
    if moodle := _MOODLE.match(name):
        return _by_name(moodle, known)
    if blackboard := _BLACKBOARD.match(name):
        order = tuple(int(n) for n in blackboard["order"].split("-"))
        student = _login(blackboard["login"], known)
        reason = "" if student else "the login in its name is not on the roster"
        return Match(student=student, reason=reason, file=blackboard["file"] or name, order=order)
    if student := _login(name, known):
        return Match(student=student, file=name)
    if brightspace := _BRIGHTSPACE.match(name):
        return _by_name(brightspace, known)
    if same(name) in known.names and folder:
        student = known.names[same(name)]
        return Match(student=student, file=name, reason="" if student else "two people on the roster have this name")
    return (
        Match(student=None, reason="no student of that id on the roster", file=name)
        if folder
        else _by_stem(name, known)
    )


def _login(text: str, known: Register) -> str | None:
    return known.ids.get(same(text)) or known.logins.get(same(text))


def _by_number(canvas: re.Match[str], known: Register) -> Match:
    """Canvas: by the number of the account alone; two people may have the same name, and names are cut."""
    student = known.lms.get(canvas["lms"]) or known.ids.get(canvas["lms"]) or known.logins.get(canvas["lms"])
    file = canvas["file"]
    attempt = _ATTEMPT.search(file)
    reason = "" if student else f"the account {canvas['lms']} is not on the roster"
    order = (int(attempt.group(1)) if attempt else 0, int(canvas["order"][:18]))
    return Match(student=student, reason=reason, file=_ATTEMPT.sub("", file), late=bool(canvas["late"]), order=order)


def _by_name(match: re.Match[str], known: Register) -> Match:
    """Moodle and Brightspace: by full name where it names one person, by number where the roster has it."""
    numbers = match.groupdict()
    by_number = known.lms.get(numbers.get("lms", ""))
    key = same(match["name"])
    student = by_number or known.names.get(key)
    reason = ""
    if student is None:
        reason = (
            "two people on the roster have this name" if key in known.names else "nobody of that name is on the roster"
        )
    return Match(student=student, reason=reason, file=match["file"])


def _by_stem(name: str, known: Register) -> Match:
    """A single file named after a student: the id alone, or at an edge of the name ("s01_hw3.py", "hw3-s01.py")."""
    stem = name.rpartition(".")[0] or name
    if student := _login(stem, known):
        return Match(student=student, file=name)
    found: dict[str, int] = {}
    key = same(stem)
    for index in (known.ids, known.logins):
        for spelling, student in index.items():
            if student and spelling and _at_an_edge(spelling, key):
                found[student] = max(found.get(student, 0), len(spelling))
        if found:
            break
    best = [student for student, length in found.items() if length == max(found.values())]
    if len(best) == 1:
        return Match(student=best[0], file=name)
    return Match(
        student=None, file=name, reason="its name fits more than one student" if best else "no student's id in its name"
    )


def _at_an_edge(spelling: str, key: str) -> bool:
    if key.startswith(spelling):
        return bool(re.match(_EDGE, key[len(spelling) :]))
    return key.endswith(spelling) and bool(re.search(_EDGE + "$", key[: -len(spelling)]))
