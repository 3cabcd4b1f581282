"""Feedback pages: one student's report as HTML and as Markdown.

Nothing is shown that a judgement does not hold, and staff notices are not shown at all. All text of the
report passes ``shown_text`` first, since a student's exception names and answers are in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from headwork.draw.digest import digest_of, inputs_of
from headwork.handout.axes import named_shape
from headwork.handout.prompt import given_matrices
from headwork.model import Cell, Diagnosis, Judgement, Problem, Report, Verdict
from headwork.pages.environment import environment
from headwork.pages.matrix import MatrixView, Words, fitting_axes
from headwork.reports.figures import out_of, show_points
from headwork.reports.own_matrices import own_matrices
from headwork.reports.reading import MARKS, Headline, by_exercise, headline, is_marked, stage_name, sum_of
from headwork.reports.shown_text import shown_line, shown_text
from headwork.rooms import Content

ALL_STEPS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a diagnosis: a label and a sentence or two."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One stage of the ladder."""

    anchor: str
    name: str
    how: str
    verdict: str
    tone: str
    sign: str
    points: str
    shape: str
    detailed: bool
    """Whether there is more to say than the ladder does; a right answer only says how it was read."""
    summary: str
    messages: tuple[str, ...]
    seen: str
    wanted: str
    cell: Cell | None
    steps: tuple[Step, ...]
    follows: tuple[str, ...]
    read_as: tuple[tuple[str, str], ...]
    matrices: tuple[MatrixView, ...]
    answer: str
    """A right answer to a question, once released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView:
    """One exercise of a page."""

    slug: str
    title: str
    points: str
    rungs: tuple[Rung, ...]
    read_right: tuple[tuple[str, str], ...]
    """How right answers were read, for those who want to know."""
    given: tuple[MatrixView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """What both templates show."""

    assignment: str
    student: str
    headline: Headline
    marked: bool
    total: str
    messages: tuple[str, ...]
    exercises: tuple[ExerciseView, ...]


def feedback_pages(
    report: Report, content: Content, *, problems: Mapping[str, Problem] | None = None, hint_steps: int = ALL_STEPS
) -> dict[str, str]:
    """``feedback.html`` and ``feedback.md``.

    ``problems`` puts the student's given numbers and words beside their answers. ``hint_steps`` says how
    much of a diagnosis is shown: 0 nothing, 1 the hint question, 2 also what to look at, 3 all of it.
    """
    view = feedback_view(report, content, problems=problems or {}, hint_steps=hint_steps)
    jinja = environment(content)
    return {
        "feedback.html": jinja.get_template("feedback.html.j2").render(view=view),
        "feedback.md": jinja.get_template("feedback.md.j2").render(view=view),
    }


def feedback_view(
    report: Report, content: Content, *, problems: Mapping[str, Problem], hint_steps: int = ALL_STEPS
) -> FeedbackView:
    """The report, made ready to show."""
    titles = titles_of(content)
    exercises: list[ExerciseView] = []
    told: set[str] = set()
    for slug, judgements in by_exercise(report).items():
        problem = problems.get(slug)
        words = problem.instance.words if problem else ()
        rungs = [
            _rung(judgement, words, hint_steps, f"{len(exercises) + 1}-{i}")
            for i, judgement in enumerate(judgements, 1)
        ]
        exercises.append(
            ExerciseView(
                slug=slug,
                title=titles.get(slug, shown_line(slug)),
                points=out_of(*sum_of(judgements)),
                rungs=tuple(rungs),
                read_right=tuple(read for rung in rungs if not rung.detailed for read in rung.read_as),
                given=_given_once(content, problem, told),
            )
        )
    return FeedbackView(
        assignment=shown_line(report.assignment),
        student=shown_line(report.student),
        headline=headline(report, titles),
        marked=is_marked(report),
        total=out_of(report.total, report.maximum),
        messages=tuple(shown_text(message) for message in report.messages),
        exercises=tuple(exercises),
    )


def _given_once(content: Content, problem: Problem | None, told: set[str]) -> tuple[MatrixView, ...]:
    """The numbers of an exercise, unless an earlier exercise of the page has shown the same."""
    if problem is None:
        return ()
    instance = problem.instance
    digest = digest_of("", 0, instance.chain, inputs_of(instance))
    if digest in told:
        return ()
    told.add(digest)
    return given_matrices(content, instance)


def titles_of(content: Content) -> dict[str, str]:
    """Titles of all exercises by slug."""
    return {slug: exercise.title.rstrip(".") for slug, exercise in content.exercises.items()}


def _rung(judgement: Judgement, words: Words, hint_steps: int, anchor: str) -> Rung:
    judgement = replace(judgement, axes=shown_line(judgement.axes))
    tone, sign = MARKS[judgement.verdict]
    cell = judgement.cell
    wanted = _shape(judgement, judgement.wanted_shape)
    # The names of the axes belong to the right shape only.
    right_shape = judgement.seen_shape is None or judgement.seen_shape == judgement.wanted_shape
    seen = "" if right_shape else _bare(judgement.seen_shape or ())
    return Rung(
        anchor=anchor,
        name=stage_name(judgement),
        how={"hand": "by hand", "code": "code", "compose": "code"}.get(judgement.kind, shown_line(judgement.kind)),
        verdict=judgement.verdict.value,
        tone=tone,
        sign=sign,
        points=f"{show_points(judgement.points)} / {show_points(judgement.maximum)}",
        shape=seen or wanted,
        detailed=judgement.verdict is not Verdict.RIGHT or bool(judgement.messages),
        summary=_sentence(judgement),
        messages=_messages(judgement),
        seen=seen,
        wanted=wanted if seen else "",
        cell=_shown_cell(cell) if cell else None,
        steps=_steps(judgement.diagnosis, hint_steps) if judgement.diagnosis else (),
        follows=tuple(shown_line(name) for name in judgement.follows),
        read_as=tuple((shown_line(name), shown_line(text)) for name, text in judgement.read_as.items()),
        matrices=own_matrices(judgement, words),
        answer=_released_answer(judgement),
    )


def _messages(judgement: Judgement) -> tuple[str, ...]:
    """All messages but the one that says again where the worst cell is."""
    again = f"worst at {judgement.cell.where}" if judgement.cell else None
    return tuple(shown_text(message) for message in judgement.messages if not again or not message.startswith(again))


def _released_answer(judgement: Judgement) -> str:
    answer = judgement.shown.get("reference")
    return shown_text(answer) if isinstance(answer, str) else ""


def _sentence(judgement: Judgement) -> str:
    """The summary without the name it starts with: the heading has said it."""
    text = shown_text(judgement.summary)
    name = f"{stage_name(judgement)}: "
    rest = text.removeprefix(name)
    return rest[:1].upper() + rest[1:]


def _shape(judgement: Judgement, shape: tuple[int, ...] | None) -> str:
    if shape is None:
        return ""
    axes = fitting_axes(judgement.axes, len(shape))
    return named_shape(axes, shape) if shape and axes else _bare(shape)


def _bare(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})" if shape else "a single number"


def _shown_cell(cell: Cell) -> Cell:
    return Cell(where=shown_line(cell.where), student=shown_line(cell.student), reference=shown_line(cell.reference))


def _steps(diagnosis: Diagnosis, shown: int) -> tuple[Step, ...]:
    """The whole diagnosis, or only its first steps: the question, then what to look at."""
    title, why, look, hint = (
        shown_text(text) for text in (diagnosis.title, diagnosis.why, diagnosis.look, diagnosis.hint)
    )
    if shown >= ALL_STEPS:
        steps: list[tuple[str, Any]] = [("Likely cause", title), ("Why it matters", why), ("What to look at", look)]
    else:
        steps = [("A question", hint or look), ("What to look at", look if hint else "")][: max(0, shown)]
    return tuple(Step(label=label, text=text) for label, text in steps if text)
