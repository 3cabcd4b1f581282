"""One file of code, notebook or plain, as cells that can be run and answers that can be read."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from headwork.collect.cells import RawCell, language, read_cells
from headwork.collect.magics import Plain, without_magics
from headwork.collect.release import ReleaseNotebook
from headwork.collect.self_checks import without_own_numbers, without_self_checks
from headwork.collect.text import decoded
from headwork.reports.shown_text import shown_line

_FENCE = re.compile(r"\s*(?:```|~~~)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_STUB = re.compile(r"^\s*raise NotImplementedError\b", re.MULTILINE)
_DEFINED = re.compile(r"^(?:async )?def ", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFile:
    """What one .py or .ipynb file holds; ``blank`` if nothing was written into it since it was handed out."""

    name: str
    cells: tuple[str, ...] = ()
    cell_names: tuple[str, ...] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    notices: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    unreadable: str | None = None
    blank: bool = False
    fingerprint: str = ""
    written: str = ""
    """Fingerprint of the cells meant to be written into; of all code where none is marked so."""


def read_code(name: str, raw: bytes, *, release: ReleaseNotebook | None = None) -> CodeFile:
    """Read a file by what is in it; its ending only decides where both are possible."""
    text = decoded(raw)
    shown = shown_line(name)
    notices = [f"{shown}: {text.notice}"] if text.notice else []
    start = text.text.lstrip()[:1]
    looks_like_json = start in ("{", "[") and '"cells"' in text.text
    if name.lower().endswith(".ipynb") and (looks_like_json or "def " not in text.text or start in ("<", "{", "[")):
        return _notebook(name, text.text, notices, release)
    if not name.lower().endswith(".ipynb") and start == "{" and looks_like_json:
        notices.append(f"{shown}: this is a notebook under the name of a Python file; it was read as a notebook")
        return _notebook(name, text.text, notices, release)
    if name.lower().endswith(".ipynb"):
        notices.append(f"{shown}: no notebook but plain Python under the name of one; it was read as Python")
    if "\0" in text.text:
        return CodeFile(
            name=name, unreadable="the file holds NUL characters; it is no Python text", notices=(*notices,)
        )
    plain = without_magics(without_self_checks(text.text), cell_magics=False)
    notices += _told(shown, plain)
    return CodeFile(
        name=name,
        cells=(plain.source,),
        cell_names=(shown,),
        notices=tuple(notices),
        messages=_told(shown, plain),
        written=fingerprint((plain.source,)),
        blank=_is_blank((plain.source,), release),
        fingerprint=fingerprint((plain.source,)),
    )


def _notebook(name: str, text: str, notices: list[str], release: ReleaseNotebook | None) -> CodeFile:
    try:
        raw_cells, metadata = read_cells(text)
    except ValueError as error:
        return CodeFile(name=name, unreadable=str(error), notices=tuple(notices))
    if foreign := language(metadata):
        return CodeFile(name=name, unreadable=f"language {shown_line(foreign)}", notices=tuple(notices))
    shown = shown_line(name)
    notices += _repeated(shown, raw_cells)
    sources: list[str] = []
    names: list[str] = []
    told: list[str] = []
    solutions: list[str] = []
    answers: dict[str, dict[str, str]] = {}
    for cell in raw_cells:
        if cell.answer:
            notices += _keep_answer(answers, cell)
            continue
        retyped = cell.kind != "code" and release is not None and release.kinds.get(cell.grade_id) == "solution"
        if retyped:
            notices.append(f"{shown}: cell {shown_line(cell.name)} is no code cell any more; it is run all the same")
        elif cell.kind != "code":
            continue
        kind, notice = _kind(cell, release)
        notices += [f"{shown}: {notice}"] if notice else []
        if kind in ("test", "task"):
            continue
        source = release.sources[cell.grade_id] if release and kind == "restored" else cell.source
        source = without_self_checks(without_own_numbers(source) if kind in ("given", "setup", "restored") else source)
        plain = without_magics(source)
        told += _told(f"{shown}, {shown_line(cell.name)}", plain)
        if plain.source.strip():
            sources.append(plain.source)
            names.append(shown_line(cell.name))
        if kind == "solution":
            solutions.append(plain.source)
    return CodeFile(
        name=name,
        cells=tuple(sources),
        cell_names=tuple(names),
        answers=answers,
        notices=(*notices, *told),
        messages=tuple(told),
        written=fingerprint(solutions or sources),
        blank=_is_blank(tuple(solutions or sources), release) and not any(any(a.values()) for a in answers.values()),
        fingerprint=fingerprint((*sources, *(f"{k}={v}" for a in answers.values() for k, v in sorted(a.items())))),
    )


def _kind(cell: RawCell, release: ReleaseNotebook | None) -> tuple[str, str | None]:
    """What the cell is, and what staff should know. The release decides; without one, the cell's own word."""
    if release is None or not release.kinds:
        return cell.claims, None
    kind = release.kinds.get(cell.grade_id)
    if kind is None:
        if cell.claims != "test":
            return "", None
        return "", f"cell {shown_line(cell.name)} calls itself a test but was not handed out; it is run as student code"
    handed_out = release.sources.get(cell.grade_id)
    changed = handed_out is not None and handed_out.strip() != cell.source.strip()
    if kind == "test" and changed:
        return kind, f"test cell {shown_line(cell.name)} was changed; the tests that count are our own"
    if kind == "given" and changed:
        return "restored", f"given cell {shown_line(cell.name)} was changed; it is run as it was handed out"
    return kind, None


