"""Worksheets on paper: the hand part of the same problem with boxes to write in, and the key to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.answers.asking import key_for, options_seed
from headwork.handout.prompt import PromptView, QuestionView, prompt_views
from headwork.model import CodePart, ComposePart, ContentError, Exercise, Instance, Problem, TracePart
from headwork.pages.environment import environment
from headwork.pages.markdown import html_of
from headwork.pages.matrix import MatrixView, decimal_texts, matrix_view
from headwork.reports.figures import show_points
from headwork.rooms import Content
from headwork.stages import evaluate

SHORT = 14
"""An exact number of up to so many characters stands in its cell; of a longer one the decimals do."""
_CODE_ONLY = re.compile(r"\*\*(?:In code|In NumPy|In PyTorch)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One stage to work by hand: a grid to write in, filled in the key."""

    name: str
    decimals: int
    points: str
    grid: MatrixView


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """One question, with room for the answer; ``answer`` is empty but in the key."""

    question: QuestionView
    answer: str
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """One exercise on paper."""

    number: int
    title: str
    markdown: str
    html: str
    words: tuple[tuple[str, ...], ...]
    sizes: Mapping[str, Any]
    matrices: tuple[MatrixView, ...]
    same_as: int | None
    boxes: tuple[Box, ...]
    blanks: tuple[Blank, ...]
    points: str


def worksheet_views(
    content: Content, problems: Mapping[str, Problem], exercises: Sequence[Exercise], *, key: bool = False
) -> tuple[SheetView, ...]:
    """The exercises that have something to do on paper, numbered anew.

    Raises ContentError where none of them has.
    """
    written = [exercise for exercise in exercises if _on_paper(exercise)]
    if not written:
        raise ContentError(f"nothing to work on paper in {', '.join(exercise.slug for exercise in exercises)}")
    views = prompt_views(content, problems, written)
    return tuple(
        _sheet(content, view, exercise, problems[exercise.slug].instance, key=key)
        for view, exercise in zip(views, written, strict=True)
    )


def _on_paper(exercise: Exercise) -> bool:
    return any(not isinstance(part, CodePart | ComposePart) for part in exercise.parts)


def _sheet(content: Content, view: PromptView, exercise: Exercise, instance: Instance, *, key: bool) -> SheetView:
    text = "\n\n".join(part for part in view.markdown.split("\n\n") if not _CODE_ONLY.match(part))
    boxes: list[Box] = []
    blanks: list[Blank] = []
    questions = {question.name: question for question in view.questions}
    parts = [part for part in exercise.parts if not isinstance(part, CodePart | ComposePart)]
    for part in parts:
        if isinstance(part, TracePart):
            boxes += _boxes(content, part, instance, key=key)
        else:
            answer = key_for(part, content, exercise, instance, options_seed(exercise, instance)) if key else ""
            lines = {"explain": 4, "witness": 4, "derive": 2}.get(getattr(part, "kind", ""), 1)
            blanks.append(Blank(question=questions[part.slug], answer=answer, lines=lines))
    points = sum(part.points * (len(part.stages) if isinstance(part, TracePart) else 1) for part in parts)
    on_paper = all(len(matrix.shape) <= 2 for matrix in view.matrices)
    return SheetView(
        number=view.number,
        title=view.title,
        markdown=text,
        html=html_of(text, where=str(exercise.path)),
        words=view.words,
        sizes=view.sizes,
        # Arrays of three and more axes are for code; the questions beside them are asked without numbers.
        matrices=view.matrices if on_paper else (),
        same_as=view.same_as if on_paper else None,
        boxes=tuple(boxes),
        blanks=tuple(blanks),
        points=show_points(points),  # pyright: ignore[reportArgumentType]  # a sum of fractions, never 0
    )


def _boxes(content: Content, part: TracePart, instance: Instance, *, key: bool) -> list[Box]:
    chain = content.chains[instance.chain]
    with np.errstate(all="ignore"):
        values = evaluate(chain, instance.values, targets=part.stages)
    exact: Mapping[str, Any] = _exact(content, instance, part.stages) if key else {}
    boxes: list[Box] = []
    for name in part.stages:
        entries = decimal_texts(values[name], part.decimals) if key else np.full(np.shape(values[name]), "").tolist()
        if key and name in exact:
            entries = _shorter(exact[name], entries)
        boxes.append(
            Box(
                name=name,
                decimals=part.decimals,
                points=show_points(part.points),
                grid=matrix_view(name, entries, axes=chain.axes.get(name, ""), words=instance.words, exact=True),
            )
        )
    return boxes


def _exact(content: Content, instance: Instance, stages: tuple[str, ...]) -> Mapping[str, Any]:
    from headwork.reports.worked import exact_texts

    if not instance.exact:
        return {}
    found = exact_texts(content, content.chains[instance.chain], instance)
    return {name: found[name] for name in stages if name in found}


def _shorter(exact: Any, decimal: Any) -> Any:
    if isinstance(exact, list):
        return [_shorter(one, other) for one, other in zip(exact, decimal, strict=True)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return exact if len(str(exact)) <= SHORT else decimal


def worksheet_html(
    content: Content,
    assignment: str,
    student: str,
    problems: Mapping[str, Problem],
    exercises: Sequence[Exercise],
    *,
    key: bool = False,
) -> str:
    """A page to print, one exercise after the other, that needs no script and no network."""
    return _rendered(content, "worksheet.html.j2", assignment, student, problems, exercises, key=key)


def worksheet_tex(
    content: Content,
    assignment: str,
    student: str,
    problems: Mapping[str, Problem],
    exercises: Sequence[Exercise],
    *,
    key: bool = False,
) -> str:
    """LaTeX source of the same sheet: plain pdflatex, amsmath and geometry."""
    return _rendered(content, "worksheet.tex.j2", assignment, student, problems, exercises, key=key)


def _rendered(
    content: Content,
    template: str,
    assignment: str,
    student: str,
    problems: Mapping[str, Problem],
    exercises: Sequence[Exercise],
    *,
    key: bool,
) -> str:
    from headwork.pages.markdown_tex import tex_code, tex_of, tex_text
    from headwork.pages.tex import number_tex

    views = worksheet_views(content, problems, exercises, key=key)
    # A sheet without a name belongs to its numbers: the first characters of their digest find them again.
    digest = next(iter(problems.values())).digest[:10]
    return (
        environment(content)
        .get_template(template)
        .render(
            assignment=assignment, student=student, views=views, key=key, digest=digest,
            tex_of=tex_of, tex_text=tex_text, tex_code=tex_code, number_tex=number_tex, letters="abcdefghijklmnopqrstuvwxyz",
        )
    )  # fmt: skip
