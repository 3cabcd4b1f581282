"""The cells of an assignment's one notebook, in nbgrader's terms."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from headwork.assignment import Assignment
from headwork.handout.answers_toml import wanted
from headwork.handout.asked import AskedField, AskedFunction, asked_fields, asked_functions
from headwork.handout.notebook import cell_id
from headwork.handout.prompt import own_fields
from headwork.handout.stubs import stub_source
from headwork.model import CodePart, ComposePart, Exercise, Judgement, Problem, TracePart
from headwork.rooms import Content

Kind = Literal["code", "markdown"]

_SETUP = """\
import numpy as np

from own_numbers import own_numbers, own_problem
from test_public import check, must_pass

# Your own numbers by name, exercise by exercise.
given = own_numbers()  # given["{slug}"], for example
"""
_STUB_END = "    raise NotImplementedError\n"
_REGION = "    ### BEGIN SOLUTION\n    raise NotImplementedError\n    ### END SOLUTION"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookCell:
    """One cell of the source notebook. Cells without ``grade_id`` are nobody's: nbgrader does not know them."""

    kind: Kind
    source: str
    grade_id: str = ""
    grade: bool = False
    solution: bool = False
    locked: bool = False
    points: Fraction = Fraction(0)


def answer_id(exercise: str, field: str) -> str:
    """The grade id of a typed answer."""
    return f"answer-{exercise}--{field}"


def check_id(exercise: str, function: str) -> str:
    """The grade id of the test cell of one code part."""
    return f"test-{exercise}--{function}"


def grade_id_of(judgement: Judgement) -> str:
    """The grade id of the cell that a judgement gives points for."""
    if judgement.kind in ("code", "compose"):
        return check_id(judgement.exercise, judgement.part)
    return answer_id(judgement.exercise, judgement.part)


def comment_id_of(judgement: Judgement) -> str:
    """The grade id of the cell beside which a judgement is explained: the student's own."""
    if judgement.kind in ("code", "compose"):
        return judgement.part
    return answer_id(judgement.exercise, judgement.part)


def notebook_cells(
    content: Content, assignment: Assignment, *, example: Mapping[str, Problem] | None = None
) -> tuple[NotebookCell, ...]:
    """All cells, in order: title, setup, and per exercise its problem, functions, tests and answers.

    ``example`` is what one student got: which axes the answers have, which is the same for all.
    """
    title = (
        f"# {assignment.title}\n\nRun the next cell first: it finds your own numbers. Fill in the functions and the "
    )
    cells = [NotebookCell(kind="markdown", source=title + "answer cells, and keep names as they are.")]
    setup = _SETUP.format(slug=assignment.exercises[0].slug)
    cells.append(NotebookCell(kind="code", source=setup.rstrip(), grade_id="setup", locked=True))
    written: set[str] = set()
    for number, exercise in enumerate(assignment.exercises, start=1):
        heading = f"## {number}. {exercise.title.rstrip('.')}"
        cells.append(NotebookCell(kind="markdown", source=heading))
        problem = f'own_problem("{exercise.slug}")'
        cells.append(NotebookCell(kind="code", source=problem, grade_id=f"problem-{exercise.slug}", locked=True))
        fields = own_fields(content, exercise, example[exercise.slug].instance) if example else None
        cells += _exercise_cells(content, exercise, fields or asked_fields(content, [exercise]), written)
    return tuple(cells)


def _exercise_cells(
    content: Content, exercise: Exercise, asked: Sequence[AskedField], written: set[str]
) -> list[NotebookCell]:
    functions = {function.name: function for function in asked_functions(content, [exercise])}
    fields = {field.name: field for field in asked}
    cells: list[NotebookCell] = []
    for part in exercise.parts:
        if isinstance(part, CodePart | ComposePart):
            name = part.function
            cells += _function_cells(functions[name], exercise, part.points, first=name not in written)
            written.add(name)
        else:
            names = part.stages if isinstance(part, TracePart) else (part.slug,)
            for name in names:
                cells += _answer_cells(fields[name])
    return cells


def _function_cells(asked: AskedFunction, exercise: Exercise, points: Fraction, *, first: bool) -> list[NotebookCell]:
    cells: list[NotebookCell] = []
    if first:
        source = stub_source(asked).removesuffix(_STUB_END) + _REGION
        cells.append(NotebookCell(kind="code", source=source, grade_id=asked.name, solution=True))
    # What it says is for the student; the points come from calls that the student never sees.
    test = f"must_pass({asked.name})"
    cells.append(
        NotebookCell(
            kind="code",
            source=test,
            grade_id=check_id(exercise.slug, asked.name),
            grade=True,
            locked=True,
            points=points,
        )
    )
    return cells


def _answer_cells(field: AskedField) -> list[NotebookCell]:
    # A question may hold numbers of the student's own; those are shown by own_problem.
    what = f"{field.name}, asked above with your numbers" if field.question else wanted(field)
    how = " One row per line, entries separated by spaces." if field.axes else ""
    return [
        NotebookCell(kind="markdown", source=f"**Answer in the next cell:** {what}.{how}"),
        NotebookCell(
            kind="markdown",
            source="",
            grade_id=answer_id(field.exercise, field.name),
            grade=True,
            solution=True,
            points=field.points,
        ),
    ]


def notebook_json(cells: Sequence[NotebookCell], *, assignment: str) -> dict[str, Any]:
    """The notebook as JSON values (nbformat 4.5). The same cells give the same ids."""
    return {
        "cells": [_cell_json(cell, place) for place, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "headwork": {"assignment": assignment},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell_json(cell: NotebookCell, place: int) -> dict[str, Any]:
    name = cell.grade_id or f"text-{place}-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"
    metadata: dict[str, Any] = {"nbgrader": _flags(cell)} if cell.grade_id else {}
    made: dict[str, Any] = {"cell_type": cell.kind, "id": cell_id(name), "metadata": metadata, "source": cell.source}
    if cell.kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def _flags(cell: NotebookCell) -> dict[str, Any]:
    flags: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": cell.grade_id,
        "grade": cell.grade,
        "solution": cell.solution,
        "locked": cell.locked,
        "task": False,
    }
    if cell.grade:
        points = cell.points
        flags["points"] = points.numerator if points.denominator == 1 else float(points)
    return flags
