"""The integer stream and the seeds: the same numbers on every machine, for ever."""

import numpy as np
import pytest
from headwork.draw.seeds import seed_for, seed_from_integer
from headwork.draw.stream import Stream
from hypothesis import given
from hypothesis import strategies as st


def test_the_first_numbers_of_a_seed_never_change():
    assert Stream(b"golden").integers(0, 99, 8).tolist() == [11, 33, 91, 90, 97, 74, 89, 27]


@given(st.binary(max_size=40), st.integers(-50, 50), st.integers(0, 1000), st.integers(0, 500))
def test_numbers_stay_within_their_bounds(seed, low, span, count):
    drawn = Stream(seed).integers(low, low + span, count)
    assert drawn.shape == (count,)
    assert ((drawn >= low) & (drawn <= low + span)).all()


def test_a_long_draw_equals_many_short_ones():
    long, short = Stream(b"s"), Stream(b"s")
    together = long.integers(0, 9, 5000).tolist()
    assert together == [n for _ in range(50) for n in short.integers(0, 9, 100).tolist()]


def test_a_child_stream_leaves_its_parent_where_it_is():
    parent, other = Stream(b"s"), Stream(b"s")
    parent.child("x").integers(0, 9, 100)
    assert parent.integers(0, 9, 10).tolist() == other.integers(0, 9, 10).tolist()


def test_numbers_are_spread_evenly():
    counts = np.bincount(Stream(b"even").integers(0, 9, 100_000))
    assert abs(counts - 10_000).max() < 500


def test_an_empty_range_is_an_error():
    with pytest.raises(ValueError, match="no integers from 3 to 2"):
        Stream(b"s").integers(3, 2)


def test_a_shuffle_keeps_everything():
    assert sorted(Stream(b"s").shuffled(range(20))) == list(range(20))


NAMES = {"assignment": "a", "exercise": "b", "version": 1, "student": "c", "purpose": "own"}


@pytest.mark.parametrize("name", ["assignment", "exercise", "student", "purpose"])
def test_every_name_changes_the_seed(name):
    assert seed_for(b"k", **NAMES) != seed_for(b"k", **{**NAMES, name: "other"})


def test_names_that_run_together_give_other_seeds():
    left = seed_for(b"k", **{**NAMES, "assignment": "ab", "exercise": "c"})
    assert left != seed_for(b"k", **{**NAMES, "assignment": "a", "exercise": "bc"})


def test_the_secret_changes_the_seed():
    assert seed_for(b"k", **NAMES) != seed_for(b"l", **NAMES)


def test_the_seed_of_a_number_never_changes():
    assert seed_from_integer(7).hex().startswith("f4d8f6796610d7b3")
