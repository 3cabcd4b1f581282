"""Draw an instance, and draw again until its certificate holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headwork.conditions import OVERFLOW, large_scores
from headwork.draw.certify import Scope, blind_spots, certify, code_scope, hand_scope
from headwork.draw.dense import dense_inputs
from headwork.draw.digest import digest_of, inputs_of
from headwork.draw.readable import readable_inputs
from headwork.draw.stream import Stream
from headwork.model import (
    Certificate,
    Chain,
    CodePart,
    ComposePart,
    CourseError,
    Exercise,
    Instance,
    Parameters,
    Problem,
    TracePart,
)
from headwork.rooms import Content
from headwork.stages import evaluate

ATTEMPTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """An instance, all stages of the reference on it, and its certificate where one was asked for."""

    instance: Instance
    values: dict[str, Any]
    certificate: Certificate | None


def own_chain(exercise: Exercise) -> str:
    """The chain of the student's own numbers."""
    return exercise.hand_chain or exercise.code_chains[0]


def numbers_of(exercise: Exercise, parameters: Parameters) -> str:
    """How the exercise's hand numbers are made readable."""
    return parameters.numbers or exercise.hand_numbers


def draw_own(
    content: Content,
    exercises: Sequence[Exercise],
    *,
    seed: bytes,
    parameters: Parameters,
    attempt: int | None = None,
) -> Drawn:
    """The instance that a student sees and works on, shared by ``exercises`` of one own chain.

    ``attempt`` repeats an accepted draw without certifying it. Raises CourseError where no draw holds.
    """
    first = exercises[0]
    chain = content.chains[own_chain(first)]
    parts = [part for exercise in exercises for part in exercise.parts]
    traces = [part for part in parts if isinstance(part, TracePart)]
    label = "+".join(exercise.slug for exercise in exercises)
    numbers = numbers_of(first, parameters)

    def inputs(stream: Stream) -> Instance | None:
        if first.hand_chain is None:
            return Instance(chain=chain.slug, values=dense_inputs(stream, chain, parameters))
        drawn = readable_inputs(stream, numbers, parameters)
        if drawn is None:
            return None
        values, exact, words, _ = drawn
        unused = {name for name in exact if name.removesuffix("_b") not in chain.sources}
        return Instance(
            chain=chain.slug,
            values={name: value for name, value in values.items() if name not in unused},
            exact={name: text for name, text in exact.items() if name not in unused},
            words=words,
        )

    scope = hand_scope(chain, traces)
    return _draw(
        content, chain, scope, inputs, seed, label, parameters, attempt=attempt, by_hand=first.hand_chain is not None
    )


def draw_hidden(
    content: Content,
    part: CodePart | ComposePart,
    chain: Chain,
    *,
    seed: bytes,
    parameters: Parameters,
    large: bool = False,
    attempt: int | None = None,
) -> Drawn:
    """A dense instance for one code part, which only the grader sees."""
    label = part.function

    def inputs(stream: Stream) -> Instance:
        return Instance(chain=chain.slug, values=dense_inputs(stream, chain, parameters, large=large))

    return _draw(content, chain, code_scope(chain, part), inputs, seed, label, parameters, attempt=attempt, large=large)


def _draw(
    content: Content,
    chain: Chain,
    scope: Scope,
    inputs: Callable[[Stream], Instance | None],
    seed: bytes,
    label: str,
    parameters: Parameters,
    *,
    attempt: int | None,
    by_hand: bool = False,
    large: bool = False,
) -> Drawn:
    failed: Counter[str] = Counter()
    stream = Stream(seed)
    targets = [*scope.stages, *scope.traced] if large or not by_hand else None
    for number in range(ATTEMPTS) if attempt is None else (attempt,):
        drawn = inputs(stream.child(str(number)))
        if drawn is None:
            failed["the effort budget"] += 1
            continue
        instance = replace(drawn, attempt=number)
        with np.errstate(all="ignore"):
            values = evaluate(chain, instance.values, targets=targets or None)
        if attempt is not None:
            return Drawn(instance=instance, values=values, certificate=None)
        if large and not _overflows(chain, values):
            failed["scores in the hundreds"] += 1
            continue
        certificate = certify(content, chain, values, scope, label=label, by_hand=by_hand, large=large, attempt=number)
        blind = blind_spots(content, certificate)
        if not blind:
            return Drawn(instance=instance, values=values, certificate=certificate)
        failed.update(blind)
    raise CourseError(_why_not(label, chain, parameters, failed))


def _overflows(chain: Chain, values: Mapping[str, Any]) -> bool:
    """Whether scores are large (see conditions); in a chain that calls them otherwise, any stage too large for exp()."""
    if "logits" in values or "scaled" in values:
        return large_scores(values)
    arrays = [np.asarray(values[name]) for name in chain.stages if name in values]
    floats = [array[np.isfinite(array)] for array in arrays if array.dtype.kind == "f"]
    return not floats or max(float(array.max(initial=0.0)) for array in floats) > OVERFLOW


def _why_not(label: str, chain: Chain, parameters: Parameters, failed: Counter[str]) -> str:
    most = "; ".join(f"{name} ({count} of {ATTEMPTS})" for name, count in failed.most_common(3))
    given = [(name, getattr(parameters, name)) for name in ("T", "d_model", "d_head", "n_heads", "causal")]
    sizes = ", ".join(f"{name} = {value}" for name, value in given if value is not None) or "no sizes set"
    return (
        f"{label} ({chain.slug}): {ATTEMPTS} draws and none on which every known mistake shows, with {sizes}. "
        f"What failed most: {most}. Leave sizes out, or make T, d_model, d_head and n_heads all different."
    )


def problem_of(exercise: Exercise, *, student: str, instance: Instance) -> Problem:
    """What the student gets: inputs, version and digest, and no answers."""
    digest = digest_of(exercise.slug, exercise.version, instance.chain, inputs_of(instance))
    return Problem(exercise=exercise.slug, version=exercise.version, student=student, instance=instance, digest=digest)
