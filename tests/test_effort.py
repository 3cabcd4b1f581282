"""Every variant of an exercise is the same work by hand, give or take a tenth."""

import numpy as np
import pytest
from headwork.assignment import ad_hoc
from headwork.draw.effort import Spread, effort_of, effort_spread
from headwork.draw.readable import Effort, readable_inputs
from headwork.draw.seeds import seed_from_integer
from headwork.draw.sizes import HAND_SIZES, NUMBERS
from headwork.draw.stream import Stream
from headwork.draw.student import draw_own_for
from headwork.model import ContentError, Instance, Parameters
from headwork.rooms import load_content

CONTENT = load_content()
BY_HAND = [exercise for exercise in CONTENT.exercises.values() if exercise.hand_chain and exercise.shows_numbers]
SEEDS = range(30)


@pytest.mark.parametrize("exercise", BY_HAND, ids=lambda one: one.slug)
def test_all_variants_of_an_exercise_are_equally_hard(exercise):
    spread = effort_spread(CONTENT, exercise, SEEDS)
    assert spread.is_even, spread.text
    assert spread.variants == len(SEEDS)


@pytest.mark.parametrize("difficulty", HAND_SIZES)
@pytest.mark.parametrize("numbers", NUMBERS)
def test_they_are_equally_hard_at_every_difficulty_and_in_all_numbers(numbers, difficulty):
    parameters = Parameters(numbers=numbers, difficulty=difficulty)
    spread = effort_spread(CONTENT, CONTENT.exercises["mix-values"], SEEDS, parameters=parameters)
    assert spread.is_even, spread.text


@pytest.mark.parametrize("numbers", NUMBERS)
def test_harder_is_more_work(numbers):
    work = [
        effort_spread(
            CONTENT,
            CONTENT.exercises["mix-values"],
            range(4),
            parameters=Parameters(numbers=numbers, difficulty=difficulty),
        ).least.multiplications
        for difficulty in ("standard", "hard")
    ]
    assert work[0] < work[1]


@pytest.mark.parametrize("numbers", NUMBERS)
def test_what_is_measured_on_an_instance_is_what_the_draw_was_held_to(numbers):
    drawn = None
    attempt = 0
    while drawn is None:
        drawn = readable_inputs(Stream(seed_from_integer(attempt)), numbers, Parameters())
        attempt += 1
    values, exact, _, effort = drawn
    measured = effort_of(Instance(chain="attention", values=values, exact=exact))
    assert measured.multiplications == effort.multiplications
    assert measured.largest == max(effort.largest, 6)
    assert measured.denominator == effort.denominator


def test_a_denominator_is_that_of_a_weight_by_hand():
    # Scores 0, ln 2 and 2 ln 2 give weights over 1 + 2 + 4.
    x = np.eye(3)
    exact = {
        "x": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
        "w_q": [["1"], ["1"], ["1"]],
        "w_k": [["0"], ["ln(2)"], ["2*ln(2)"]],
        "w_v": [["1"], ["2"], ["3"]],
    }
    values = {
        "x": x,
        "w_q": np.ones((3, 1)),
        "w_k": np.log(2) * np.arange(3.0)[:, None],
        "w_v": np.arange(1.0, 4.0)[:, None],
        "d_head": 1,
        "causal": True,
    }
    assert effort_of(Instance(chain="attention", values=values, exact=exact)) == Effort(
        multiplications=3 + 2 + 3 + 6 + 6, largest=3, denominator=7
    )


def test_uneven_variants_are_told():
    least, most = (Effort(multiplications=work, largest=6, denominator=0) for work in (30, 44))
    spread = Spread(exercise="x", variants=2, least=least, most=most)
    assert not spread.is_even
    assert spread.text == "30 to 44 multiplications, numbers up to 6"


def test_dense_numbers_have_no_effort_by_hand():
    exercise = CONTENT.exercises["multi-head-attention"]
    instance = draw_own_for(
        CONTENT, ad_hoc("e", [exercise]), (exercise,), secret=seed_from_integer(1), student="a"
    ).instance
    with pytest.raises(ContentError, match="not for hand work"):
        effort_of(instance)
    with pytest.raises(ContentError, match="no hand work"):
        effort_spread(CONTENT, exercise, range(2))


@pytest.mark.parametrize("sizes", [{"T": 4}, {"d_head": 4}, {"T": 5, "d_model": 6, "d_head": 3}, {"causal": False}])
def test_other_sizes_can_be_drawn_too(sizes):
    spread = effort_spread(CONTENT, CONTENT.exercises["raw-scores"], range(6), parameters=Parameters(**sizes))
    assert spread.variants == 6
