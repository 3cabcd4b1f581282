"""The known mistakes: each shows, no two are the same, and a student may read what they say."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from diagnosed import drawn, wrong_answer
from headwork.marking.compare import GAP, relative_distance
from headwork.mistakes import (
    applicable,
    declared_alike,
    needs_large_scores,
    reads,
    shows_on,
    sizes_of,
    stages_of,
)
from headwork.model import Chain, Mistake
from headwork.rooms import load_content

CONTENT = load_content()
MISTAKES = list(CONTENT.mistakes.values())
PLACES = [
    (chain.slug, mistake.slug)
    for chain in CONTENT.chains.values()
    for mistake in CONTENT.mistakes_of(chain)
    if applicable(chain, mistake)
]
IRREGULAR = {
    "Built", "Cut", "Gave", "Hid", "Kept", "Left", "Let", "Made", "Put", "Raised", "Split", "Swapped", "Took", "Wrote",
    "Dealt", "Overwrote", "Read", "Set",
}  # fmt: skip


def shown(chain: Chain, mistake: Mistake, seeds: range = range(6)) -> Any:
    """Values of a draw on which the mistake can show; None if there is none among the seeds."""
    for seed, causal in itertools.product(seeds, (True, False)):
        values = drawn(chain, seed, causal=causal)
        if shows_on(mistake, values):
            return values
    values = drawn(chain, 0, large=True) if needs_large_scores(mistake) else None
    return values if values is not None and shows_on(mistake, values) else None


def test_there_are_many():
    assert len(MISTAKES) >= 110


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.slug)
def test_a_mistake_applies_to_some_chain(mistake: Mistake):
    assert any(applicable(chain, mistake) for chain in CONTENT.chains.values())


@pytest.mark.parametrize(("chain_slug", "slug"), PLACES)
def test_a_mistake_differs_from_the_right_answer_where_it_shows(chain_slug: str, slug: str):
    chain, mistake = CONTENT.chains[chain_slug], CONTENT.mistakes[slug]
    values = shown(chain, mistake)
    if values is None:  # the chain has no mask, no heads, no context: then the mistake says what it needs
        assert mistake.shows_when is not None
        return
    near = {}
    for stage in stages_of(chain, mistake):
        answer = wrong_answer(chain, values, (mistake,), stage, only=stage)
        near[stage] = np.inf if answer is None else relative_distance(values[stage], answer)
    assert {stage: distance for stage, distance in near.items() if distance <= GAP} == {}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.slug)
def test_every_mistake_shows_in_some_chain(mistake: Mistake):
    assert any(shown(chain, mistake) is not None for chain in CONTENT.chains.values() if applicable(chain, mistake))


@pytest.mark.parametrize("chain", CONTENT.chains.values(), ids=lambda chain: chain.slug)
def test_mistakes_of_a_stage_differ_from_each_other_or_are_declared_alike(chain: Chain):
    apart: dict[tuple[str, str, str], bool] = {}
    for seed in range(4):
        values = drawn(chain, seed)
        for stage in chain.stages:
            made: dict[str, Any] = {}
            for mistake in CONTENT.mistakes_of(chain):
                if stage in stages_of(chain, mistake) and applicable(chain, mistake) and shows_on(mistake, values):
                    answer = wrong_answer(chain, values, (mistake,), stage, only=stage)
                    if answer is not None:
                        made[mistake.slug] = answer
            for one, other in itertools.combinations(made, 2):
                scale = relative_distance(made[one], made[other])
                apart[stage, one, other] = apart.get((stage, one, other), False) or scale > GAP
    same = [
        (stage, one, other)
        for (stage, one, other), differ in apart.items()
        if not differ and not declared_alike(CONTENT.mistakes[one], CONTENT.mistakes[other])
    ]
    assert same == []


def test_large_mistakes_differ_with_large_scores():
    chain = CONTENT.chains["multi_head"]
    values = drawn(chain, 1, large=True)
    large = [mistake for mistake in CONTENT.mistakes_of(chain) if needs_large_scores(mistake)]
    assert len(large) >= 2
    for mistake in large:
        assert shows_on(mistake, values)
        answer = wrong_answer(chain, values, (mistake,), "weights", only="weights")
        assert relative_distance(values["weights"], answer) > GAP


def test_titles_are_unique():
    counted = Counter(mistake.title for mistake in MISTAKES)
    assert [title for title, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.slug)
def test_a_title_tells_what_the_code_did_in_the_past_tense(mistake: Mistake):
    first = mistake.title.split()[0]
    assert first.endswith("ed") or first in IRREGULAR


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.slug)
def test_the_words_speak_of_the_code_and_not_of_the_person(mistake: Mistake):
    text = " ".join((mistake.title, mistake.why, mistake.look, mistake.hint))
    assert re.findall(r"\b(?:you|your|yours|forgot|student)\b", text, re.IGNORECASE) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.slug)
def test_the_hint_is_a_question(mistake: Mistake):
    assert mistake.hint.endswith("?")


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.slug)
def test_likeness_is_declared_with_mistakes_that_exist(mistake: Mistake):
    assert [slug for slug in mistake.alike if slug != "the right answer" and slug not in CONTENT.mistakes] == []


def test_an_operation_is_replaced_at_every_stage_that_applies_it():
    chain, mistake = CONTENT.chains["multi_head"], CONTENT.mistakes["project/weight-transposed"]
    assert stages_of(chain, mistake) == ("q", "k", "v")


def test_a_parameter_is_bound_through_the_stage_first():
    chain, mistake = CONTENT.chains["cross"], CONTENT.mistakes["k/projected-with-w-q"]
    assert reads(chain, mistake, chain.stages["k"]) == ("context", "w_q")


def test_a_trailing_underscore_reaches_past_the_operation():
    chain, mistake = CONTENT.chains["cross"], CONTENT.mistakes["k/taken-from-the-asking-sequence"]
    assert reads(chain, mistake, chain.stages["k"]) == ("x", "w_k")


def test_a_value_is_found_by_the_name_that_operations_know_it_by():
    chain, mistake = CONTENT.chains["multi_head"], CONTENT.mistakes["heads/keys-mixed"]
    assert reads(chain, mistake, chain.stages["heads"]) == ("weights", "k_heads")


def test_a_mistake_out_of_reach_is_not_applicable():
    chain, mistake = CONTENT.chains["multi_head"], CONTENT.mistakes["scaled/divided-by-sqrt-d-model"]
    reach = frozenset({"scores", "d_head"})
    assert applicable(chain, mistake)
    assert not applicable(chain, mistake, reach, stage="scaled")


def test_sizes_are_read_off_the_axes():
    assert sizes_of(CONTENT.chains["multi_head"]) == {"B", "T", "d_model", "d_head", "n_heads", "causal"}
