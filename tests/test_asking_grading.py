"""Asked parts in a whole grading: what they add to a report, and what a waiting sentence holds up."""

from fractions import Fraction

import pytest
from headwork.answers.asking import key_for
from headwork.assignment import Policy, ad_hoc
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.manual_marks import judgement_of, key_of, with_marks
from headwork.marking.grade import fingerprint_of, grade_submission
from headwork.marking.planner import Planner
from headwork.model import ManualMark, Status, Submission, Verdict
from headwork.reports.feedback import feedback_pages
from headwork.reports.reading import headline
from headwork.reports.record import from_json, to_json
from headwork.rooms import load_content
from headwork.sandbox import open_runner

CONTENT = load_content()
SECRET = seed_from_integer(4)


@pytest.fixture(scope="module")
def runner():
    with open_runner("auto") as opened:
        yield opened


def _assignment(*slugs, **policy):
    return ad_hoc("asked", [CONTENT.exercises[slug] for slug in slugs], policy=Policy(**policy))


def _keys(assignment, sheet):
    return {
        exercise.slug: {
            part.slug: key_for(
                part,
                CONTENT,
                exercise,
                sheet.problems[exercise.slug].instance,
                bytes.fromhex(sheet.problems[exercise.slug].digest),
            )
            for part in exercise.parts
        }
        for exercise in assignment.exercises
    }


def _graded(runner, assignment, answers=None, **changed):
    sheet = draw_sheet(CONTENT, assignment, secret=SECRET, student="ada")
    typed = _keys(assignment, sheet) if answers is None else answers
    for slug, fields in changed.items():
        typed[slug.replace("_", "-")].update(fields)
    submission = Submission(student="ada", cells=(), answers=typed, digest="d")
    return sheet, grade_submission(Planner(CONTENT, assignment, secret=SECRET), sheet, submission, runner)


def test_right_answers_earn_everything_and_a_sentence_waits(runner):
    assignment = _assignment("same-last-word")
    _, report = _graded(runner, assignment)
    assert report.total == report.maximum - 2
    assert report.maximum == assignment.maximum == 6
    assert report.status is Status.GRADED_WITH_NOTICE
    (notice,) = report.notices
    assert notice.startswith("same-last-word: why waits for a person (2 points). Look for: other first keys")
    assert headline(report, {}).tone == "good"
    assert "a person reads the rest" in headline(report, {}).text


def test_a_sentence_that_a_person_has_read_waits_no_longer(runner):
    _, report = _graded(runner, _assignment("same-last-word"))
    marks = {
        key_of(judgement_of(report, "same-last-word/why")): ManualMark(
            points=Fraction(3, 2), reason="says what, not why", by="mt"
        )
    }
    marked = with_marks(report, marks)
    assert marked.total == report.total + Fraction(3, 2)
    assert headline(marked, {}).text == "Right as far as a machine can tell: 5.5 of 6 points."


def test_a_waiting_sentence_holds_up_no_other_mark_by_hand(runner):
    answers = {"cause": "I am not sure"}
    _, report = _graded(runner, _assignment("same-last-word"), same_last_word=answers)
    assert report.status is Status.NEEDS_ATTENTION
    cause = key_of(judgement_of(report, "same-last-word/cause"))
    marked = with_marks(report, {cause: ManualMark(points=Fraction(0), reason="", by="mt")})
    assert marked.status is Status.GRADED_WITH_NOTICE


def test_without_a_sentence_nothing_waits(runner):
    _, report = _graded(runner, _assignment("same-last-word"), same_last_word={"why": ""})
    assert report.status is Status.GRADED
    assert report.judgements[-1].verdict is Verdict.MISSING


def test_a_prediction_is_recorded_and_marked_apart(runner):
    _, report = _graded(runner, _assignment("same-last-word"), same_last_word={"what-changes": "none"})
    predicted = report.judgements[0]
    assert predicted.kind == "predict"
    assert predicted.read_as == {"what-changes": "nothing changes"}
    assert Fraction(0) < predicted.points < predicted.maximum
    assert [judgement.verdict for judgement in report.judgements[1:3]] == [Verdict.RIGHT, Verdict.RIGHT]


def test_the_report_survives_its_record(runner):
    _, report = _graded(runner, _assignment("same-last-word", "score-entries", worked_solution=True))
    assert from_json(to_json(report)) == report


def test_fields_of_one_exercise_are_not_those_of_another(runner):
    assignment = _assignment("score-entries", "visibility")
    sheet = draw_sheet(CONTENT, assignment, secret=SECRET, student="ada")
    answers = _keys(assignment, sheet)
    answers["visibility"] = {}
    _, report = _graded(runner, assignment, answers)
    assert report.total == 7
    assert {judgement.verdict for judgement in report.judgements if judgement.exercise == "visibility"} == {
        Verdict.MISSING
    }


def test_the_same_answers_have_the_same_fingerprint(runner):
    assignment = _assignment("causal-mask", "jacobian")
    sheet = draw_sheet(CONTENT, assignment, secret=SECRET, student="ada")
    submission = Submission(student="ada", cells=(), digest="d")
    first, second = (
        fingerprint_of(Planner(CONTENT, assignment, secret=SECRET), sheet, submission, isolation=runner.tier.name)
        for _ in range(2)
    )
    assert first == second


def test_feedback_names_the_question_and_the_reason(runner):
    sheet, report = _graded(runner, _assignment("score-entries"), score_entries={"entries": "n_heads*T^2"})
    pages = feedback_pages(report, CONTENT, problems=sheet.problems)
    for page in pages.values():
        assert "entries" in page
        assert "Counted one prompt" in page
        assert ">B*n_heads*T^2<" not in page