def _repeated(shown: str, cells: Iterable[RawCell]) -> list[str]:
    counts = Counter(cell.grade_id for cell in cells if cell.grade_id)
    twice = [shown_line(name, longest=60) for name, count in counts.items() if count > 1]
    if not twice:
        return []
    named = ", ".join(twice[:20]) + (f" and {len(twice) - 20} more" if len(twice) > 20 else "")
    return [f"{shown}: cells with a repeated grade id: {named}; all copies are run top to bottom, the last one counts"]


def _keep_answer(answers: dict[str, dict[str, str]], cell: RawCell) -> list[str]:
    exercise, _, name = cell.answer.rpartition("/")
    typed = "\n".join(s for s in _COMMENT.sub("", cell.source).split("\n") if not _FENCE.match(s)).strip()
    fields = answers.setdefault(exercise, {})
    before = fields.get(name, "")
    fields[name] = typed or before
    if before and typed and before != typed:
        return [f"answer {shown_line(cell.answer)} was given twice; the last one counts"]
    return []


def _told(where: str, plain: Plain) -> tuple[str, ...]:
    if plain.whole:
        return (f"{where}: not run, because it is a {shown_line(plain.dropped[0], longest=40)} cell",)
    if not plain.dropped:
        return ()
    lines = "; ".join(shown_line(line, longest=60) for line in plain.dropped[:5])
    more = f" and {len(plain.dropped) - 5} more" if len(plain.dropped) > 5 else ""
    return (f"{where}: IPython commands are not part of what is graded: {lines}{more}",)


def fingerprint(sources: Iterable[str]) -> str:
    """The same for two files of the same code, whatever stands at the ends of their lines."""
    trimmed = ["\n".join(line.rstrip() for line in source.split("\n")).strip() for source in sources]
    return hashlib.sha256("\0".join(s for s in trimmed if s).encode("utf-8", "replace")).hexdigest()


def _is_blank(sources: tuple[str, ...], release: ReleaseNotebook | None) -> bool:
    """Whether the file is as it was handed out, or every function in it still raises NotImplementedError."""
    if not any(source.strip() for source in sources):
        return True
    if release and fingerprint(sources) in release.blank:
        return True
    stubs = sum(len(_STUB.findall(source)) for source in sources)
    return 0 < sum(len(_DEFINED.findall(source)) for source in sources) <= stubs
