"""``answers.toml``: what a student typed, exercise by exercise. One bad line costs no other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from headwork.collect.text import decoded
from headwork.reports.shown_text import shown_line

LARGEST = 1 << 17
DEEPEST = 12

_TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_ENTRY = re.compile(r"""\s*([\w-]+|"[^"\n]*"|'[^'\n]*')\s*=\s*(.*)$""", re.DOTALL)
_BASIC = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\[^\n])*"|\'\'\'.*?\'\'\'|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
_BACKSLASH = re.compile(
    r'\\(?![\\"\n]|u[0-9A-Fa-f]{4}|n(?!u\b|e\b|eq|abla|ot)|t(?!au|heta|imes|frac|ext|o\b|an|op)|r(?![a-z]))|\\\\',
)
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Exercise -> field -> typed text, and what the student should be told."""

    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    messages: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def read_answers(raw: bytes, *, name: str = "answers.toml") -> Answers:
    """Read the file; where it is not TOML, read it entry by entry and take what was typed as it stands."""
    if len(raw) > LARGEST:
        return Answers(messages=(f"{name}: the file has {len(raw)} bytes; more than {LARGEST} are not read",))
    text = decoded(raw)
    notices = (f"{name}: {text.notice}",) if text.notice else ()
    source = with_latex_backslashes(text.text)
    try:
        return Answers(answers=_tables(_loaded(source)), notices=notices)
    except ValueError as error:
        first = str(error)
    answers, seen = _entry_by_entry(source)
    told = [f"{name}: not quite TOML ({shown_line(first)}); it was read line by line", *(f"{name}: {s}" for s in seen)]
    return Answers(answers=answers, messages=tuple(told[:20]), notices=(*notices, told[0]))


def with_latex_backslashes(source: str) -> str:
    r"""The source with the backslash of ``"\frac"`` or ``"\theta"`` kept as typed, instead of form feed and tab."""

    def keep(match: re.Match[str]) -> str:
        token = match.group()
        if not token.startswith('"'):
            return token
        return _BACKSLASH.sub(lambda m: m.group() if m.group() == "\\\\" else "\\\\", token)

    return _BASIC.sub(keep, source)


def _loaded(source: str) -> dict[str, object]:
    """Raises ``ValueError`` with where and what."""
    if max((line.count("[") + line.count("{") + line.count(".") for line in source.split("\n")), default=0) > 2000:
        raise ValueError("a line with thousands of brackets or dots")
    try:
        return cast("dict[str, object]", tomllib.loads(source, parse_float=str))
    except RecursionError:
        raise ValueError("nested too deep") from None


def _tables(document: Mapping[str, object]) -> dict[str, Mapping[str, str]]:
    answers: dict[str, dict[str, str]] = {}
    for exercise, table in document.items():
        if isinstance(table, dict):
            fields = answers.setdefault(exercise, {})
            for name, value in _flat("", cast("dict[str, object]", table), 0):
                fields[name] = value
        else:
            answers.setdefault("", {})[exercise] = _typed(table, 0)
    return dict(answers)


def _flat(prefix: str, table: Mapping[str, object], depth: int) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict) and depth < DEEPEST:
            yield from _flat(f"{prefix}{name}.", cast("dict[str, object]", value), depth + 1)
        else:
            yield prefix + name, _typed(cast("object", value), 0)


def _typed(value: object, depth: int) -> str:
    """A TOML value as somebody would type it: lists of lists in brackets, words without quotes."""
    if isinstance(value, list) and depth < DEEPEST:
        return "[" + ", ".join(_typed(v, depth + 1) for v in cast("list[object]", value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**400 else f"{value:#x}"
    return str(value).strip() if not isinstance(value, dict | list) else ""


def _entry_by_entry(source: str) -> tuple[dict[str, Mapping[str, str]], list[str]]:
    answers: dict[str, dict[str, str]] = {}
    seen: list[str] = []
    exercise = ""
    for line, chunk in _chunks(source):
        if table := _TABLE.match(chunk):
            exercise = table.group(1).strip("\"' ")
            continue
        entry = _ENTRY.match(chunk)
        if entry is None:
            if chunk.strip() and not chunk.lstrip().startswith("#"):
                seen.append(
                    f'line {line}: neither [exercise] nor field = "answer": {shown_line(chunk.strip(), longest=60)}'
                )
            continue
        name = entry.group(1).strip("\"'")
        value, sound = _value(entry.group(2))
        answers.setdefault(exercise, {})[name] = value
        if not sound:
            seen.append(
                f"line {line}: {shown_line(name, longest=40)} is not in quotes; it was read as {shown_line(value, longest=60)}"
            )
    return dict(answers), seen


def _chunks(source: str) -> Iterator[tuple[int, str]]:
    """Pieces that begin with a table's name or an entry, with the line they begin in."""
    first, piece = 1, list[str]()
    for number, line in enumerate(source.split("\n"), 1):
        begins = _TABLE.match(line) or (len(line) < 10_000 and _ENTRY.match(line))
        if (begins and not _open(piece)) or (piece and not _open(piece) and not line.strip()):
            if piece:
                yield first, "\n".join(piece)
            first, piece = number, []
        if line.strip() and not any(piece):
            first, piece = number, []
        piece.append(line.strip() and line)
    if piece:
        yield first, "\n".join(piece)


def _open(piece: list[str]) -> bool:
    """Whether a text in three quotes has begun and not ended; at most 200 lines are waited for its end."""
    if not piece or len(piece) > 200:
        return False
    opened = re.search(r"=\s*(\"{3}|'{3})", piece[0])
    return opened is not None and "\n".join(piece).count(opened.group(1)) < 2


def _value(raw: str) -> tuple[str, bool]:
    for attempt in (raw, raw.translate(_CURLY)):
        try:
            value = _loaded("x = " + attempt)["x"]
        except ValueError:
            continue
        return _typed(value, 0), True
    return raw.strip().strip("\"'“”„‘’").strip(), False
