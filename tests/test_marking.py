"""Marking of code: right in any dress, wrong at one stage, right on one's own wrong stage."""

from fractions import Fraction

import numpy as np
import pytest
from headwork.assignment import Policy, ad_hoc
from headwork.checking import mistaken_source
from headwork.demo_class import SLIPS, STYLES
from headwork.draw.certify import stage_for
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.handout.stubs import attention_py
from headwork.marking.compare import GAP, TOL, compare, relative_distance
from headwork.marking.grade import grade_submission
from headwork.marking.planner import Planner
from headwork.model import Limits, Result, Status, Submission, Verdict
from headwork.rooms import load_content
from headwork.sandbox import open_runner
from headwork.solution_file import solution_source

CONTENT = load_content()
SLUGS = (
    "project", "raw-scores", "scale", "causal-mask", "softmax-rows", "mix-values",
    "split-and-merge", "output-projection", "multi-head-attention",
)  # fmt: skip
EXERCISES = [CONTENT.exercises[slug] for slug in SLUGS]
ASSIGNMENT = ad_hoc("hw", EXERCISES, limits=Limits(wall=1.0, total=8.0))
SECRET = seed_from_integer(1)
CODE = ("code", "compose")


@pytest.fixture(scope="module")
def runner():
    with open_runner("auto") as opened:
        yield opened


@pytest.fixture(scope="module")
def sheet():
    return draw_sheet(CONTENT, ASSIGNMENT, secret=SECRET, student="ada")


@pytest.fixture
def graded(runner, sheet):
    def grade(source, assignment=ASSIGNMENT):
        submission = Submission(student="ada", cells=(source,), digest="d")
        report = grade_submission(Planner(CONTENT, assignment, secret=SECRET), sheet, submission, runner)
        return {one.part: one for one in report.judgements if one.kind in CODE}

    return grade


def wrong(judged):
    return {name for name, one in judged.items() if one.verdict is not Verdict.RIGHT}


def with_body(**bodies):
    return solution_source(CONTENT, EXERCISES, instead=bodies)


@pytest.mark.parametrize("exercise", list(CONTENT.exercises.values()), ids=lambda one: one.slug)
def test_the_solution_earns_everything_in_code(exercise, runner):
    assignment = ad_hoc("hw", [exercise])
    drawn = draw_sheet(CONTENT, assignment, secret=SECRET, student="ada")
    source = solution_source(CONTENT, [exercise])
    submission = Submission(student="ada", cells=(source,), digest="d")
    report = grade_submission(Planner(CONTENT, assignment, secret=SECRET), drawn, submission, runner)
    assert [one.part for one in report.judgements if one.kind in CODE and one.points != one.maximum] == []


def test_the_stub_earns_nothing(graded):
    judged = graded(attention_py(EXERCISES, CONTENT))
    assert {name: one.points for name, one in judged.items() if one.points} == {}


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_in_another_style_is_right(style, graded):
    assert wrong(graded(with_body(**STYLES[style]))) == set()


@pytest.mark.parametrize(("operation", "slug"), SLIPS, ids=[slug for _, slug in SLIPS])
def test_one_slip_costs_one_stage(operation, slug, graded):
    chain = CONTENT.chains["multi_head"]
    found = chain.stages[stage_for(chain, operation)].operation
    judged = graded(mistaken_source(CONTENT, EXERCISES, found, CONTENT.mistakes[slug]))
    assert wrong(judged) == {operation, "multi_head_attention"}
    composed = judged["multi_head_attention"]
    assert composed.verdict is Verdict.FOLLOWS
    assert composed.points == composed.maximum
    assert composed.follows == (operation,)
    assert judged[operation].diagnosis is not None
    assert slug in judged[operation].diagnosis.mistakes


def test_follow_through_can_be_switched_off(graded, runner, sheet):
    strict = ad_hoc("hw", EXERCISES, policy=Policy(follow_through="none"))
    judged = graded(with_body(scaled="return scores / d_head"), strict)
    assert judged["multi_head_attention"].points == 0


def test_a_trivial_own_stage_earns_no_follow_through(graded):
    judged = graded(with_body(weights="return np.zeros_like(logits)"))
    assert judged["weights"].points == 0
    assert judged["multi_head_attention"].points == 0


def test_a_composed_function_written_from_scratch_does_not_need_the_others(graded):
    source = with_body(scaled="return scores / d_head", out="raise NotImplementedError")
    alone = """
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    B, T, _ = x.shape
    d = w_q.shape[1] // n_heads
    q, k, v = (np.moveaxis((x @ w).reshape(B, T, n_heads, d), 2, 1) for w in (w_q, w_k, w_v))
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(d)
    if causal:
        s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.moveaxis(e / e.sum(-1, keepdims=True) @ v, 1, 2).reshape(B, T, -1) @ w_o
"""
    judged = graded(source + alone)
    assert wrong(judged) == {"scaled", "out"}


