"""Wrong answers that are right for somebody else's numbers: shown to the instructor, never acted on.

Every student has numbers of their own, so one student's right answer is hardly ever another's by chance.
Found are hand-worked matrices, and code that holds such a matrix number by number. The cause may be as
harmless as two handouts in one folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headwork.answers.asking.arrays import floats_of
from headwork.assignment import Assignment
from headwork.course import Course
from headwork.draw.student import Sheet
from headwork.marking.wording import is_trivial
from headwork.model import Chain, Exercise, Judgement, Report, Submission, TracePart, Verdict
from headwork.reports.shown_text import shown_line
from headwork.stages import evaluate

LEAST_DIFFERING = 4
"""So many cells must differ between the two right answers: fewer may agree by chance, or by a common rule."""
_TOLERANCE = 5.1e-4
"""Half of a third decimal, and the last bit of both."""
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|(?:np\.|math\.)?inf)(?![\w.])")
_MOST_NUMBERS = 4000
_MISSED = (Verdict.WRONG, Verdict.FOLLOWS)
_Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A student's wrong answer that is the right one for others."""

    student: str
    others: tuple[str, ...]
    exercise: str
    stage: str
    by_hand: bool
    cells: int
    differing: int
    """In how many cells the two right answers differ (the fewest, where there are several others)."""

    def sentence(self) -> str:
        """What was seen, and what it may mean."""
        names = " and ".join(shown_line(other) for other in self.others)
        what = (
            f"{self.stage}, worked by hand, is not right for these numbers"
            if self.by_hand
            else f"the code for {self.stage} is not right, and holds fixed numbers"
        )
        return (
            f"{shown_line(self.student)}, {shown_line(self.exercise)}: {what}; in all {self.cells} cells this is the "
            f"right answer for the numbers of {names}, which differs from the right one here in {self.differing}. "
            "Handouts may have been mixed up, and small matrices can agree by chance; the marks are as for any other answer."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Asked:
    """One stage of one group of exercises that share their numbers."""

    exercises: tuple[Exercise, ...]
    chain: Chain
    stage: str
    right: Mapping[str, _Numbers]
    """Student -> what is right for them."""


def copied_answers(course: Course, assignment: Assignment, reports: Sequence[Report]) -> tuple[Copy, ...]:
    """Every wrong answer of the class that is right for another student's numbers, by student and stage."""
    from headwork.collect.stored import load_stored

    told = {report.student: report for report in reports if _has_wrong(report)}
    if not told:
        return ()
    sheets = _sheets(course, assignment, reports)
    asked = tuple(_asked(course, assignment, sheets))
    found: list[Copy] = []
    for submission in load_stored(course.root, assignment.name, release=course.handed_out(assignment.name)):
        report = told.get(submission.student)
        if report is not None and submission.student in sheets:
            found += _of_one(assignment, submission, report, asked)
    return tuple(sorted(found, key=lambda copy: (copy.student, copy.exercise, copy.stage, not copy.by_hand)))


def _has_wrong(report: Report) -> bool:
    return any(found.verdict in _MISSED for found in report.judgements)


def _sheets(course: Course, assignment: Assignment, reports: Sequence[Report]) -> dict[str, Sheet]:
    """Stored draws of everybody who got a handout, whether or not anything came back."""
    students = {report.student for report in reports} | {student.id for student in course.roster().students}
    loaded = {student: course.load_sheet(assignment, student) for student in sorted(students)}
    return {student: sheet for student, sheet in loaded.items() if sheet is not None}


def _asked(course: Course, assignment: Assignment, sheets: Mapping[str, Sheet]) -> Iterator[_Asked]:
    chains = course.content().chains
    for group in assignment.own_groups:
        values: dict[str, Mapping[str, Any]] = {}
        for student, sheet in sheets.items():
            instance = sheet.problems[group[0].slug].instance
            with np.errstate(all="ignore"):
                values[student] = evaluate(chains[instance.chain], instance.values)
        slugs = {sheet.problems[group[0].slug].instance.chain for sheet in sheets.values()}
        for slug in sorted(slugs):
            for stage in chains[slug].stages:
                right = {
                    student: np.asarray(known[stage], np.float64) for student, known in values.items() if stage in known
                }
                yield _Asked(exercises=group, chain=chains[slug], stage=stage, right=right)


def _of_one(assignment: Assignment, submission: Submission, report: Report, asked: Sequence[_Asked]) -> Iterator[Copy]:
    literals: _Numbers | None = None
    for judgement in report.judgements:
        if judgement.verdict not in _MISSED:
            continue
        for one in asked:
            exercise = next((found for found in one.exercises if found.slug == judgement.exercise), None)
            own = one.right.get(submission.student)
            if exercise is None or own is None:
                continue
            if judgement.kind == "hand" and judgement.part == one.stage:
                typed = submission.answers.get(exercise.slug, {}).get(one.stage, "")
                read = floats_of(typed, decimal_comma=assignment.policy.decimal_comma) if typed.strip() else ""
                if not isinstance(read, str):
                    yield from _copy(
                        submission.student, judgement, one, own, read[None], _tolerance(exercise, one.stage)
                    )
            elif judgement.kind in ("code", "compose") and _makes(exercise, judgement, one):
                literals = _literals(submission.cells) if literals is None else literals
                if len(literals) >= own.size:
                    windows = np.lib.stride_tricks.sliding_window_view(literals, own.size).reshape(-1, *own.shape)
                    yield from _copy(submission.student, judgement, one, own, windows, _TOLERANCE)


def _copy(
    student: str, judgement: Judgement, one: _Asked, own: _Numbers, seen: _Numbers, tolerance: float
) -> Iterator[Copy]:
    """A copy where one of the matrices ``seen`` is right for others and far enough from what is right here."""
    differing: dict[str, int] = {}
    for other, right in one.right.items():
        if other == student or right.shape != own.shape or right.shape != seen.shape[1:] or is_trivial(right):
            continue  # one number everywhere is soon typed
        apart = int((~_near(own, right, tolerance)).sum())
        if apart >= LEAST_DIFFERING and _near(seen, right, tolerance).reshape(len(seen), -1).all(axis=1).any():
            differing[other] = apart
    if differing:
        yield Copy(
            student=student,
            others=tuple(differing),
            exercise=judgement.exercise,
            stage=one.stage,
            by_hand=judgement.kind == "hand",
            cells=own.size,
            differing=min(differing.values()),
        )


def _near(seen: _Numbers, right: _Numbers, tolerance: float) -> NDArray[np.bool_]:
    with np.errstate(all="ignore"):
        return (seen == right) | (np.abs(seen - right) <= tolerance)


def _tolerance(exercise: Exercise, stage: str) -> float:
    """Half of the last decimal that is asked for."""
    decimals = next(part.decimals for part in exercise.parts if isinstance(part, TracePart) and stage in part.stages)
    return float(1.02 * 0.5 * 10.0**-decimals)


def _makes(exercise: Exercise, judgement: Judgement, one: _Asked) -> bool:
    """Whether the function that was judged makes this stage."""
    if one.chain.stages[one.stage].operation.name == judgement.part:
        return True
    names = [(getattr(part, "name", ""), getattr(part, "target", "")) for part in exercise.parts]
    return (judgement.part, one.stage) in names


def _literals(cells: Sequence[str]) -> _Numbers:
    """The numbers that stand in the code, in order. Code is only ever read as text here."""
    words = [word for cell in cells for word in _NUMBER.findall(cell)][:_MOST_NUMBERS]
    return np.array([float(word.replace("np.", "").replace("math.", "")) for word in words], np.float64)
