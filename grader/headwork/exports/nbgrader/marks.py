"""A report as nbgrader keeps it: a score per grade cell, a comment per cell of the student's own."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from headwork.exports.nbgrader.cells import comment_id_of, grade_id_of
from headwork.model import Judgement, Report, Status, Verdict
from headwork.reports.feedback import Rung, feedback_view
from headwork.reports.figures import show_points
from headwork.reports.reading import by_exercise
from headwork.reports.shown_text import shown_line
from headwork.rooms import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What the machine gives one cell. ``None`` points: a person has to."""

    points: float | None
    person: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Scores by grade id, comments by the grade id of the cell they stand at."""

    scores: Mapping[str, Score] = field(default_factory=dict[str, Score])
    comments: Mapping[str, str] = field(default_factory=dict[str, str])
    rest: Score = Score(points=None, person=True)
    """What cells get that no judgement speaks of."""
    everywhere: str = ""
    """A comment for the first cell, where there is no mark at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A judgement with what may be shown of it."""

    judgement: Judgement
    rung: Rung | None
    """None where all is right and there is nothing to add."""

    @property
    def points(self) -> str:
        """ "1.5 / 2"."""
        return f"{show_points(self.judgement.points)} / {show_points(self.judgement.maximum)}"


def judged(report: Report, content: Content, *, hint_steps: int) -> tuple[Judged, ...]:
    """All judgements with their feedback, as much of it as the assignment shows."""
    telling = [one for one in report.judgements if one.verdict is not Verdict.RIGHT or one.messages]
    part = replace(report, judgements=tuple(telling))
    view = feedback_view(part, content, problems={}, hint_steps=hint_steps)
    rungs = {
        (judgement.exercise, judgement.part, judgement.kind): rung
        for judgements, exercise in zip(by_exercise(part).values(), view.exercises, strict=True)
        for judgement, rung in zip(judgements, exercise.rungs, strict=True)
    }
    return tuple(Judged(judgement=one, rung=rungs.get((one.exercise, one.part, one.kind))) for one in report.judgements)


def marks_of(report: Report, found: tuple[Judged, ...]) -> Marks:
    """Scores and comments of a report.

    Where the submission as a whole could not be graded there is no score at all, never a zero, and every
    cell waits for a person.
    """
    if report.status is Status.NOT_GRADABLE or not report.judgements:
        return Marks(everywhere=_text(f"Not graded yet: {shown_line(report.reason, longest=400)}"))
    scores: dict[str, Score] = {}
    comments: dict[str, str] = {}
    for one in found:
        scores[grade_id_of(one.judgement)] = score_of(one.judgement)
        text = _comment(one)
        if text:
            name = comment_id_of(one.judgement)
            comments[name] = f"{comments[name]}\n\n{text}" if name in comments else text
    return Marks(scores=scores, comments=comments)


def score_of(judgement: Judgement) -> Score:
    """The points of a judgement; none where it could not be decided by machine."""
    if judgement.verdict is Verdict.ATTENTION:
        return Score(points=None, person=True)
    return Score(points=float(judgement.points))


def _comment(one: Judged) -> str:
    """What to say beside the student's cell; nothing where all is right. Of code, the test cell says the rest."""
    rung = one.rung
    if rung is None:
        return ""
    lines = [f"{rung.name} ({rung.verdict}, {rung.points}): {rung.summary}"]
    steps = [f"{step.label}: {step.text}" for step in rung.steps]
    if one.judgement.kind in ("code", "compose"):
        return "\n\n".join(_text(line) for line in (*lines, *steps[:1]))
    if rung.cell is not None:
        expected = f", expected {rung.cell.reference}" if rung.cell.reference else ""
        lines.append(f"Furthest off at {rung.cell.where}: yours {rung.cell.student}{expected}")
    lines += [*steps, *rung.messages]
    lines += [f"{name} was read as {text}" for name, text in rung.read_as]
    return "\n\n".join(_text(line) for line in lines)


def _text(line: str) -> str:
    """A line that stays text in nbgrader's Markdown, and reads well in formgrader, which shows it as it is."""
    stars = line.replace("*", "\\*") if line.count("*") > 1 else line
    return html.escape(stars, quote=False).replace("](", "] (").replace("`", "'")
