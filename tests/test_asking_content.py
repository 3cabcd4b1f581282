"""What holds for every asked part of every exercise, whatever its way of asking."""

from fractions import Fraction

import pytest
from asked_parts import SEEDS, asked, slugs
from headwork.answers.asking import options_seed
from headwork.answers.asking.letters import LETTERS
from headwork.assignment import ad_hoc
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.handout import handout_files
from headwork.handout.problem_json import problem_json, read_problem_json
from headwork.model import Verdict
from headwork.rooms import load_content

ALL = slugs()
JUNK = (
    "?", "z", "17", "-", "[[1, 2], [3]]", "import os", "__class__", "1/0", "(" * 300, "e^e^e^e^9", "q =", "0 0\n0",
    "nan", "inf", "a b c d e f g h i j", "9" * 400, "\x00", "½", "line 1", "\\frac{1}{2}", "None", "''' x = 1 '''",
)  # fmt: skip


def _points_without_key(found):
    return [found.mark(junk).points for junk in JUNK if junk != found.key]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("exercise", "part"), ALL)
def test_the_key_earns_everything(exercise, part, seed):
    found = asked(exercise, part, seed)
    judgement = found.mark(found.key)
    waits = judgement.kind == "explain"
    assert judgement.verdict is (Verdict.ATTENTION if waits else Verdict.RIGHT), judgement
    assert judgement.points == (0 if waits else judgement.maximum)


@pytest.mark.parametrize(("exercise", "part"), ALL)
def test_an_empty_field_is_missing(exercise, part):
    assert asked(exercise, part).mark(" \n ").verdict is Verdict.MISSING


@pytest.mark.parametrize(("exercise", "part"), ALL)
def test_junk_is_judged_and_earns_no_more_than_it_should(exercise, part):
    found = asked(exercise, part)
    for junk in JUNK:
        judgement = found.mark(junk)
        assert 0 <= judgement.points <= judgement.maximum


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("exercise", "part"), slugs("choose", "repair"))
def test_options_differ_and_only_one_is_right(exercise, part, seed):
    found = asked(exercise, part, seed)
    options = found.question.options
    earned = [found.mark(letter).points for letter, _ in zip(LETTERS, options, strict=False)]
    assert len(options) >= 3
    assert len(set(options)) == len(options)
    assert sorted(earned) == [Fraction(0)] * (len(options) - 1) + [found.part.points]


@pytest.mark.parametrize(("exercise", "part"), slugs("choose", "repair"))
def test_a_wrong_option_brings_its_reason(exercise, part):
    found = asked(exercise, part)
    for letter, _ in zip(LETTERS, found.question.options, strict=False):
        judgement = found.mark(letter)
        assert judgement.points or judgement.messages or judgement.diagnosis.why


@pytest.mark.parametrize(("exercise", "part"), ALL)
def test_a_right_answer_is_shown_only_once_it_is_released(exercise, part):
    found = asked(exercise, part)
    assert "reference" not in found.mark("a").shown
    released = found.mark("a", worked_solution=True)
    assert (
        "reference" in released.shown
        or released.verdict in (Verdict.UNREADABLE, Verdict.ATTENTION)
        or not released.points
    )


@pytest.mark.parametrize(("exercise", "part"), ALL)
def test_asking_twice_asks_the_same(exercise, part):
    assert asked(exercise, part).question == asked(exercise, part).question


def test_students_see_options_in_different_orders():
    orders = {asked("same-last-word", "what-changes", seed).question.options for seed in range(1, 7)}
    assert len(orders) > 1


def test_grading_draws_the_options_that_were_handed_out():
    content = load_content()
    assignment = ad_hoc("asked", [content.exercises["find-the-slip"], content.exercises["mix-values"]])
    sheet = draw_sheet(content, assignment, secret=seed_from_integer(5), student="ada")
    back = read_problem_json(problem_json("asked", "ada", sheet.problems)).problems
    for slug, problem in back.items():
        exercise = content.exercises[slug]
        seed = options_seed(exercise, sheet.problems[slug].instance)
        assert options_seed(exercise, problem.instance) == seed == bytes.fromhex(problem.digest)


def test_every_form_of_the_handout_shows_options_and_listings():
    content = load_content()
    assignment = ad_hoc("asked", [content.exercises["find-the-slip"], content.exercises["mix-values"]])
    sheet = draw_sheet(content, assignment, secret=seed_from_integer(5), student="ada")
    files = {
        form: handout_files(content, "asked", "ada", sheet.problems, assignment.exercises, form=form)
        for form in ("py", "notebook")
    }
    for text in (
        files["py"]["answers.toml"],
        files["py"]["prompt.md"],
        files["py"]["prompt.html"],
        files["notebook"]["asked.ipynb"],
    ):
        shown = text.decode()
        assert "the query of the last position" in shown
        assert "scaled = " in shown
        assert "np.swapaxes(k_heads" in shown


def test_questions_hold_no_unfilled_name():
    for exercise, part in ALL:
        question = asked(exercise, part).question
        assert "{{" not in question.text + "".join(question.options)


def test_exercises_repr_the_same_in_every_process():
    # The fingerprint of a report holds it; a function's address would change it with every run.
    for exercise in load_content().exercises.values():
        assert " at 0x" not in repr(exercise.parts)
