"""Right answers earn everything, however they are written: run in the sandbox and marked, end to end."""

from __future__ import annotations

import pytest
from equivalents import equivalents
from headwork.assignment import ad_hoc
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.marking.grade import grade_submission
from headwork.marking.planner import Planner
from headwork.model import CodePart, ComposePart, Limits, Submission
from headwork.rooms import load_content
from headwork.sandbox import open_runner

CONTENT = load_content()
SOURCES = equivalents()
EXERCISES = [
    exercise
    for exercise in CONTENT.exercises.values()
    if any(isinstance(part, CodePart | ComposePart) for part in exercise.parts)
    and all(
        f"def {part.function}(" in SOURCES["plain"]
        for part in exercise.parts
        if isinstance(part, CodePart | ComposePart)
    )
]
ASSIGNMENT = ad_hoc("hw", EXERCISES, limits=Limits(wall=5.0, total=60.0))
SECRET = seed_from_integer(5)


@pytest.fixture(scope="module")
def sheet():
    return draw_sheet(CONTENT, ASSIGNMENT, secret=SECRET, student="ada")


@pytest.fixture(scope="module")
def runner():
    with open_runner("auto") as opened:
        yield opened


def test_most_exercises_are_covered():
    assert len(EXERCISES) >= 15


@pytest.mark.parametrize("slug", SOURCES)
def test_an_equivalent_earns_everything(slug: str, runner, sheet):
    submission = Submission(student="ada", cells=(SOURCES[slug],), digest=slug)
    report = grade_submission(Planner(CONTENT, ASSIGNMENT, secret=SECRET), sheet, submission, runner)
    code = [one for one in report.judgements if one.kind in ("code", "compose")]
    assert [(one.part, one.verdict, one.summary) for one in code if one.points != one.maximum] == []
