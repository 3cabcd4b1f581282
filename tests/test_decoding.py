"""Decoding with a cache: the same numbers as reading the whole text at once."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from diagnosed import drawn
from headwork.rooms import load_content
from headwork.stages import evaluate

CONTENT = load_content()
CHAIN = CONTENT.chains["decoding"]
PACKAGE = CHAIN.stages["k_all"].operation.function.__module__.rpartition(".")[0]
EXACT = importlib.import_module(f"{PACKAGE}.exact_decoding")
WEIGHTS = ("w_q", "w_k", "w_v")


def uncached(text: Any, values: dict[str, Any]) -> Any:
    given = {name: values[name] for name in (*WEIGHTS, "d_head")}
    chain = CONTENT.chains["attention"]
    return evaluate(chain, {"x": text, "T": text.shape[1], "causal": True, **given}, targets=["heads"])["heads"]


def cached(past: Any, new: Any, values: dict[str, Any]) -> Any:
    given = {name: values[name] for name in (*WEIGHTS, "d_head")}
    sizes = {"T_past": past.shape[1], "T_new": new.shape[1]}
    return evaluate(CHAIN, {"x": new, "x_past": past, **sizes, **given})["heads"]


@pytest.mark.parametrize("seed", range(3))
def test_cached_equals_uncached(seed: int):
    values = drawn(CHAIN, seed)
    text = np.concatenate([values["x_past"], values["x"]], axis=1)
    np.testing.assert_allclose(values["heads"], uncached(text, values)[:, values["T_past"] :], atol=1e-12)


def test_one_by_one_equals_all_at_once():
    values = drawn(CHAIN, 4)
    text = np.concatenate([values["x_past"], values["x"]], axis=1)
    steps = [cached(text[:, :t], text[:, t : t + 1], values) for t in range(text.shape[1])]
    np.testing.assert_allclose(np.concatenate(steps, axis=1), uncached(text, values), atol=1e-12)


def test_nothing_cached_is_the_ordinary_mask():
    visible = CHAIN.stages["visible"].operation.function
    np.testing.assert_array_equal(visible(0, 4), np.tril(np.ones((4, 4), dtype=bool)))


def test_one_new_position_sees_everything():
    assert CHAIN.stages["visible"].operation.function(5, 1).all()


def test_the_second_opinion_agrees():
    values = drawn(CHAIN, 5)
    np.testing.assert_array_equal(values["visible"], EXACT.visible_from_cache(values["T_past"], values["T_new"]))
    np.testing.assert_array_equal(values["k_all"], EXACT.appended(values["k_cache"].tolist(), values["k_new"].tolist()))


def test_the_cache_holds_what_the_whole_text_would():
    values = drawn(CHAIN, 6)
    text = np.concatenate([values["x_past"], values["x"]], axis=1)
    np.testing.assert_allclose(values["v_all"], text @ values["w_v"], atol=1e-12)
