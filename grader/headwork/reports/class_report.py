"""The class: a table for the terminal, grades.csv, and a page with what to teach next.

Every figure comes from ``figures`` and the same reports, so all three show the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from headwork.model import Report, Status
from headwork.pages.environment import environment
from headwork.reports.class_figures import Band, StageCount, bands, mistakes_by_stage, teach_next
from headwork.reports.copies import Copy
from headwork.reports.feedback import titles_of
from headwork.reports.figures import show_points
from headwork.reports.reading import by_exercise, first_wrong, is_marked, stage_name, sum_of
from headwork.reports.shown_text import csv_cell, shown_line
from headwork.rooms import Content

if TYPE_CHECKING:
    from rich.table import Table

WORDS = {
    Status.GRADED: "graded",
    Status.GRADED_WITH_NOTICE: "graded, with a notice",
    Status.NEEDS_ATTENTION: "needs attention",
    Status.NOT_GRADABLE: "not gradable",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One student: figures as text, empty where there is no mark."""

    student: str
    name: str
    total: str
    maximum: str
    exercises: Mapping[str, str]
    first_wrong: str
    status: str
    tone: str
    reason: str
    notices: tuple[str, ...]


def class_lines(reports: Sequence[Report], names: Mapping[str, str] | None = None) -> tuple[Line, ...]:
    """One line per report, by student id; ``names`` are the roster's."""
    ordered = sorted(reports, key=lambda report: report.student)
    return tuple(_line(report, (names or {}).get(report.student, "")) for report in ordered)


def _line(report: Report, name: str) -> Line:
    marked = is_marked(report)
    wrong = first_wrong(report) if marked else None
    groups = by_exercise(report) if marked else {}
    return Line(
        student=report.student,
        name=name,
        total=show_points(report.total) if marked else "",
        maximum=show_points(report.maximum),
        exercises={shown_line(slug): show_points(sum_of(judgements)[0]) for slug, judgements in groups.items()},
        first_wrong=f"{stage_name(wrong)} ({'hand' if wrong.kind == 'hand' else 'code'})" if wrong else "",
        status=WORDS[report.status],
        tone={Status.GRADED: "good", Status.GRADED_WITH_NOTICE: "good"}.get(report.status, "wait"),
        reason=report.reason,
        notices=report.notices,
    )


def exercise_slugs(lines: Sequence[Line]) -> tuple[str, ...]:
    """The exercises that any line has, in the order of the reports."""
    return tuple(dict.fromkeys(slug for line in lines for slug in line.exercises))


# --- for the terminal -------------------------------------------------------------------------


def class_table(reports: Sequence[Report], names: Mapping[str, str] | None = None) -> Table:
    """A Rich table: student, total, points per exercise, first wrong stage, status."""
    from rich.table import Table
    from rich.text import Text

    lines = class_lines(reports, names)
    table = Table(caption=summary_sentence(reports), caption_justify="left")
    table.add_column("student")
    table.add_column("total", justify="right")
    slugs = exercise_slugs(lines)
    for slug in slugs:
        table.add_column(Text(slug), justify="right")
    table.add_column("first wrong")
    table.add_column("status")
    for line in lines:
        # Text, not markup: a student's id or reason may hold brackets.
        cells = [line.student, line.total or "–", *(line.exercises.get(slug, "–") for slug in slugs), line.first_wrong]
        status = line.status + (f": {line.reason}" if line.reason else "")
        table.add_row(*(Text(shown_line(cell)) for cell in (*cells, status)))
    return table


def summary_sentence(reports: Sequence[Report]) -> str:
    """How many reports there are, and how many are marked or wait for a person."""
    marked = sum(is_marked(report) for report in reports)
    attention = sum(report.status is Status.NEEDS_ATTENTION for report in reports)
    ungradable = sum(report.status is Status.NOT_GRADABLE for report in reports)
    parts = [f"{marked} of {len(reports)} graded"]
    parts += [f"{attention} {'needs' if attention == 1 else 'need'} attention"] if attention else []
    parts += [f"{ungradable} not gradable"] if ungradable else []
    return ", ".join(parts)


# --- for spreadsheets -------------------------------------------------------------------------


def grades_csv(reports: Sequence[Report], names: Mapping[str, str] | None = None) -> str:
    """grades.csv: a row per student; total and points are empty, never 0, where there is no mark."""
    lines = class_lines(reports, names)
    slugs = exercise_slugs(lines)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(
        ["student", "name", "total", "maximum", *map(csv_cell, slugs), "first wrong stage", "status", "reason"]
    )
    for line in lines:
        figures = [line.total, line.maximum, *(line.exercises.get(slug, "") for slug in slugs)]
        texts = [csv_cell(text) for text in (line.first_wrong, line.status, line.reason)]
        writer.writerow([csv_cell(line.student), csv_cell(line.name), *figures, *texts])
    return out.getvalue()


# --- as a page --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassView:
    """What class.html shows."""

    assignment: str
    summary: str
    mean: str
    median: str
    maximum: str
    bands: tuple[Band, ...]
    stages: tuple[StageCount, ...]
    teach: str
    """The line above the stages."""
    lines: tuple[Line, ...]
    waiting: tuple[Line, ...]
    noticed: tuple[Line, ...]
    slugs: tuple[str, ...]
    titles: Mapping[str, str]
    copies: tuple[str, ...]
    """Answers that are right for somebody else's numbers, a sentence each."""


def class_html(
    reports: Sequence[Report],
    content: Content,
    names: Mapping[str, str] | None = None,
    copies: Sequence[Copy] = (),
) -> str:
    """class.html: the distribution, which mistakes were made where and by how many, and who needs a person."""
    lines = tuple(_shown(line) for line in class_lines(reports, names))
    marked = [report for report in reports if is_marked(report)]
    totals = sorted(report.total for report in marked)
    stages = mistakes_by_stage(marked, content)
    view = ClassView(
        assignment=shown_line(reports[0].assignment) if reports else "",
        summary=summary_sentence(reports),
        mean=show_points(sum(totals, Fraction(0)) / len(totals)) if totals else "–",
        median=show_points((totals[(len(totals) - 1) // 2] + totals[len(totals) // 2]) / 2) if totals else "–",
        maximum=show_points(max((report.maximum for report in reports), default=Fraction(0))),
        bands=bands(marked),
        stages=stages,
        teach=teach_next(stages),
        lines=lines,
        waiting=tuple(line for line in lines if line.tone == "wait"),
        noticed=tuple(line for line in lines if line.notices and line.tone != "wait"),
        slugs=exercise_slugs(lines),
        titles=titles_of(content),
        copies=tuple(copy.sentence() for copy in copies),
    )
    return environment(content).get_template("class.html.j2").render(view=view)


def _shown(line: Line) -> Line:
    return replace(
        line,
        student=shown_line(line.student),
        name=shown_line(line.name),
        reason=shown_line(line.reason, longest=400),
        notices=tuple(shown_line(notice, longest=400) for notice in line.notices),
    )
