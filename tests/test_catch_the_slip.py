"""A student's test as an answer: what it catches is what it earns, and rejecting right code earns nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from asked_parts import Asked, asked, asked_as
from headwork.answers.asking import CatchMistakes, mark_asked
from headwork.assignment import Policy, ad_hoc
from headwork.collect import read_submission
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.handout import handout_files
from headwork.handout.answers_toml import filled_answers
from headwork.marking.grade import grade_submission
from headwork.marking.planner import Planner
from headwork.model import ContentError, Judgement, Verdict
from headwork.rooms import load_content
from headwork.sandbox import open_runner

HALF = "def test_scaled(scaled):\n    assert abs(scaled(np.array([[8.0]]), 4)[0][0] - 4.0) < 1e-6"
EXACT = "def test_scaled(scaled):\n    assert (scaled(np.ones((2, 3)), 3) == np.ones((2, 3)) / np.sqrt(3)).all()"
NEVER = "def test_scaled(scaled):\n    assert False"
ALWAYS = "def test_scaled(scaled):\n    pass"
LOOKS = "def test_scaled(scaled):\n    assert 'sqrt' in scaled.__code__.co_names"
BY_CHANCE = "import os\ndef test_scaled(scaled):\n    assert os.urandom(1)[0] < 20"
IMPORTS = (
    "from attention import scaled\ndef test_it():\n    assert abs(scaled(np.array([[8.0]]), 4)[0][0] - 4.0) < 1e-6"
)
LIES = (
    "import json, os\ndef test_scaled(scaled):\n"
    '    os.write(4, b\'{"tests": [["test_scaled", "failed", ""]]}\')\n    os._exit(0)'
)


def part() -> Asked:
    return asked("catch-the-slip", "test")


def marked(test: str) -> Judgement:
    return part().mark(test)


def test_the_share_of_mistakes_caught_is_earned():
    judgement = marked(HALF)
    assert judgement.verdict is Verdict.WRONG
    assert Fraction(1, 4) < judgement.points / judgement.maximum < 1
    caught, known = (int(word) for word in judgement.summary.split() if word.isdigit())
    assert judgement.points == judgement.maximum * Fraction(caught, known)
    assert "It lets through: Halved d_head instead of taking its square root." in judgement.messages


def test_a_test_that_imports_the_function_earns_the_same():
    assert marked(IMPORTS).points == marked(HALF).points


@pytest.mark.parametrize(
    "test", [EXACT, NEVER, LOOKS, BY_CHANCE, LIES], ids=["exact", "never", "looks", "chance", "lies"]
)
def test_rejecting_right_code_earns_nothing(test: str):
    judgement = marked(test)
    assert judgement.points == 0
    assert "rejects" in judgement.summary


def test_np_and_pytest_need_no_import():
    test = "def test_scaled(scaled):\n    assert scaled(np.ones((2, 2)), 4) == pytest.approx(np.full((2, 2), 0.5))"
    assert marked(test).points > 0


def test_accepting_everything_earns_nothing():
    judgement = marked(ALWAYS)
    assert (judgement.points, judgement.verdict) == (0, Verdict.WRONG)
    assert "catches 0 of" in judgement.summary


def test_a_test_that_breaks_off_says_where():
    judgement = marked("def test_scaled(scaled):\n    scaled(1, 2, 3)")
    assert "There it ended so: TypeError in line 2." in judgement.messages


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("def test_scaled(scaled:\n  pass", "line 1 is not Python"),
        ("scaled = 3", "no function in it whose name begins with test"),
        ("def test_scaled(scaled):\n    while True: pass", "ran longer than"),
        ("def test_scaled(scaled):\n    raise ValueError('<b>secret</b>')", "ValueError in line 2"),
    ],
)
def test_what_cannot_be_judged_is_said(typed: str, said: str):
    judgement = marked(typed)
    assert judgement.points == 0
    assert said in " ".join((judgement.summary, *judgement.messages))
    assert "secret" not in " ".join((judgement.summary, *judgement.messages))


def test_without_a_sandbox_nothing_is_run():
    found = part()
    (judgement,) = mark_asked(
        content=load_content(),
        exercise=found.exercise,
        part=found.part,
        instance=found.instance,
        typed={found.part.slug: HALF},
        policy=Policy(),
        stream_seed=found.seed,
    )
    assert judgement.verdict is Verdict.ATTENTION


def test_a_function_that_nobody_asks_for_is_an_error_of_the_content():
    odd = CatchMistakes(slug="odd", points=Fraction(1), question="?", function="scald", example="")
    with pytest.raises(ContentError, match="no exercise asks for a function 'scald'"):
        _ = asked_as(odd).question


@pytest.mark.parametrize("form", ["py", "notebook"])
def test_a_handed_in_test_is_graded(form: str):
    content = load_content()
    assignment = ad_hoc("hw", [content.exercises["catch-the-slip"]])
    sheet = draw_sheet(content, assignment, secret=seed_from_integer(1), student="ada")
    key = part().key
    files = handout_files(content, "hw", "ada", sheet.problems, assignment.exercises, form=form)
    assert "test_scaled(scaled)" in (files.get("answers.toml") or files["hw.ipynb"]).decode()
    answers = {"answers.toml": filled_answers({"catch-the-slip": {"test": key}}).encode()}
    submission = read_submission(answers, "ada", assignment="hw")
    with open_runner() as runner:
        report = grade_submission(Planner(content, assignment, secret=seed_from_integer(1)), sheet, submission, runner)
    assert report.total == report.maximum == 3
