"""The handout as a notebook: prompts, a cell per function, a cell per typed answer, self-checks.

The file is plain JSON of notebook format 4.5, written here: importing nbformat costs seconds, and it is
needed for nothing else on the way to a handout.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from headwork.answers.asking.scene import LETTERS
from headwork.handout.answers_toml import fields_of, wanted
from headwork.handout.asked import AskedField, AskedFunction, asked_functions
from headwork.handout.prompt import PromptView
from headwork.handout.stubs import stub_source
from headwork.model import Exercise
from headwork.pages.environment import environment
from headwork.rooms import Content

Cell: TypeAlias = dict[str, Any]

_SETUP = """\
import json

import numpy as np

from test_public import check

# Your own numbers, by exercise and by name: given["{slug}"]["x"], for example.
with open("problem.json", encoding="utf-8") as file:
    exercises = json.load(file)["exercises"]
given = {{
    slug: {{**exercise["sizes"], **{{name: np.array(value) for name, value in exercise["inputs"].items()}}}}
    for slug, exercise in exercises.items()
}}
"""


def notebook_bytes(
    assignment: str,
    views: Sequence[PromptView],
    exercises: Sequence[Exercise],
    fields: Sequence[AskedField],
    content: Content,
) -> bytes:
    """The notebook file. The same inputs give the same bytes, cell ids included."""
    cells = [_markdown(f"# {assignment}\n\nFill in the functions and the answer cells; keep names as they are.", "top")]
    if views:
        cells.append(_code(_SETUP.format(slug=views[0].slug), "setup", {"role": "given"}))
    written: set[str] = set()
    for view, exercise in zip(views, exercises, strict=True):
        cells += _exercise_cells(view, exercise, fields, content, written)
    notebook = {
        "cells": cells,
        "metadata": {
            "headwork": {"assignment": assignment},
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _exercise_cells(
    view: PromptView, exercise: Exercise, fields: Sequence[AskedField], content: Content, written: set[str]
) -> list[Cell]:
    text = environment(content).get_template("notebook_prompt.md.j2").render(view=view)
    cells = [_markdown(text.strip(), f"{view.slug}-prompt", {"role": "prompt", "exercise": view.slug})]
    for asked in asked_functions(content, [exercise]):
        if asked.name not in written:
            written.add(asked.name)
            cells += _function_cells(asked)
    for field in fields_of(view.slug, fields):
        name = f"{view.slug}/{field.name}"
        cells.append(_markdown(_answer_text(field), f"{name}-asked", {"role": "prompt"}))
        cells.append(_markdown("", f"{name}-answer", {"answer": name}))
    return cells


def _answer_text(field: AskedField) -> str:
    if not field.question:
        rows = " One row per line, entries separated by spaces." if field.axes else ""
        return f"**Answer:** {wanted(field)}.{rows}"
    blocks = [f"**{field.name}:** {field.question}"]
    if field.listing:
        numbered = [f"{number:>2}  {line}" for number, line in enumerate(field.listing, start=1)]
        blocks.append("\n".join(["```text", *numbered, "```"]))
    if field.options:
        # The letters must stay as they are: a list that Markdown numbers itself would say 1, 2, 3.
        blocks.append(
            "\n".join(f"- **{letter})** {text}" for letter, text in zip(LETTERS, field.options, strict=False))
        )
    return "\n\n".join([*blocks, f"Type {field.how} below." if field.how else ""]).strip()


def _function_cells(asked: AskedFunction) -> list[Cell]:
    return [
        _code(stub_source(asked).rstrip(), f"{asked.name}-solution", {"role": "solution", "function": asked.name}),
        _code(f"check({asked.name})", f"{asked.name}-check", {"role": "check", "function": asked.name}),
    ]


def _markdown(source: str, name: str, about: dict[str, Any] | None = None) -> Cell:
    metadata = {"headwork": about} if about else {}
    return {"cell_type": "markdown", "id": cell_id(name), "metadata": metadata, "source": _lines(source)}


def _code(source: str, name: str, about: dict[str, Any]) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id(name),
        "metadata": {"headwork": about},
        "outputs": [],
        "source": _lines(source),
    }


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


def cell_id(name: str) -> str:
    """A cell id made of a name: letters, digits and hyphens, at most 64, the same every time."""
    plain = re.sub(r"[^A-Za-z0-9-]+", "-", name)
    if plain == name and len(plain) <= 64:
        return plain
    return f"{plain[:52]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
