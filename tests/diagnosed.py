"""Wrong answers to diagnose: dense draws, and known mistakes made on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from headwork.conditions import large_scores
from headwork.draw.dense import dense_inputs
from headwork.draw.stream import Stream
from headwork.marking.compare import relative_distance
from headwork.marking.diagnose import Observation
from headwork.mistakes import applied
from headwork.model import Chain, Diagnosis, Mistake, Parameters
from headwork.rooms import Content
from headwork.stages import evaluate


def drawn(chain: Chain, seed: int, *, large: bool = False, causal: bool | None = None) -> dict[str, Any]:
    """Inputs and all stages of a dense draw; a large one is drawn until its scores are."""
    stream = Stream(f"diagnosis {chain.slug} {seed}".encode())
    while True:
        inputs = dense_inputs(stream, chain, Parameters(causal=causal), large=large)
        with np.errstate(all="ignore"):
            values = evaluate(chain, inputs)
        if not large or large_scores(values):
            return values


def wrong_answer(
    chain: Chain, values: Mapping[str, Any], mistakes: Iterable[Mistake], target: str, *, only: str | None = None
) -> Any:
    """The value of ``target`` with the mistakes made; None where they crash.

    With ``only``, that stage alone is replaced, and everything before it is right.
    """
    replaced = {name: function for mistake in mistakes for name, function in applied(chain, mistake).items()}
    inputs = {name: value for name, value in values.items() if name not in chain.stages}
    try:
        with np.errstate(all="ignore"):
            if only is not None:
                return np.asarray(replaced[only](values))
            return np.asarray(evaluate(chain, inputs, targets=[target], replaced=replaced)[target])
    except Exception:
        return None


def observed(
    chain: Chain,
    target: str,
    values: Mapping[str, Any],
    student: Any,
    *,
    in_reach: frozenset[str] | None = None,
    **more: Any,
) -> Observation:
    """One observation."""
    return Observation(chain=chain, target=target, values=values, in_reach=in_reach, student=student, **more)


def same_effect(
    content: Content,
    chain: Chain,
    found: Diagnosis,
    made: Iterable[Mistake],
    target: str,
    seed: int,
    *,
    only: str | None = None,
) -> bool:
    """Whether what was named gives what was made, on another draw too."""
    if not found.mistakes:
        return False
    other = drawn(chain, seed + 1000)
    named = [content.mistakes[slug] for slug in found.mistakes]
    wanted = wrong_answer(chain, other, made, target, only=only)
    named_value = wrong_answer(chain, other, named, target, only=only)
    if wanted is None or named_value is None:
        return {mistake.slug for mistake in made} == set(found.mistakes)
    return relative_distance(wanted, named_value) < 1e-6
