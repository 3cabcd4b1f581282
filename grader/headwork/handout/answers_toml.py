"""``answers.toml``: where hand-worked answers are typed when there is no notebook."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from headwork.answers.asking.scene import LETTERS
from headwork.handout.asked import AskedField
from headwork.handout.axes import shape_pattern

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEAD = """\
# Your answers, typed between the quotes ('''). Leave a field empty if you have no answer.
# A matrix: one row per line, entries separated by spaces. Write 1/3, sqrt(2), e^(-2/5), 0.283 or -inf.
"""


def answers_toml(fields: Sequence[AskedField], titles: dict[str, str]) -> str:
    """A table per exercise with an empty field per answer, and above each what is asked for."""
    parts = [_HEAD]
    for slug in dict.fromkeys(field.exercise for field in fields):
        parts.append(f"\n# {titles.get(slug, slug)}\n[{_key(slug)}]\n")
        for field in fields:
            if field.exercise == slug:
                comment = textwrap.fill(wanted(field), 110, initial_indent="# ", subsequent_indent="#   ")
                parts.append(f"{comment}\n{_choices(field)}{_key(field.name)} = '''\n'''\n")
    return "".join(parts)


def wanted(field: AskedField) -> str:
    """What to type, in one line: the axes and the digits asked, or the question."""
    if field.question:
        return f"{field.name}: {_one_line(field.question)}"
    if not field.axes:
        return field.name
    digits = f", exact or to {field.decimals} decimals" if field.decimals is not None else ""
    return f"{field.name} {shape_pattern(field.axes)}{digits}"


def _choices(field: AskedField) -> str:
    """Options and listing as comments, and what to type."""
    lines = [f"#   {number:>2}  {line}\n" for number, line in enumerate(field.listing, start=1)]
    for letter, text in zip(LETTERS, field.options, strict=False):
        wrapped = textwrap.fill(_one_line(text), 104, initial_indent=f"#   {letter}) ", subsequent_indent="#      ")
        lines.append(wrapped + "\n")
    return "".join([*lines, f"#   Type {field.how}.\n" if field.how else ""])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def fields_of(exercise: str, fields: Iterable[AskedField]) -> tuple[AskedField, ...]:
    """The fields of one exercise."""
    return tuple(field for field in fields if field.exercise == exercise)


def filled_answers(typed: Mapping[str, Mapping[str, str]]) -> str:
    """The same file with answers in it, as a student would leave it."""
    tables = [
        "\n".join([f"[{_key(slug)}]", *(f"{_key(name)} = '''{text}'''" for name, text in fields.items())])
        for slug, fields in typed.items()
    ]
    return "\n\n".join(tables) + "\n"
