"""What came back from a whole class: a folder, a zip or a platform's download -> one ``Submission`` per student."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from headwork.collect.entries import CLASS, STUDENT, Entry, Listing, Refused, is_read, list_folder, list_zip
from headwork.collect.matching import Match, Register, register, whose
from headwork.collect.release import ReleaseNotebook
from headwork.collect.roster import Roster, same
from headwork.collect.submission import LARGEST_CODE, LARGEST_NOTEBOOK, read_submission
from headwork.model import CourseError, Submission
from headwork.reports.shown_text import shown_line

LARGEST_OTHER = 4 << 20
MOST_WRAPPERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """Something that belongs to nobody on the roster."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """What came back, student by student in the order of the roster. ``raw`` holds the bytes, for ``store``."""

    submissions: tuple[Submission, ...]
    unmatched: tuple[Unmatched, ...] = ()
    missing: tuple[str, ...] = ()
    """Ids of those on the roster from whom nothing came."""
    notices: tuple[str, ...] = ()
    raw: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict[str, Mapping[str, bytes]], repr=False)
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Files of a student that were not read, and why."""
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Notices about how a student's files came, before they were read."""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Names under which a student's files came."""


@dataclass(slots=True, kw_only=True)
class _Pile:
    """The files of one student while they are sorted."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    order: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    notices: list[str] = field(default_factory=list[str])
    sources: list[str] = field(default_factory=list[str])
    late: bool = False


def collect(source: Path, roster: Roster, *, assignment: str, release: ReleaseNotebook | None = None) -> Collection:
    """Read all that lies in ``source``. Raises ``CourseError`` only where ``source`` itself cannot be read."""
    with ExitStack() as opened:
        listing = _listing(source, opened)
        piles, unmatched = _sorted(listing.entries, register(roster), assignment)
    ids = [student.id for student in roster.students]
    submissions = tuple(
        read_submission(
            pile.files,
            student,
            assignment=assignment,
            release=release,
            refused=pile.refused,
            late=pile.late,
            notices=tuple(pile.notices),
        )
        for student, pile in ((i, piles[i]) for i in ids if i in piles)
    )
    return Collection(
        submissions=submissions,
        unmatched=tuple(unmatched),
        missing=tuple(i for i in ids if i not in piles),
        notices=listing.notices,
        raw={student: pile.files for student, pile in piles.items()},
        refused={student: pile.refused for student, pile in piles.items()},
        said={student: tuple(pile.notices) for student, pile in piles.items()},
        sources={student: tuple(pile.sources) for student, pile in piles.items()},
    )


def _sorted(entries: Iterable[Entry], known: Register, assignment: str) -> tuple[dict[str, _Pile], list[Unmatched]]:
    """A pile of files per student, and what belongs to nobody."""
    piles: dict[str, _Pile] = {}
    unmatched: list[Unmatched] = []
    for name, group in _groups(entries, known, assignment).items():
        match = whose(name, known, folder=any(len(parts) > 1 for _, parts in group))
        if match.student is None:
            unmatched.append(Unmatched(name=shown_line(name), reason=match.reason))
            continue
        pile = piles.setdefault(match.student, _Pile())
        pile.sources.append(name)
        pile.late = pile.late or match.late
        _add(pile, group, match)
    return piles, unmatched


def _listing(source: Path, opened: ExitStack) -> Listing:
    if source.is_dir():
        return list_folder(source, CLASS)
    if not source.is_file():
        raise CourseError(f"{source}: no folder and no file of that name")
    if source.suffix.lower() != ".zip":
        raise CourseError(f"{source}: wanted a folder or a zip of what was handed in")
    try:
        return list_zip(opened.enter_context(source.open("rb")), CLASS)
    except OSError as error:
        raise CourseError(f"{source}: cannot be opened ({error.strerror})") from None
    except Refused as error:
        raise CourseError(f"{source}: {error}") from None


_Grouped = dict[str, list[tuple[Entry, tuple[str, ...]]]]


def _groups(entries: Iterable[Entry], known: Register, assignment: str) -> _Grouped:
    """Entries by the first part of their path, below folders that merely wrap the whole (``HW 3/…``, ``submitted/…``)."""
    placed = [(entry, entry.parts) for entry in entries]
    for _ in range(MOST_WRAPPERS):
        tops = {parts[0] for _, parts in placed}
        course = "submitted" in tops and any(len(parts) > 3 and parts[0] == "submitted" for _, parts in placed)
        if course:
            placed = [(entry, parts[1:]) for entry, parts in placed if parts[0] == "submitted" and len(parts) > 1]
            continue
        only = next(iter(tops)) if len(tops) == 1 else ""
        if not only or any(len(parts) < 2 for _, parts in placed) or whose(only, known, folder=True).student:
            break
        placed = [(entry, parts[1:]) for entry, parts in placed]
    groups: _Grouped = {}
    for entry, parts in placed:
        groups.setdefault(parts[0], []).append((entry, parts))
    return {name: _of_assignment(group, assignment) for name, group in groups.items()}


def _of_assignment(group: list[tuple[Entry, tuple[str, ...]]], assignment: str) -> list[tuple[Entry, tuple[str, ...]]]:
    """In ``<student>/<assignment>/…``, what lies in that folder alone; the student's other folders are other homework."""
    inside = [(e, (p[0], *p[2:])) for e, p in group if len(p) > 2 and same(p[1]) == same(assignment)]
    return inside or group


def _add(pile: _Pile, entries: list[tuple[Entry, tuple[str, ...]]], match: Match) -> None:
    if len(entries) > STUDENT.entries:
        pile.notices.append(f"{len(entries)} files; only the first {STUDENT.entries} were looked at")
    for entry, parts in entries[: STUDENT.entries]:
        name = "/".join(parts[1:]) or match.file or parts[0]
        if name.lower().endswith(".zip"):
            _add_zip(pile, entry, name, match.order)
        else:
            _add_file(pile, entry, name, match.order)


def _add_zip(pile: _Pile, entry: Entry, name: str, order: tuple[int, ...]) -> None:
    """A zip of one student: one level deep; a zip inside it is only named."""
    try:
        listing = list_zip(io.BytesIO(entry.read(STUDENT.total)), STUDENT)
    except Refused as error:
        pile.refused[name] = str(error)
        return
    pile.notices += (f"{shown_line(name)}: {notice}" for notice in listing.notices)
    for member in listing.entries:
        parts = member.parts
        if parts[-1].lower().endswith(".zip"):
            pile.notices.append(f"{shown_line(member.name)}: a zip inside a zip is not opened")
        else:
            _add_file(pile, member, member.name, order)


def _add_file(pile: _Pile, entry: Entry, name: str, order: tuple[int, ...]) -> None:
    """Read one file into the pile; of two with one name the newer attempt is kept."""
    if entry.parts[-1] == "prompt.html":
        return  # handed out with every assignment, so not worth a word when it comes back
    if not is_read(name):
        pile.refused[name] = "not a kind of file that is graded"
        return
    if name in pile.files:
        newer = order > pile.order[name]
        pile.notices.append(
            f"{shown_line(name)}: came more than once; the {'newer' if newer else 'earlier'} one counts"
        )
        if not newer:
            return
    try:
        pile.files[name] = entry.read(_most(name))
    except Refused as error:
        pile.refused[name] = str(error)
        return
    pile.order[name] = order


def _most(name: str) -> int:
    if name.lower().endswith(".ipynb"):
        return LARGEST_NOTEBOOK
    return LARGEST_CODE if name.lower().endswith(".py") else LARGEST_OTHER