def test_an_overflow_costs_its_share_only(graded):
    judged = graded(with_body(weights="e = np.exp(logits)\nreturn e / e.sum(-1, keepdims=True)"))
    assert judged["weights"].points == judged["weights"].maximum * Fraction(2, 3)
    assert "with scores in the hundreds" not in "".join(judged["weights"].messages)
    assert "on ordinary numbers" in "".join(judged["weights"].messages)


def test_ignoring_causal_costs_its_share_only(graded):
    judged = graded(with_body(visible="return np.tril(np.ones((T, T), dtype=bool))"))
    assert judged["visible"].points == judged["visible"].maximum * Fraction(2, 3)


def test_a_crash_names_the_exception_and_the_line_but_never_its_text(graded):
    judged = graded(with_body(out="raise ValueError('canary ' + str(float(concat.flat[0])))"))
    assert judged["out"].verdict is Verdict.CRASHED
    assert "ValueError in line" in judged["out"].summary
    assert all("canary" not in str(one) for one in judged.values())


def test_a_hang_costs_the_function_that_hangs(graded):
    judged = graded(with_body(concat="while True: pass"))
    assert judged["concat"].verdict is Verdict.OUT_OF_TIME
    assert wrong(judged) == {"concat", "multi_head_attention"}


def test_a_syntax_error_costs_the_function_it_is_in(graded):
    judged = graded(with_body(scaled="return scores /* 2"))
    assert judged["scaled"].verdict is Verdict.MISSING
    assert wrong(judged) == {"scaled", "multi_head_attention"}


def test_a_wrong_shape_is_told_by_axis_names(graded):
    judged = graded(with_body(scores="return np.swapaxes(q @ np.swapaxes(k, -1, -2), 0, -1)[..., None]"))
    text = judged["scores"].summary + " ".join(judged["scores"].messages)
    assert "wrong shape" in text
    assert "(T=3, T=3), got (3, 3, 1)" in text


def test_text_is_not_taken_for_numbers(graded):
    judged = graded(with_body(scaled="return [[str(c) for c in row] for row in scores.tolist()]"))
    assert "numbers expected, got text" in judged["scaled"].summary


@pytest.mark.parametrize("lie", ["1.0", "True", "float('nan')", "np.array(0.5)", "np.zeros((0,))"])
def test_nothing_is_broadcast(lie, graded):
    assert graded(with_body(scaled=f"return {lie}"))["scaled"].points == 0


def test_no_call_is_given_the_answer_of_another(sheet):
    plan = Planner(CONTENT, ASSIGNMENT, secret=SECRET).plan(sheet)
    answers = {
        np.asarray(check.reference).tobytes(): (part.function, check.call)
        for part in plan.parts
        for check in part.checks
        if not check.own and np.asarray(check.reference).size > 40
    }
    for number, call in enumerate(plan.calls):
        for argument in call.arguments:
            # A causal mask is known to everyone, whatever the draw.
            if isinstance(argument, Result) or np.ndim(argument) < 2 or np.asarray(argument).dtype == bool:
                continue
            assert np.asarray(argument).tobytes() not in answers, (number, call.function)


def test_what_students_share_cannot_be_written_into(sheet):
    planner = Planner(CONTENT, ASSIGNMENT, secret=SECRET)
    first, second = planner.plan(sheet), planner.plan(sheet)
    for one, again in zip(first.parts, second.parts, strict=True):
        shared = [check for check in one.checks if not check.own]
        assert shared
        assert [id(check.values) for check in shared] == [id(check.values) for check in again.checks if not check.own]
        arrays = [value for check in one.checks for value in check.values.values() if isinstance(value, np.ndarray)]
        assert not any(array.flags.writeable for array in arrays)


def test_the_report_is_the_same_every_time(runner, sheet):
    submission = Submission(student="ada", cells=(with_body(scaled="return scores / d_head"),), digest="d")
    first, second = (
        grade_submission(Planner(CONTENT, ASSIGNMENT, secret=SECRET), sheet, submission, runner) for _ in range(2)
    )
    assert first == second


def test_an_unreadable_submission_is_never_a_zero(runner, sheet):
    submission = Submission(student="ada", cells=(), unreadable="language R", digest="d")
    report = grade_submission(Planner(CONTENT, ASSIGNMENT, secret=SECRET), sheet, submission, runner)
    assert report.status is Status.NOT_GRADABLE
    assert report.judgements == ()
    assert report.reason == "language R"


# --- comparing --------------------------------------------------------------------------------

REFERENCE = np.array([[1.0, -np.inf], [0.5, 2.0]])


@pytest.mark.parametrize("fill", [-np.inf, -1e9, np.finfo(np.float64).min, np.finfo(np.float32).min])
def test_a_score_that_vanishes_counts_as_hidden(fill):
    student = np.where(np.isinf(REFERENCE), fill, REFERENCE)
    assert compare(reference=REFERENCE, student=student).is_right


