"""Counts over a class: how totals spread, and which mistakes were made at which stage by how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headwork.model import Judgement, Report, Verdict
from headwork.reports.figures import show_points
from headwork.reports.reading import stage_name
from headwork.reports.shown_text import shown_line
from headwork.rooms import Content

BANDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Students whose total lies in one tenth of the points; ``width`` is the bar's, in percent."""

    label: str
    count: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeCount:
    """One cause: how many students, and the words about it."""

    title: str
    slugs: str
    students: tuple[str, ...]
    look: str

    @property
    def count(self) -> int:
        """How many students."""
        return len(self.students)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCount:
    """One stage: how many students had it wrong in itself, how many left it out, and the causes by number."""

    name: str
    asked: int
    wrong: int
    missing: int
    width: int
    mistakes: tuple[MistakeCount, ...]


def bands(reports: Sequence[Report]) -> tuple[Band, ...]:
    """Totals in tenths of the maximum; full marks are in the last band. Empty without a mark."""
    maximum = max((report.maximum for report in reports), default=Fraction(0))
    if not maximum:
        return ()
    counts = [0] * BANDS
    for report in reports:
        counts[min(BANDS - 1, max(0, int(report.total * BANDS / maximum)))] += 1
    most = max(counts)
    return tuple(
        Band(
            label=f"{show_points(maximum * i / BANDS)} to {show_points(maximum * (i + 1) / BANDS)}",
            count=count,
            width=round(100 * count / most) if most else 0,
        )
        for i, count in enumerate(counts)
    )


def mistakes_by_stage(reports: Sequence[Report], content: Content) -> tuple[StageCount, ...]:
    """Stages by how many students had them wrong in themselves, the most first: what to teach next."""
    asked: dict[str, set[str]] = {}
    wrong: dict[str, dict[str, Judgement]] = {}
    for report in reports:
        for judgement in report.judgements:
            name = stage_name(judgement)
            asked.setdefault(name, set()).add(report.student)
            if judgement.verdict not in (Verdict.RIGHT, Verdict.FOLLOWS, Verdict.NOT_RUN):
                known = wrong.setdefault(name, {}).get(report.student)
                # Of a stage asked twice (in code and by hand), the one with a cause says more.
                if known is None or (known.diagnosis is None and judgement.diagnosis is not None):
                    wrong[name][report.student] = judgement
    stages = [_stage_count(name, len(asked[name]), found, content) for name, found in wrong.items()]
    return tuple(sorted(stages, key=lambda stage: (-stage.wrong, -stage.missing, stage.name)))


def teach_next(stages: Sequence[StageCount]) -> str:
    """One line: the stage that most students had wrong in itself, and the cause that most of them share."""
    first = next((stage for stage in stages if stage.wrong), None)
    if first is None:
        return "Nothing was wrong in itself."
    line = f"{first.name}: wrong for {first.wrong} of {first.asked}"
    cause = next((cause for cause in first.mistakes if cause.slugs), None)
    return f"{line}; for {cause.count} of them: {cause.title.rstrip('.')} ({cause.slugs})" if cause else line


def teaching_record(stages: Sequence[StageCount]) -> list[dict[str, Any]]:
    """The same counts for scripts: mistakes by stage, over all students' numbers."""
    return [
        {
            "stage": stage.name,
            "asked": stage.asked,
            "wrong": stage.wrong,
            "missing": stage.missing,
            "causes": [
                {"mistakes": cause.slugs, "title": cause.title, "students": list(cause.students)}
                for cause in stage.mistakes
            ],
        }
        for stage in stages
    ]


def _stage_count(name: str, asked: int, found: dict[str, Judgement], content: Content) -> StageCount:
    # What was never written says nothing about what was misunderstood.
    tried = {student: judgement for student, judgement in found.items() if judgement.verdict is not Verdict.MISSING}
    return StageCount(
        name=name,
        asked=asked,
        wrong=len(tried),
        missing=len(found) - len(tried),
        width=round(100 * len(tried) / asked),
        mistakes=_causes(tried, content),
    )


def _causes(found: dict[str, Judgement], content: Content) -> tuple[MistakeCount, ...]:
    students: dict[tuple[str, str], list[str]] = {}
    looks: dict[tuple[str, str], str] = {}
    for student, judgement in found.items():
        key = _cause(judgement)
        students.setdefault(key, []).append(shown_line(student))
        known = content.mistakes.get(key[1])
        looks[key] = (
            known.look if known else shown_line(judgement.diagnosis.look, longest=600) if judgement.diagnosis else ""
        )
    counts = [
        MistakeCount(title=title, slugs=slugs, students=tuple(sorted(who)), look=looks[title, slugs])
        for (title, slugs), who in students.items()
    ]
    return tuple(sorted(counts, key=lambda cause: (-cause.count, cause.title)))


def _cause(judgement: Judgement) -> tuple[str, str]:
    diagnosis = judgement.diagnosis
    if diagnosis is not None:
        return shown_line(diagnosis.title, longest=300), " + ".join(shown_line(slug) for slug in diagnosis.mistakes)
    if judgement.verdict is Verdict.WRONG:
        return "Wrong, no known cause", ""
    return judgement.verdict.value.capitalize(), ""
