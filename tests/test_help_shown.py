"""Help in steps: the assignment says how many are shown, and whether they cost in a later attempt."""

from dataclasses import replace
from fractions import Fraction

import pytest
from headwork.help_shown import help_shown, remember_help, with_help_paid
from headwork.model import Diagnosis, Judgement, Report, Status, Verdict

SLIP = Diagnosis(kind="mistake", title="Left the scores unscaled", mistakes=("scaled/not-scaled",))
WRONG = Judgement(
    exercise="scale", part="scaled", kind="code", verdict=Verdict.WRONG,
    points=Fraction(0), maximum=Fraction(2), summary="", diagnosis=SLIP,
)  # fmt: skip
RIGHT = replace(WRONG, verdict=Verdict.RIGHT, points=Fraction(2), diagnosis=None)


def report(judgement, digest):
    return Report(
        assignment="hw", student="ada", status=Status.GRADED, judgements=(judgement,), total=judgement.points,
        maximum=Fraction(2), submission_digest=digest,
    )  # fmt: skip


@pytest.fixture
def helped(tmp_path):
    remember_help(tmp_path, report(WRONG, "first"), steps=2)
    return tmp_path


def test_a_later_attempt_pays_for_each_step(helped):
    paid = with_help_paid(report(RIGHT, "second"), help_shown(helped), cost=Fraction(1, 10))
    assert paid.total == paid.judgements[0].points == 2 - 2 * Fraction(1, 10) * 2
    assert "2 steps" in paid.judgements[0].messages[-1]


def test_the_submission_that_was_helped_pays_nothing(helped):
    same = report(replace(WRONG, points=Fraction(1)), "first")
    assert with_help_paid(same, help_shown(helped), cost=Fraction(1, 10)) == same


def test_help_is_free_unless_the_assignment_says_otherwise(helped):
    assert with_help_paid(report(RIGHT, "second"), help_shown(helped), cost=Fraction(0)).total == 2


def test_points_never_fall_below_nothing(helped):
    assert with_help_paid(report(RIGHT, "second"), help_shown(helped), cost=Fraction(1)).total == 0


def test_publishing_twice_costs_no_more(helped):
    remember_help(helped, report(WRONG, "second"), steps=2)
    assert help_shown(helped) == {"scale/scaled/code": (2, "first")}