@pytest.mark.parametrize("fill", [0.0, -1.0, -10.0, np.inf, np.nan])
def test_a_score_that_leaks_does_not_count_as_hidden(fill):
    student = np.where(np.isinf(REFERENCE), fill, REFERENCE)
    assert compare(reference=REFERENCE, student=student).kind == "finite"


def test_the_first_wrong_and_the_worst_cell_are_told():
    student = np.array([[1.0, -np.inf], [0.6, 9.0]])
    found = compare(reference=REFERENCE, student=student)
    assert (found.first, found.worst) == ((1, 0), (1, 1))


@pytest.mark.parametrize(
    ("reference", "student"),
    [
        (np.ones((2, 1)), np.ones(2)), (np.ones(()), np.ones((1,))), (np.ones((2, 2)), np.ones((1, 2))),
        (np.ones(2), np.array(["1", "1"])), (np.ones(2), np.array([1, 1], complex)),
    ],
)  # fmt: skip
def test_what_does_not_line_up_is_infinitely_far(reference, student):
    assert relative_distance(reference, student) == np.inf


def test_the_tolerance_is_ten_times_under_the_gap():
    assert TOL * 10 <= GAP


def test_float32_is_close_enough_and_float16_is_not():
    reference = np.linspace(0.1, 3, 50).reshape(5, 10)
    assert compare(reference=reference, student=reference.astype(np.float32)).is_right
    assert not compare(reference=reference, student=reference.astype(np.float16)).is_right


# --- behaviour --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bodies", "operation", "said"),
    [
        (
            {"scaled": "global _calls\n_calls = globals().get('_calls', 0) + 1\nreturn scores / np.sqrt(d_head) + 0.1 * _calls"},
            "scaled",
            ("different numbers", "Remembered"),
        ),
        (
            {"heads": "return weights @ v + 0.01 * np.random.default_rng().random((*weights.shape[:-1], v.shape[-1]))"},
            "heads",
            ("different numbers",),
        ),
    ],
    ids=["state", "chance"],
)  # fmt: skip
def test_behaviour_that_no_single_value_shows_is_named(bodies, operation, said, graded):
    diagnosis = graded(with_body(**bodies))[operation].diagnosis
    assert diagnosis is not None
    assert any(text in diagnosis.title for text in said), diagnosis.title


def test_a_slip_by_hand_runs_no_further_code(runner, sheet, monkeypatch):
    jobs = []
    run = type(runner).run
    monkeypatch.setattr(type(runner), "run", lambda self, *job: jobs.append(job) or run(self, *job))
    answers = {"scale": {"scaled": "9 9 9; 9 8 9; 9 9 7"}}
    submission = Submission(student="ada", cells=(with_body(),), answers=answers, digest="d")
    report = grade_submission(Planner(CONTENT, ASSIGNMENT, secret=SECRET), sheet, submission, runner)
    verdicts = {one.kind: one.verdict for one in report.judgements if (one.exercise, one.part) == ("scale", "scaled")}
    assert verdicts == {"code": Verdict.RIGHT, "hand": Verdict.WRONG}
    assert len(jobs) == 1


def test_a_function_that_is_right_only_once_is_not_right(graded):
    body = "global _used\nonce = '_used' not in globals()\n_used = True\nreturn scores / np.sqrt(d_head) * (1 if once else 2)"
    assert graded(with_body(scaled=body))["scaled"].points == 0


def test_right_values_of_hand_work_are_not_shown_before_they_are_released(graded):
    wrong_scale = with_body(scaled="return scores / d_head")
    before = graded(wrong_scale)["scaled"].cell
    assert before is not None
    assert before.student
    assert not before.reference
    after = graded(wrong_scale, ad_hoc("hw", EXERCISES, policy=Policy(worked_solution=True)))["scaled"].cell
    assert after is not None
    assert after.reference


def hand_report(runner, sheet, **typed):
    answers = {"scale": {"scaled": typed["scaled"]}}
    submission = Submission(student="ada", cells=("import numpy",), answers=answers, digest="d")
    return grade_submission(Planner(CONTENT, ASSIGNMENT, secret=SECRET), sheet, submission, runner)


def test_an_answer_that_cannot_be_read_costs_nothing_until_a_person_has_looked(runner, sheet):
    report = hand_report(runner, sheet, scaled="1/2sqrt(2) 0 0; 0 1 0; 0 0 1")
    assert report.status is Status.NEEDS_ATTENTION
    assert report.reason == "the answer to scale/scaled could not be read in one way"


def test_an_answer_that_is_wrong_is_marked(runner, sheet):
    assert hand_report(runner, sheet, scaled="1 0 0; 0 1 0; 0 0 1").status is Status.GRADED
