"""The worked traces of the course, with exact values: through the exact stages and through NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from headwork.answers.exact_chain import evaluate_exact
from headwork.rooms import load_content
from headwork.stages import evaluate
from sympy import Rational, exp, sqrt

CONTENT = load_content()
CHAIN = CONTENT.chains["attention"]


def sizes(T: int, d_head: int, *, causal: bool = True) -> dict[str, Any]:
    return {"T": T, "d_head": d_head, "causal": causal}


def both(exact: dict[str, Any], sized: dict[str, Any], target: str) -> tuple[Any, Any]:
    """A stage by the exact operations, and by NumPy on the same numbers as floats."""
    exact = {name: [[sympy.sympify(number) for number in row] for row in rows] for name, rows in exact.items()}
    floats = {name: np.array(rows, dtype=object).astype(float) for name, rows in exact.items()}
    by_proof = evaluate_exact(CONTENT, CHAIN, {**exact, **sized}, targets=[target])[target]
    by_numpy = evaluate(CHAIN, {**floats, **sized}, targets=[target])[target]
    return by_proof, by_numpy


def same(exact: Any, expected: list[Any]) -> bool:
    return all(sympy.simplify(one - other) == 0 for one, other in zip(exact, expected, strict=True))


# 1. Two prompts, one last word. x holds one-hot rows, so each projection hands over its own row.
FIRST = {"A": [1, 0, 0, 0], "B": [0, 0, 1, 0]}
W = {
    "w_q": [[0, 1], [1, 1], [1, 0], [0, 0]],
    "w_k": [[sqrt(2) * Rational(4, 5), 0], [sqrt(2) / 5, sqrt(2) / 5], [0, sqrt(2) / 10], [0, 0]],
    "w_v": [[1, 0], [0, 1], [2, 1], [0, 0]],
}
SCORES = {"A": [sqrt(2) * Rational(4, 5), sqrt(2) * Rational(2, 5)], "B": [sqrt(2) / 10, sqrt(2) * Rational(2, 5)]}
SCALED = {"A": [Rational(4, 5), Rational(2, 5)], "B": [Rational(1, 10), Rational(2, 5)]}
WEIGHTS = {
    "A": [1 / (1 + exp(-Rational(2, 5))), 1 / (1 + exp(Rational(2, 5)))],
    "B": [1 / (1 + exp(Rational(3, 10))), 1 / (1 + exp(-Rational(3, 10)))],
}
ROUNDED = {"A": [0.599, 0.401], "B": [0.426, 0.574]}


def prompt(name: str) -> dict[str, Any]:
    return {"x": [FIRST[name], [0, 1, 0, 0]], **W}


@pytest.mark.parametrize("name", ["A", "B"])
@pytest.mark.parametrize(("stage", "expected"), [("scores", SCORES), ("scaled", SCALED), ("weights", WEIGHTS)])
def test_the_last_row_of_two_prompts_with_one_last_word(name: str, stage: str, expected: dict[str, Any]) -> None:
    exact, floats = both(prompt(name), sizes(2, 2), stage)
    assert same(exact[-1], expected[name])
    np.testing.assert_allclose(floats[-1], [float(number) for number in expected[name]], rtol=1e-14)


@pytest.mark.parametrize("name", ["A", "B"])
def test_the_weights_of_two_prompts_print_as_in_the_course(name: str) -> None:
    _, floats = both(prompt(name), sizes(2, 2), "weights")
    assert np.round(floats[-1], 3).tolist() == ROUNDED[name]


@pytest.mark.parametrize(("stage", "row"), [("q", [1, 1]), ("k", [sqrt(2) / 5, sqrt(2) / 5]), ("v", [0, 1])])
def test_a_one_hot_row_is_handed_over_by_each_projection(stage: str, row: list[Any]) -> None:
    exact, floats = both(prompt("A"), sizes(2, 2), stage)
    assert same(exact[1], row)
    np.testing.assert_allclose(floats[1], [float(number) for number in row], rtol=1e-15)


def test_equal_last_words_have_different_outputs() -> None:
    a, _ = both(prompt("A"), sizes(2, 2), "heads")
    b, _ = both(prompt("B"), sizes(2, 2), "heads")
    assert not same(a[-1], b[-1])


def test_dividing_rounded_scores_is_another_value() -> None:
    assert round(0.283 / 2**0.5, 4) != 0.2


# 2. Uniform baseline.
@pytest.mark.parametrize("query", [[0, 0], [3, -2], [7, 5]])
def test_equal_keys_give_the_average_of_the_visible_prefix(query: list[int]) -> None:
    keys = [[1, 1], [1, 1], [1, 1]]
    given = {"q": [query] * 3, "k": keys, "v": [[3, 0], [0, 6], [9, 9]]}
    exact, floats = both(given, sizes(3, 2), "weights")
    assert same(exact[1], [Rational(1, 2), Rational(1, 2), 0])
    np.testing.assert_allclose(floats[1], [0.5, 0.5, 0.0], rtol=1e-15)


def test_the_uniform_mixture_is_the_prefix_average() -> None:
    given = {"q": [[0, 0]] * 2, "k": [[1, 1]] * 2, "v": [[3, 0], [0, 6]]}
    exact, floats = both(given, sizes(2, 2), "heads")
    assert same(exact[1], [Rational(3, 2), 3])
    np.testing.assert_allclose(floats[1], [1.5, 3.0], rtol=1e-15)


# 3. Truncated trace: two coordinates are shown, and d_head is 4.
TRUNCATED = {"q": [[2, 1]], "k": [[1, 1], [0, 2]]}


@pytest.mark.parametrize(("stage", "expected"), [("scores", [3, 2]), ("scaled", [Rational(3, 2), 1])])
def test_a_truncated_trace_is_scaled_by_the_true_width(stage: str, expected: list[Any]) -> None:
    # The hidden coordinates add nothing: they are zeros here, so that the dot products are those shown.
    exact, floats = both(TRUNCATED, sizes(2, 4, causal=False), stage)
    assert same(exact[0], expected)
    np.testing.assert_allclose(floats[0], [float(number) for number in expected], rtol=1e-15)


def test_the_weights_of_the_truncated_trace() -> None:
    given = {"scaled": [[Rational(3, 2), 1]], "visible": [[1, 1]]}
    exact, floats = both(given, sizes(2, 4, causal=False), "weights")
    assert same(exact[0], [1 / (1 + exp(-Rational(1, 2))), 1 / (1 + exp(Rational(1, 2)))])
    assert np.round(floats[0], 2).tolist() == [0.62, 0.38]


def test_the_shown_width_would_give_other_weights() -> None:
    powers = np.exp(np.array([3, 2]) / np.sqrt(2))
    assert np.round(powers / powers.sum(), 2).tolist() != [0.62, 0.38]


# 5. Visibility.
@pytest.mark.parametrize("T", [4, 8])
def test_a_position_reads_itself_and_everything_before(T: int) -> None:
    exact = evaluate_exact(CONTENT, CHAIN, sizes(T, 2), targets=["visible"])["visible"]
    floats = evaluate(CHAIN, sizes(T, 2), targets=["visible"])["visible"]
    assert [s for s in range(T) if exact[3][s]] == [0, 1, 2, 3]
    assert floats.tolist() == exact


@pytest.mark.parametrize(("predicted", "used"), [(3, [1, 2]), (8, [1, 2, 3, 4, 5, 6, 7])])
def test_predicting_a_token_uses_the_tokens_before_it(predicted: int, used: list[int]) -> None:
    # Counted from 1, token n is predicted at position n - 1, which is row n - 2 counted from 0.
    visible = evaluate(CHAIN, sizes(8, 2), targets=["visible"])["visible"]
    assert [s + 1 for s in np.flatnonzero(visible[predicted - 2])] == used


def test_without_the_mask_a_position_reads_its_own_answer() -> None:
    # Input [you, like], target [like, AI]: position 0 must predict "like" from "you" alone.
    w = np.array([[1.0, 0.5], [0.2, 1.0], [0.3, -1.0], [0.0, 0.4]])
    you, like, other = np.eye(4)[:3]

    def first_output(second: np.ndarray, *, causal: bool) -> np.ndarray:
        inputs = {"x": np.stack([you, second]), "w_q": w, "w_k": w, "w_v": w, "T": 2, "d_head": 2, "causal": causal}
        return evaluate(CHAIN, inputs)["heads"][0]

    np.testing.assert_array_equal(first_output(like, causal=True), first_output(other, causal=True))
    assert not np.allclose(first_output(like, causal=False), first_output(other, causal=False))
