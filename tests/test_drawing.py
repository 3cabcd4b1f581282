"""Drawing: every problem is certified, readable where it is worked by hand, and the same for ever."""

import dataclasses
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from headwork.assignment import ad_hoc
from headwork.draw.certify import blind_spots
from headwork.draw.draw import draw_own
from headwork.draw.seeds import seed_from_integer
from headwork.draw.sizes import code_sizes, parameters_from
from headwork.draw.stream import Stream
from headwork.draw.student import (
    HIDDEN_SETS,
    HiddenDraws,
    draw_hidden_for,
    draw_own_for,
    draw_sheet,
    hidden_draws,
    hidden_set,
)
from headwork.draw.words import POOLS, word_pair
from headwork.model import CodePart, ComposePart, CourseError, Parameters, TracePart
from headwork.rooms import load_content

CONTENT = load_content()
EXERCISES = list(CONTENT.exercises.values())
BY_HAND = [
    exercise
    for exercise in EXERCISES
    if exercise.hand_chain == "attention" and any(isinstance(part, TracePart) for part in exercise.parts)
]
IN_CODE = [
    exercise for exercise in EXERCISES if any(isinstance(part, CodePart | ComposePart) for part in exercise.parts)
]
GOLDEN = Path(__file__).parent / "golden" / "digests.json"


def sheet(exercise, seed, parameters=None):
    return draw_sheet(CONTENT, ad_hoc("test", [exercise], parameters), secret=seed_from_integer(seed), student="ada")


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.slug)
def test_no_certificate_is_violated(exercise):
    for seed in range(12):
        for certificate in sheet(exercise, seed).certificates:
            assert blind_spots(CONTENT, certificate) == []


@pytest.mark.parametrize("exercise", IN_CODE, ids=lambda one: one.slug)
def test_code_problems_are_measured_against_mistakes(exercise):
    certificates = sheet(exercise, 3).certificates
    assert max(len(certificate.distances) for certificate in certificates) >= 3


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.slug)
def test_problems_never_change(exercise, request):
    found = sheet(exercise, 1).problems[exercise.slug].digest
    pinned = json.loads(GOLDEN.read_text(encoding="utf-8"))
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(json.dumps({**pinned, exercise.slug: found}, indent=1) + "\n", encoding="utf-8")
        return
    assert found == pinned.get(exercise.slug), "drawn anew? raise the exercise's version, then --update-golden"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.slug)
def test_students_get_different_problems(exercise):
    assignment = ad_hoc("test", [exercise])
    drawn = {
        draw_sheet(CONTENT, assignment, secret=b"k" * 32, student=student).problems[exercise.slug].digest
        for student in ("ada", "ben", "eva")
    }
    assert len(drawn) == 3


def test_another_exercise_beside_it_changes_no_hidden_draw():
    scale, mask = CONTENT.exercises["scale"], CONTENT.exercises["causal-mask"]
    alone, both = ad_hoc("hw", [scale]), ad_hoc("hw", [mask, scale])
    hidden = hidden_draws(alone)[0]
    first, second = (
        draw_hidden_for(CONTENT, assignment, hidden, secret=b"k" * 32, number=3, attempt=None)
        for assignment in (alone, both)
    )
    assert all(np.array_equal(first.values[name], second.values[name]) for name in first.instance.values)


def test_an_accepted_draw_can_be_repeated_without_certifying():
    assignment = ad_hoc("hw", BY_HAND[:3])
    group = assignment.own_groups[0]
    first = draw_own_for(CONTENT, assignment, group, secret=b"k" * 32, student="ada")
    again = draw_own_for(CONTENT, assignment, group, secret=b"k" * 32, student="ada", attempt=first.instance.attempt)
    assert again.instance == dataclasses.replace(first.instance, values=again.instance.values)
    assert again.certificate is None


def test_a_class_shares_some_sets_of_hidden_draws_all_of_them_different():
    assignment = ad_hoc("hw", [CONTENT.exercises["scale"]])
    hidden = hidden_draws(assignment)[0]
    drawn = [
        draw_hidden_for(CONTENT, assignment, hidden, secret=b"k" * 32, number=number, attempt=None)
        for number in range(HIDDEN_SETS)
    ]
    assert len({one.values["x"].tobytes() for one in drawn}) == HIDDEN_SETS
    given = Counter(hidden_set(assignment, secret=b"k" * 32, student=f"s{number}") for number in range(400))
    assert set(given) == set(range(HIDDEN_SETS))
    assert max(given.values()) < 90
    other = [hidden_set(assignment, secret=b"q" * 32, student=f"s{number}") for number in range(40)]
    assert other != [hidden_set(assignment, secret=b"k" * 32, student=f"s{number}") for number in range(40)]


