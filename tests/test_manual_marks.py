"""A mark given by hand survives regrading, with its reason, and the automatic one stands beside it."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from headwork.manual_marks import judgement_of, read_marks, with_marks, write_mark
from headwork.model import CourseError, Judgement, ManualMark, Report, Status, Verdict

CASE = Path(__file__).parent / "cases" / "D01-override-kept"


def report_of(auto, questions, remarks):
    judgements = tuple(
        Judgement(
            exercise="hw3", part=one["id"], kind="hand", verdict=Verdict.WRONG, points=Fraction(auto[one["id"]]),
            maximum=Fraction(one["max"]), summary=f"{one['id']}: marked", messages=tuple(remarks.get(one["id"], ())),
        )
        for one in questions
    )  # fmt: skip
    total = sum((one.points for one in judgements), Fraction(0))
    return Report(
        assignment="hw3", student="s014", status=Status.GRADED, judgements=judgements, total=total, maximum=Fraction(10)
    )


@pytest.fixture
def regraded(tmp_path):
    before = json.loads((CASE / "before.json").read_text())
    remarks = {
        one["id"]: [remark["text"] for remark in one["remarks"] if remark["by"] == "auto"]
        for one in before["questions"]
    }
    old = report_of({one["id"]: one["auto"] for one in before["questions"]}, before["questions"], remarks)
    for one in before["questions"]:
        if one["manual"] is not None:
            remark = next(remark for remark in one["remarks"] if remark["by"] != "auto")
            mark = ManualMark(points=Fraction(one["manual"]), reason=remark["text"], by=remark["by"])
            write_mark(tmp_path, judgement_of(old, f"hw3/{one['id']}"), mark)
    assert with_marks(old, read_marks(tmp_path)).total == before["total"]
    new = report_of(json.loads((CASE / "regrade.json").read_text())["auto"], before["questions"], {})
    return with_marks(new, read_marks(tmp_path))


def test_a_mark_given_by_hand_survives_regrading(regraded):
    expect = json.loads((CASE / "case.json").read_text())["expect"]
    points = {one.part: one.points for one in regraded.judgements}
    assert points == {name: expect[name] for name in ("q1", "q2", "q3")}
    assert (regraded.total, regraded.maximum) == (expect["total"], expect["max"])


def test_the_reason_and_the_automatic_mark_stand_beside_it(regraded):
    expect = json.loads((CASE / "case.json").read_text())["expect"]
    said = " ".join(text for one in regraded.judgements for text in one.messages)
    assert all(text in said for text in expect["remarks_kept"])
    assert not any(text in said for text in expect["remarks_gone"])
    assert "Marked by hand by ta_moreau" in said
    assert f"The automatic mark was {expect['auto_beside']['q2']} of 3." in said


def test_an_answer_that_waits_for_a_person_is_graded_once_it_is_marked(tmp_path):
    waiting = Judgement(
        exercise="a", part="why", kind="explain", verdict=Verdict.ATTENTION, points=Fraction(0), maximum=Fraction(2), summary=""
    )  # fmt: skip
    report = Report(
        assignment="hw", student="ada", status=Status.NEEDS_ATTENTION, judgements=(waiting,), total=Fraction(0), maximum=Fraction(2)
    )  # fmt: skip
    assert with_marks(report, {}).status is Status.NEEDS_ATTENTION
    write_mark(tmp_path, waiting, ManualMark(points=Fraction(3, 2), reason="", by="moreau"))
    marked = with_marks(report, read_marks(tmp_path))
    assert (marked.status, marked.total) == (Status.GRADED_WITH_NOTICE, Fraction(3, 2))
    write_mark(tmp_path, waiting, None)
    assert with_marks(report, read_marks(tmp_path)) == report


@pytest.mark.parametrize("points", [-1, 3])
def test_points_outside_of_the_part_are_refused(points, regraded, tmp_path):
    part = judgement_of(regraded, "q1")
    with pytest.raises(CourseError, match="wanted 0 to"):
        write_mark(tmp_path, part, ManualMark(points=Fraction(points + (1 if points > 0 else 0)), reason="", by="x"))


def test_an_unknown_part_is_told_with_those_there_are(regraded):
    with pytest.raises(CourseError, match="'q9' is no part; there are hw3/q1/hand, hw3/q2/hand, hw3/q3/hand"):
        judgement_of(regraded, "q9")


def test_a_stage_in_code_and_by_hand_is_told_apart(tmp_path):
    by_hand = Judgement(
        exercise="scale", part="scaled", kind="hand", verdict=Verdict.WRONG, points=Fraction(0), maximum=Fraction(1), summary=""
    )  # fmt: skip
    report = Report(
        assignment="hw", student="ada", status=Status.GRADED, judgements=(by_hand, replace(by_hand, kind="code")),
        total=Fraction(0), maximum=Fraction(2),
    )  # fmt: skip
    with pytest.raises(CourseError, match="not one part; there are scale/scaled/hand, scale/scaled/code"):
        judgement_of(report, "scale/scaled")
    write_mark(tmp_path, judgement_of(report, "scale/scaled/code"), ManualMark(points=Fraction(1), reason="", by="x"))
    assert [one.points for one in with_marks(report, read_marks(tmp_path)).judgements] == [0, 1]
