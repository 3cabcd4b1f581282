"""IPython's own lines in a cell (``%time``, ``!pip``, ``name?``), taken out by a scan of lines, not by parsing.

Lines are replaced, not removed, so that line numbers in messages stay the student's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from headwork.collect.lines import Place

KEEP_BODY = frozenset({"time", "timeit", "capture", "prun", "debug", "memit", "mprun", "lprun", "snakeviz"})
"""Cell magics whose body is ordinary Python."""

LONGEST_MAGIC = 2000
"""Longer lines are not looked at for ``name?`` and ``x = !command``: the patterns would take too long."""

_CELL = re.compile(r"%%(\w+)")
_PLAIN = re.compile(r"\s*(?:[%!?]|get_ipython\(\)\s*\.)")
_HELP = re.compile(r"\s*[\w.*]+\?{1,2}\s*;?\s*$")
_ASSIGNED = re.compile(r"[A-Za-z_][\w.,\[\] \t]*=\s*(?:!|%[A-Za-z])")
_TIMED = re.compile(r"(\s*)%time\s+(?=[^\s-])(.*)$")
_INDENT = re.compile(r"\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A cell as plain Python; ``dropped`` are the lines that are not run, ``whole`` says that none is."""

    source: str
    dropped: tuple[str, ...] = ()
    whole: bool = False


def without_magics(source: str, *, cell_magics: bool = True) -> Plain:
    """The source with IPython's lines replaced by ``pass`` (or by the statement that ``%time`` times).

    A line counts only where a statement may start: not in brackets, not in a text of several lines.
    """
    lines = source.split("\n")
    dropped: list[str] = []
    if cell_magics and (first := _first(lines)) is not None and (magic := _CELL.match(lines[first])):
        dropped.append(lines[first])
        if magic.group(1) not in KEEP_BODY:
            return Plain(source="", dropped=tuple(dropped), whole=True)
        lines[first] = ""
    kept: list[str] = []
    place = Place()
    continued = False
    for line in lines:
        replaced = None if place.inside else _replaced(line)
        if continued:
            replaced = ""
        if replaced is None:
            kept.append(line)
            place = place.after(line)
            continue
        kept.append(replaced)
        if line.strip():
            dropped.append(line.strip())
        continued = line.rstrip().endswith("\\")
    return Plain(source="\n".join(kept), dropped=tuple(dropped))


def _first(lines: list[str]) -> int | None:
    return next((i for i, line in enumerate(lines) if line.strip()), None)


def _replaced(line: str) -> str | None:
    """What stands for the line, or ``None`` where it is ordinary Python."""
    if len(line) > LONGEST_MAGIC and not _PLAIN.match(line):
        return None
    if timed := _TIMED.match(line):
        return timed.group(1) + timed.group(2)
    if _PLAIN.match(line) or _HELP.match(line) or _ASSIGNED.match(line.lstrip()):
        indent = _INDENT.match(line)
        return (indent.group() if indent else "") + "pass"
    return None