def test_hidden_draws_are_repeated_as_they_were_accepted_and_made_once():
    assignment = ad_hoc("hw", [CONTENT.exercises["scale"]])
    shared = HiddenDraws(CONTENT, assignment, secret=b"k" * 32)
    sheet = draw_sheet(CONTENT, assignment, secret=b"k" * 32, student="ada", shared=shared)
    alone = draw_sheet(CONTENT, assignment, secret=b"k" * 32, student="ada")
    assert sheet.attempts == alone.attempts
    number = shared.set_of("ada")
    for hidden in hidden_draws(assignment):
        first, again = shared.certified(hidden, number), shared.again(hidden, number, sheet.attempts)
        assert all(np.array_equal(first.values[name], again.values[name]) for name in first.instance.values)
        assert shared.again(hidden, number, sheet.attempts) is again
        # A sheet from before there were sets names no accepted draw: one with a certificate is taken.
        assert shared.again(hidden, number, {}) is first


def test_a_fixed_seed_gives_everyone_the_same_numbers_and_no_one_the_hidden_ones():
    assignment = ad_hoc("hw", [CONTENT.exercises["scale"]], Parameters(seed=7))
    ada, ben = (draw_sheet(CONTENT, assignment, secret=b"k" * 32, student=student) for student in ("ada", "ben"))
    assert ada.problems["scale"].digest == ben.problems["scale"].digest
    hidden = hidden_draws(assignment)[0]
    first, second = (
        draw_hidden_for(CONTENT, assignment, hidden, secret=secret, number=0, attempt=None)
        for secret in (b"k" * 32, b"q" * 32)
    )
    assert not np.array_equal(first.values["x"], second.values["x"])


@pytest.mark.parametrize("seed", range(200))
def test_no_two_sizes_of_a_code_draw_are_equal(seed):
    sizes = code_sizes(Stream(seed_from_integer(seed)), Parameters())
    one = [sizes[name] for name in ("T", "d_model", "d_head", "n_heads")]
    assert len(set(one)) == 4
    assert sizes["T"] >= 3
    assert sizes["n_heads"] >= 2
    assert sizes["T_q"] != sizes["T_k"]


@pytest.mark.parametrize("numbers", ["tenths", "ln2", "ln3"])
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_scaled_scores_of_hand_problems_are_readable(numbers, difficulty):
    for seed in range(5):
        drawn = draw_own(
            CONTENT, BY_HAND, seed=seed_from_integer(seed),
            parameters=Parameters(numbers=numbers, difficulty=difficulty),
        )  # fmt: skip
        unit = {"tenths": 0.2, "ln2": np.log(2), "ln3": np.log(3)}[numbers]
        steps = drawn.values["scaled"] / unit
        np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)


def test_the_two_prompts_share_the_last_word_and_its_features():
    drawn = draw_own(CONTENT, BY_HAND, seed=seed_from_integer(1), parameters=Parameters())
    (first, second), values = drawn.instance.words, drawn.instance.values
    assert first[-1] == second[-1]
    assert first[0] != second[0]
    np.testing.assert_array_equal(values["x"][-1], values["x_b"][-1])
    assert not np.array_equal(values["x"][0], values["x_b"][0])


@pytest.mark.parametrize("pool", POOLS)
def test_a_word_pair_comes_from_its_pool(pool):
    first, second = word_pair(Stream(b"s"), 3, pool)
    assert {first[0], second[0]} <= set(POOLS[pool][0])
    assert len(first) == len(second) == 3


def test_sizes_that_hide_a_mistake_are_refused_with_the_reason():
    exercise = CONTENT.exercises["scale"]
    with pytest.raises(CourseError, match=r"100 draws and none.*What failed most: scaled/.*all different"):
        sheet(exercise, 1, Parameters(d_head=4, T=4, difficulty="standard"))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"T": 1}, "T = 1; wanted a whole number from 2 to 64"),
        ({"d_heads": 3}, "unknown parameter 'd_heads'; did you mean 'd_head'?"),
        ({"difficulty": "brutal"}, "wanted one of easy, standard, hard"),
        ({"causal": "yes"}, "causal = 'yes'; wanted true or false"),
        ({"numbers": "ln5"}, "wanted one of tenths, ln2, ln3"),
        ({"seed": "seven"}, "wanted a whole number, or leave it out"),
    ],
)
def test_a_wrong_parameter_is_named(table, said):
    with pytest.raises(CourseError) as caught:
        parameters_from(table, where="assignment.toml: [parameters]")
    assert str(caught.value).startswith("assignment.toml: [parameters]: ")
    assert said in str(caught.value)
