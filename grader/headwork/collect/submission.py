"""The files of one student -> a ``Submission``: which file counts, what was typed, what has to be said about it."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwork.collect.answers_file import read_answers
from headwork.collect.code import CodeFile, read_code
from headwork.collect.entries import too_large
from headwork.collect.problem_file import read_problem
from headwork.collect.release import ReleaseNotebook
from headwork.model import Submission
from headwork.reports.shown_text import shown_line

LARGEST_CODE = 1 << 18
LARGEST_NOTEBOOK = 20 << 20
MOST_CODE_FILES = 30

_COPY = re.compile(
    r"(?:-Copy\d+|[ _]?\(\d+\)|-\d+| - (?:Copy|Kopie)(?: \(\d+\))?|[ _-]copy(?:[ _]?\d+)?)$", re.IGNORECASE
)
_NEVER = frozenset(
    {
        "test_public",
        "own_numbers",
        "conftest",
        "sitecustomize",
        "usercustomize",
        "setup",
        "__init__",
        "numpy",
        "jupyter_config",
        "nbgrader_config",
    }
)
_OURS = frozenset({"test_public", "own_numbers"})
"""Handed out with every assignment, so not worth a word when they come back."""
_PLAIN_NAMES = ("attention.py", "submission.py")


@dataclass(slots=True, kw_only=True)
class _Gathered:
    """What has been said so far while the files of a student are read."""

    notices: list[str]
    messages: list[str] = field(default_factory=list[str])
    answers: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    attention: str | None = None


def read_submission(
    files: Mapping[str, bytes],
    student: str,
    *,
    assignment: str = "",
    release: ReleaseNotebook | None = None,
    refused: Mapping[str, str] | None = None,
    late: bool = False,
    notices: tuple[str, ...] = (),
) -> Submission:
    """Read one student's files. Never raises for what is in them, and runs nothing of it.

    ``refused`` names files that came but were not read, with the reason.
    """
    refused = refused or {}
    not_read = [f"{shown_line(name)}: {why}" for name, why in refused.items()]
    gathered = _Gathered(notices=[*notices, *not_read], messages=not_read[:10])
    code = _code(files, refused, gathered, assignment, release)
    if code:
        gathered.answers.update({exercise: dict(fields) for exercise, fields in code.answers.items()})
    _read_typed(files, gathered)
    problem, problem_digest = _read_problems(files, gathered)
    graded = code if code and code.unreadable is None else None
    cells = graded.cells if graded else ()
    unreadable = None
    if not cells and not any(any(v.values()) for v in gathered.answers.values()):
        unreadable = _nothing((*files, *refused), code)
    if code and code.unreadable:
        gathered.notices.append(f"{shown_line(code.name)}: {code.unreadable}")
        gathered.messages.append(f"{shown_line(code.name)} cannot be graded: {code.unreadable}")
        if unreadable is None and gathered.attention is None:
            gathered.attention = f"the code file {shown_line(code.name)} cannot be read: {code.unreadable}"
    elif unreadable:
        gathered.messages.append(unreadable)
    elif code and code.blank:
        gathered.notices.append(f"{shown_line(code.name)}: nothing was written into it since it was handed out")
        gathered.messages.append(f"{shown_line(code.name)} is as it was handed out; is it the file you worked in?")
    return Submission(
        student=student,
        cells=cells,
        cell_names=graded.cell_names if graded else (),
        answers=gathered.answers,
        files=tuple(sorted(shown_line(name) for name in (*files, *refused))),
        notices=tuple(dict.fromkeys(gathered.notices)),
        messages=tuple(dict.fromkeys(gathered.messages)),
        unreadable=unreadable,
        needs_attention=gathered.attention,
        digest=_digest(cells, gathered.answers, problem_digest),
        late=late,
        problem=problem,
    )


def _code(
    files: Mapping[str, bytes],
    refused: Mapping[str, str],
    gathered: _Gathered,
    assignment: str,
    release: ReleaseNotebook | None,
) -> CodeFile | None:
    """The file that counts. What was chosen among several is said in a notice; what cannot be chosen goes to a person."""
    names = [name for name in sorted({*files, *refused}) if name.lower().endswith((".py", ".ipynb"))]
    foreign = [name for name in names if _is_foreign(name)]
    if foreign and len(foreign) < len(names):
        seen = ", ".join(shown_line(name, longest=60) for name in foreign if _stem(name) not in _OURS)
        gathered.notices += [f"not the student's answer, left aside: {seen}"] if seen else []
        names = [name for name in names if name not in foreign]
    if len(names) > MOST_CODE_FILES:
        gathered.notices.append(f"{len(names)} code files; only the first {MOST_CODE_FILES} by name were looked at")
        names = names[:MOST_CODE_FILES]
    read = [
        CodeFile(name=name, unreadable=refused[name]) if name in refused else _read_one(name, files[name], release)
        for name in names
    ]
    if not read:
        return None
    chosen = _chosen(read, gathered, _expected(assignment, release))
    gathered.notices += chosen.notices
    gathered.messages += chosen.messages
    return chosen


def _read_one(name: str, raw: bytes, release: ReleaseNotebook | None) -> CodeFile:
    most = LARGEST_NOTEBOOK if name.lower().endswith(".ipynb") else LARGEST_CODE
    if len(raw) > most:
        return CodeFile(name=name, unreadable=too_large(most))
    return read_code(name, raw, release=release)


def _chosen(read: list[CodeFile], gathered: _Gathered, expected: frozenset[str]) -> CodeFile:
    if len(read) == 1:
        return read[0]
    all_named = ", ".join(shown_line(file.name, longest=60) for file in read)
    worked = [file for file in read if not file.unreadable and not file.blank]
    if not worked:
        gathered.notices.append(f"several files, none of them worked in: {all_named}")
        readable = [file for file in read if not file.unreadable]
        return _best(readable or read, expected)[0]
    best = _best(worked, expected)
    chosen = best[0]
    if len({file.fingerprint for file in best}) > 1:
        gathered.attention = f"several files could be the answer: {all_named}"
        gathered.messages.append(f"Several files could be your answer: {all_named}. Please say which one counts.")
        return chosen
    why = "the others are as handed out, cannot be read, or have other names than the one asked for"
    gathered.notices.append(f"several files: {all_named}; graded is {shown_line(chosen.name, longest=60)} ({why})")
    gathered.messages.append(f"You handed in {all_named}; graded is {shown_line(chosen.name, longest=60)}.")
    return chosen


def _best(files: list[CodeFile], expected: frozenset[str]) -> list[CodeFile]:
    """The files of the expected name (or a copy's name of it) if there are any, else all of them; exact names first."""
    named = [file for file in files if _stem(file.name) in expected]
    return sorted(named or files, key=lambda file: (_stem(file.name, copies=False) not in expected, file.name))


def _expected(assignment: str, release: ReleaseNotebook | None) -> frozenset[str]:
    handed_out = release.names if release and release.names else (*_PLAIN_NAMES, f"{assignment}.py")
    return frozenset(_stem(name) for name in handed_out)


def _stem(name: str, *, copies: bool = True) -> str:
    """The file's name without folder, ending and the marks of copies ("-Copy1", " (2)", "-1")."""
    stem = re.split(r"[/\\]", name)[-1].rpartition(".")[0].strip()
    while copies and (shorter := _COPY.sub("", stem)) != stem and shorter:
        stem = shorter
    return stem.casefold()


def _is_foreign(name: str) -> bool:
    """A file that is no answer: public tests, packaging, or a name that would hide a module of Python's."""
    stem = _stem(name, copies=False)
    return stem in _NEVER or stem in sys.stdlib_module_names


def _read_typed(files: Mapping[str, bytes], gathered: _Gathered) -> None:
    names = [name for name in sorted(files) if name.lower().endswith(".toml") and _stem(name) == "answers"]
    names.sort(key=lambda name: _stem(name, copies=False) == "answers")  # the plain name last: it decides
    read = {name: read_answers(files[name], name=shown_line(name)) for name in names}
    filled = {n: a for n, a in read.items() if any(any(v.values()) for v in a.answers.values())}
    if (
        len(filled) > 1
        and len({repr(sorted((k, *v.items()) for k, v in a.answers.items())) for a in filled.values()}) > 1
    ):
        gathered.attention = "several files of answers that differ: " + ", ".join(shown_line(n) for n in filled)
    for name in filled or read:
        answers = read[name]
        gathered.notices += answers.notices
        gathered.messages += answers.messages
        _merge(gathered, answers.answers, shown_line(name))


def _merge(gathered: _Gathered, answers: Mapping[str, Mapping[str, str]], name: str) -> None:
    for exercise, fields in answers.items():
        known = gathered.answers.setdefault(exercise, {})
        for key, typed in fields.items():
            before = known.get(key, "")
            if before.strip() and typed.strip() and before != typed:
                where = shown_line(f"{exercise}/{key}", longest=80)
                gathered.notices.append(f"{where} was answered in two places; {name} counts")
                gathered.messages.append(f"{where} was answered in two places; {name} counts.")
            known[key] = typed if typed.strip() else before


def _read_problems(files: Mapping[str, bytes], gathered: _Gathered) -> tuple[Mapping[str, Any] | None, str]:
    for name in sorted(files, key=lambda n: (_stem(n, copies=False) != "problem", n)):
        if not name.lower().endswith(".json") or _stem(name) not in ("problem", "submission"):
            continue
        read = read_problem(files[name])
        if read.wrong:
            gathered.notices.append(f"{shown_line(name)}: {read.wrong}")
            continue
        _merge(gathered, read.answers, shown_line(name))
        return read.problem, hashlib.sha256(files[name]).hexdigest()
    return None, ""


def _nothing(files: Iterable[str], code: CodeFile | None) -> str:
    if code and code.unreadable:
        return code.unreadable
    seen = ", ".join(shown_line(name, longest=60) for name in sorted(files)[:10])
    return f"no code and no answers; handed in: {seen}" if seen else "nothing was handed in"


def _digest(cells: tuple[str, ...], answers: Mapping[str, Mapping[str, str]], problem: str) -> str:
    """Over what is graded, so that the same work has the same digest under any file name."""
    digest = hashlib.sha256()
    typed = [part for e, fields in sorted(answers.items()) for k, v in sorted(fields.items()) for part in (e, k, v)]
    for group in (cells, tuple(typed), (problem,)):
        digest.update(f"{len(group)};".encode())
        for part in group:
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(f"{len(raw)}:".encode() + raw)
    return digest.hexdigest()
