"""What came back, kept in the course folder: ``submitted/<student>/<assignment>/`` and the attempts before it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from headwork.collect.batch import Collection
from headwork.collect.entries import STUDENT, Refused, list_folder
from headwork.collect.loose import items, mapping, parsed, word
from headwork.collect.release import ReleaseNotebook
from headwork.collect.safe_names import safe_names
from headwork.collect.submission import LARGEST_NOTEBOOK, read_submission
from headwork.model import CourseError, Submission

RECORD = "collected.json"
ATTEMPTS = ".attempts"


def store(collection: Collection, course_root: Path, assignment: str) -> tuple[str, ...]:
    """Write every student's files; returns the ids whose files are new or have changed.

    A folder is written beside its place and then renamed into it, so that half a submission is never seen. What stood
    there before becomes ``submitted/<student>/.attempts/<assignment>/<n>``; the same files again change nothing.
    """
    if not re.fullmatch(r"\w[\w .+()\[\]-]{0,99}", assignment):
        raise CourseError(f"{assignment!r} cannot be the name of a folder; letters, digits and . _ - + are fine")
    changed = [s.student for s in collection.submissions if _store_one(collection, s, course_root, assignment)]
    record = {
        "assignment": assignment,
        "unmatched": [{"name": u.name, "reason": u.reason} for u in collection.unmatched],
        "missing": list(collection.missing),
        "notices": list(collection.notices),
    }
    folder = course_root / ".headwork" / "collected"
    folder.mkdir(parents=True, exist_ok=True)
    _write_over(folder / f"{assignment}.json", record)
    return tuple(changed)


def _store_one(collection: Collection, submission: Submission, course_root: Path, assignment: str) -> bool:
    files = collection.raw.get(submission.student, {})
    names = safe_names(files)
    place = course_root / "submitted" / submission.student / assignment
    record = {
        "student": submission.student,
        "assignment": assignment,
        "late": submission.late,
        "came_as": list(collection.sources.get(submission.student, ())),
        "files": [
            {"name": name, "stored": names[name], "sha256": hashlib.sha256(raw).hexdigest()}
            for name, raw in files.items()
        ],
        "refused": dict(collection.refused.get(submission.student, {})),
        "notices": list(collection.said.get(submission.student, ())),
    }
    if _record(place).get("files") == record["files"] and _record(place).get("refused") == record["refused"]:
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
    try:
        for name, raw in files.items():
            (fresh / names[name]).write_bytes(raw)
        (fresh / RECORD).write_text(_json(record), encoding="utf-8")
        fresh.chmod(0o755)
        if place.exists():
            place.rename(_next_attempt(place))
        fresh.rename(place)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return True


def _next_attempt(place: Path) -> Path:
    folder = place.parent / ATTEMPTS / place.name
    folder.mkdir(parents=True, exist_ok=True)
    numbers = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    return folder / str(max(numbers, default=0) + 1)


def load_stored(course_root: Path, assignment: str, *, release: ReleaseNotebook | None = None) -> Iterator[Submission]:
    """Every student's newest submission, by folder name; also of folders that nbgrader or a person has put there."""
    submitted = course_root / "submitted"
    if not submitted.is_dir():
        return
    for folder in sorted(submitted.iterdir()):
        place = folder / assignment
        if folder.name.startswith(".") or place.is_symlink() or not place.is_dir():
            continue
        yield _load_one(place, folder.name, assignment, release)


def load_one(
    course_root: Path, assignment: str, student: str, *, release: ReleaseNotebook | None = None
) -> Submission | None:
    """The newest submission of one student, by folder name; None where there is none."""
    place = course_root / "submitted" / student / assignment
    return None if place.is_symlink() or not place.is_dir() else _load_one(place, student, assignment, release)


def _load_one(place: Path, folder: str, assignment: str, release: ReleaseNotebook | None) -> Submission:
    record = _record(place)
    original = {
        word(mapping(f).get("stored")): word(mapping(f).get("name"), longest=4096) for f in items(record.get("files"))
    }
    files: dict[str, bytes] = {}
    refused = {k: v for k, v in mapping(record.get("refused")).items() if isinstance(v, str)}
    listing = list_folder(place, STUDENT)
    for entry in listing.entries:
        if entry.name == RECORD:
            continue
        name = original.get(entry.name) or entry.name
        try:
            files[name] = entry.read(LARGEST_NOTEBOOK)
        except Refused as error:
            refused[name] = str(error)
    notices = tuple(n for n in items(record.get("notices")) if isinstance(n, str))
    submission = read_submission(
        files,
        word(record.get("student")) or folder,
        assignment=assignment,
        release=release,
        refused=refused,
        notices=(*notices, *listing.notices),
    )
    return replace(submission, late=record.get("late") is True)


def _record(place: Path) -> Mapping[str, object]:
    try:
        return mapping(parsed((place / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def _json(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=True, indent=1) + "\n"


def _write_over(path: Path, record: Mapping[str, object]) -> None:
    """Atomically: readers see the old file or the new one."""
    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(_json(record))
    os.replace(name, path)
