"""The gradients of a head: against differences, against SymPy's derivatives, and by their laws."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import sympy
from diagnosed import drawn
from headwork.rooms import load_content
from headwork.stages import evaluate

CONTENT = load_content()
CHAIN = CONTENT.chains["gradients"]
ATTENTION = CONTENT.chains["attention"]
PACKAGE = CHAIN.stages["d_v"].operation.function.__module__.rpartition(".")[0]
EXACT = importlib.import_module(f"{PACKAGE}.exact_gradients")
FORWARD = importlib.import_module(f"{PACKAGE}.exact")
GRADIENT_OF = {"x": "d_x", "w_q": "d_w_q", "w_k": "d_w_k", "w_v": "d_w_v"}


def loss(values: dict[str, Any], changed: dict[str, Any]) -> float:
    """The sum of upstream times the head's output."""
    inputs = {name: value for name, value in values.items() if name not in CHAIN.stages} | changed
    return float((evaluate(ATTENTION, inputs, targets=["heads"])["heads"] * values["upstream"]).sum())


def by_differences(values: dict[str, Any], name: str) -> Any:
    found = np.zeros_like(values[name])
    for place in np.ndindex(*found.shape):
        step = np.zeros_like(found)
        step[place] = 1e-5
        found[place] = (loss(values, {name: values[name] + step}) - loss(values, {name: values[name] - step})) / 2e-5
    return found


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("name", GRADIENT_OF)
def test_gradients_agree_with_differences(name: str, causal: bool):
    values = drawn(CHAIN, 5, causal=causal)
    np.testing.assert_allclose(values[GRADIENT_OF[name]], by_differences(values, name), atol=1e-7)


def tiny() -> dict[str, Any]:
    return {
        "x": [[1, 2], [-1, 1], [3, 1]],
        "w_q": [[1, 0], [2, 1]],
        "w_k": [[1, 1], [0, -1]],
        "w_v": [[2, 1], [1, 3]],
        "upstream": [[1, -2], [3, 1], [2, 5]],
        "d_head": 2,
        "T": 3,
        "causal": True,
    }


def exact_head(given: dict[str, Any]) -> Any:
    """The loss of the tiny problem as a SymPy expression."""
    q, k, v = (FORWARD.project(given["x"], given[name]) for name in ("w_q", "w_k", "w_v"))
    total = sympy.Integer(0)
    for t in range(given["T"]):
        seen = range(t + 1)
        powers = [sympy.exp(sum(a * b for a, b in zip(q[t], k[s], strict=True)) / sympy.sqrt(2)) for s in seen]
        for j in range(2):
            mixed = sum(power * v[s][j] for power, s in zip(powers, seen, strict=True)) / sum(powers)
            total += given["upstream"][t][j] * mixed
    return total


@pytest.mark.parametrize("name", GRADIENT_OF)
def test_gradients_agree_with_derivatives(name: str):
    given = tiny()
    numbers = {key: np.array(value, float) if isinstance(value, list) else value for key, value in given.items()}
    gradient = evaluate(
        CHAIN, {key: value[None] if key in ("x", "upstream") else value for key, value in numbers.items()}
    )
    found = np.zeros(np.shape(given[name]))
    for place in np.ndindex(*found.shape):
        symbol = sympy.Symbol("u")
        with_symbol = [list(row) for row in given[name]]
        at = with_symbol[place[0]][place[1]]
        with_symbol[place[0]][place[1]] = symbol
        derivative = sympy.diff(exact_head({**given, name: with_symbol}), symbol)
        found[place] = float(derivative.subs(symbol, at).evalf(30))
    np.testing.assert_allclose(gradient[GRADIENT_OF[name]].reshape(found.shape), found, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("stage", [name for name in CHAIN.stages if name.startswith("d_")])
def test_the_second_opinion_agrees(stage: str):
    values = drawn(CHAIN, 6)
    operation = getattr(EXACT, CHAIN.stages[stage].operation.name)
    arguments = [np.asarray(values[need]).tolist() for need in CHAIN.stages[stage].needs]
    if stage == "d_scores":
        arguments[1] = values["d_head"]
    exact = np.array(operation(*arguments)).astype(float)
    np.testing.assert_allclose(values[stage], exact, rtol=1e-12, atol=1e-12)


def test_rows_of_the_logits_gradient_sum_to_zero():
    values = drawn(CHAIN, 7)
    np.testing.assert_allclose(values["d_logits"].sum(axis=-1), 0.0, atol=1e-12)


def test_hidden_scores_have_no_gradient():
    values = drawn(CHAIN, 7, causal=True)
    assert not values["d_scores"][..., ~values["visible"]].any()


def test_the_value_path_does_not_pass_through_the_scores():
    values = drawn(CHAIN, 8)
    other = evaluate(CHAIN, {**{name: values[name] for name in CHAIN.sources}, "w_q": values["w_q"] * 0.0})
    through_scores = evaluate(CHAIN, {**{name: values[name] for name in CHAIN.sources}, "w_v": values["w_v"] * 0.0})
    assert not np.any(through_scores["d_x_through_q"])
    assert np.any(other["d_x_through_v"])


def test_a_batch_equals_its_prompts():
    values = drawn(CHAIN, 9)
    each = []
    for b in range(values["B"]):
        alone = {name: values[name] for name in CHAIN.sources}
        alone.update(x=values["x"][b : b + 1], upstream=values["upstream"][b : b + 1])
        each.append(evaluate(CHAIN, alone))
    np.testing.assert_allclose(values["d_x"], np.concatenate([one["d_x"] for one in each]), atol=1e-12)
    np.testing.assert_allclose(values["d_w_k"], sum(one["d_w_k"] for one in each), atol=1e-12)
