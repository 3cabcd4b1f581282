"""Right answers are right, however they are written, and no mistake is named in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from diagnosed import drawn, observed
from equivalents import equivalents
from headwork.marking.compare import LARGE_TOL, TOL, relative_distance
from headwork.marking.diagnose import diagnose
from headwork.model import Chain, ComposePart
from headwork.rooms import load_content

# np.matrix is on its way out, and students use it.
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")

SOURCES = equivalents()
CONTENT = load_content()
COMPOSED = {
    (part.name, part.chain, part.target, part.arguments)
    for exercise in CONTENT.exercises.values()
    for part in exercise.parts
    if isinstance(part, ComposePart)
}
CASES = [
    *((slug, seed, True) for slug in CONTENT.chains for seed in (0, 1)),
    *((slug, 2, False) for slug in CONTENT.chains if "causal" in CONTENT.chains[slug].sources),
]


@cache
def instance(slug: str, seed: int, causal: bool) -> dict[str, Any]:
    return drawn(CONTENT.chains[slug], seed, causal=causal)


def functions(slug: str) -> dict[str, Any]:
    """The submission's functions. They are our own files, so they may run here."""
    space: dict[str, Any] = {}
    exec(compile(SOURCES[slug], f"{slug}.py", "exec"), space)
    return space


def asked_of(chain: Chain, values: Mapping[str, Any], written: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Function, target and arguments: every operation of the chain and every composed function."""
    for stage in chain.stages.values():
        if stage.operation.name in written:
            yield stage.operation.name, stage.name, [values[need] for need in stage.needs]
    for name, slug, target, arguments in COMPOSED:
        if slug == chain.slug and name in written:
            yield name, target, [values[argument] for argument in arguments]


def copied(arguments: list[Any]) -> list[Any]:
    return [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]


def test_there_are_at_least_thirty():
    assert len(SOURCES) >= 30


@pytest.mark.parametrize("slug", SOURCES)
def test_every_function_gives_the_reference(slug: str):
    written = functions(slug)
    far = {
        (name, case): relative_distance(values[target], np.asarray(written[name](*copied(arguments))))
        for case in CASES
        for values in (instance(*case),)
        for name, target, arguments in asked_of(CONTENT.chains[case[0]], values, written)
    }
    assert {where: distance for where, distance in far.items() if distance > TOL} == {}


@pytest.mark.parametrize("slug", SOURCES)
def test_nothing_is_named_in_a_right_answer(slug: str):
    written, chain = functions(slug), CONTENT.chains["multi_head"]
    values = instance("multi_head", 0, True)
    named = [
        diagnose(CONTENT, [observed(chain, target, values, np.asarray(written[name](*copied(arguments))))])
        for name, target, arguments in asked_of(chain, values, written)
    ]
    assert named == [None] * len(named)


@pytest.mark.parametrize("slug", SOURCES)
def test_large_scores_are_survived(slug: str):
    written, chain = functions(slug), CONTENT.chains["multi_head"]
    values = drawn(chain, 3, large=True)
    arguments = [values[name] for name in ("x", "w_q", "w_k", "w_v", "w_o", "n_heads", "causal")]
    assert relative_distance(values["out"], np.asarray(written["multi_head_attention"](*arguments))) <= LARGE_TOL
