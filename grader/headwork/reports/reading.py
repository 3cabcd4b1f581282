"""What a report says, for every page alike: the first wrong stage, the headline, groups of stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from headwork.model import Judgement, Report, Status, Verdict
from headwork.reports.figures import out_of
from headwork.reports.shown_text import shown_line

MARKS: Mapping[Verdict, tuple[str, str]] = {
    Verdict.RIGHT: ("good", "✓"),
    Verdict.FOLLOWS: ("good", "↪"),
    Verdict.WRONG: ("bad", "✗"),
    Verdict.CRASHED: ("bad", "✗"),
    Verdict.OUT_OF_TIME: ("bad", "✗"),
    Verdict.MISSING: ("bad", "–"),
    Verdict.UNREADABLE: ("bad", "?"),
    Verdict.NOT_RUN: ("wait", "·"),
    Verdict.ATTENTION: ("wait", "!"),
}
"""Tone and sign of a verdict; the word always stands beside them."""

_FINE = (Verdict.RIGHT, Verdict.FOLLOWS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The first line of every page about a report."""

    text: str
    tone: str


def first_wrong(report: Report) -> Judgement | None:
    """The first stage that is wrong in itself; one that could not be run only where nothing else is wrong."""
    wrong = [
        judgement for judgement in report.judgements if judgement.verdict not in _FINE and not _for_a_person(judgement)
    ]
    causes = [j for j in wrong if j.verdict not in (Verdict.NOT_RUN, Verdict.ATTENTION)]
    return next(iter(causes or wrong), None)


def waits(judgement: Judgement) -> bool:
    """True for a sentence that a person marks by design, and has not marked yet."""
    return judgement.manual is None and _for_a_person(judgement)


def _for_a_person(judgement: Judgement) -> bool:
    return judgement.kind == "explain" and judgement.verdict is Verdict.ATTENTION


def is_marked(report: Report) -> bool:
    """True where the total is a mark."""
    return report.status in (Status.GRADED, Status.GRADED_WITH_NOTICE)


def headline(report: Report, titles: Mapping[str, str]) -> Headline:
    """One sentence: the first wrong stage, or that everything is right, or why there is no mark."""
    reason = shown_line(report.reason, longest=400).rstrip(".")
    if report.status is Status.NOT_GRADABLE:
        return Headline(text=f"This could not be graded: {reason or 'no reason was recorded'}.", tone="wait")
    if report.status is Status.NEEDS_ATTENTION:
        return Headline(
            text=f"A person has to look at this before it has a mark: {reason or 'see below'}.", tone="wait"
        )
    wrong = first_wrong(report)
    if wrong is None and report.total < report.maximum:
        points = out_of(report.total, report.maximum)
        rest = "; a person reads the rest" if any(map(waits, report.judgements)) else ""
        return Headline(text=f"Right as far as a machine can tell: {points} points{rest}.", tone="good")
    if wrong is None:
        return Headline(text=f"Everything is right: {out_of(report.total, report.maximum)} points.", tone="good")
    title = titles.get(wrong.exercise, shown_line(wrong.exercise)).rstrip(".")
    how = "by hand" if wrong.kind == "hand" else "in code" if wrong.kind in ("code", "compose") else ""
    return Headline(text=f"First wrong stage: {stage_name(wrong)}{', ' if how else ''}{how} ({title}).", tone="bad")


def stage_name(judgement: Judgement) -> str:
    """The name of what was judged, safe to show."""
    return shown_line(judgement.part, longest=80)


def by_exercise(report: Report) -> dict[str, list[Judgement]]:
    """The judgements in groups, in order."""
    groups: dict[str, list[Judgement]] = {}
    for judgement in report.judgements:
        groups.setdefault(judgement.exercise, []).append(judgement)
    return groups


def sum_of(judgements: list[Judgement]) -> tuple[Fraction, Fraction]:
    """Points and maximum, exactly."""
    points = sum((judgement.points for judgement in judgements), Fraction(0))
    return points, sum((judgement.maximum for judgement in judgements), Fraction(0))
