"""The certificate: on this instance every applicable mistake differs from the right answer, and from the others."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwork.conditions import large_scores
from headwork.marking.compare import GAP, LARGE_TOL, relative_distance
from headwork.mistakes import Replacement, applicable, applied, declared_alike, shows_on
from headwork.model import Certificate, Chain, CodePart, ComposePart, ContentError, Distance, Mistake, TracePart
from headwork.rooms import Content
from headwork.stages import between, downstream

HAND_GAP = 2e-3
"""Absolute, in hand work: four times what rounding to three decimals can hide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What an exercise asks of a chain: stages judged on their own, and values judged at the end."""

    stages: tuple[str, ...]
    """Isolated code: only the stage's own needs are in reach."""
    traced: tuple[str, ...]
    """Hand work, or the inside of a composed function: everything is in reach."""
    end: str | None


def code_scope(chain: Chain, part: CodePart | ComposePart) -> Scope:
    """The scope of one code part on a hidden draw of ``chain``."""
    if isinstance(part, ComposePart):
        return Scope(stages=(), traced=between(chain, part.target, part.arguments), end=part.target)
    return Scope(stages=(stage_for(chain, part.operation),), traced=(), end=None)


def hand_scope(chain: Chain, parts: Iterable[TracePart]) -> Scope:
    """The scope of all stages that are worked by hand on one instance."""
    asked = {name for part in parts for name in part.stages}
    traced = tuple(name for name in chain.stages if name in asked)
    return Scope(stages=(), traced=traced, end=traced[-1] if traced else None)


def stage_for(chain: Chain, operation: str) -> str:
    """The first stage of ``chain`` that applies ``operation``.

    Raises ContentError where no stage does.
    """
    for name, found in chain.stages.items():
        if found.operation.name == operation:
            return name
    near = difflib.get_close_matches(operation, [found.operation.name for found in chain.stages.values()], n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ContentError(f"operation {operation!r} is not applied in solutions/{chain.slug}.py.{hint}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A mistake that can be made within a scope."""

    mistake: Mistake
    replaced: Mapping[str, Replacement]
    own: tuple[str, ...]
    """The stages at which it is measured."""
    changed: frozenset[str]
    """Stages further down that change with it; empty where it is not followed to an end."""


@lru_cache(maxsize=256)
def in_scope(content: Content, chain_slug: str, scope: Scope) -> tuple[Candidate, ...]:
    """The mistakes that can be made within a scope, in the order of the chain."""
    chain = content.chains[chain_slug]
    found: list[Candidate] = []
    for mistake in content.mistakes_of(chain):
        replaced = applied(chain, mistake)
        own = tuple(name for name in replaced if name in scope.traced)
        if scope.end and own and applicable(chain, mistake):
            later = downstream(chain, own)
            changed = frozenset(later) - set(own) if scope.end in later else frozenset[str]()
            found.append(Candidate(mistake=mistake, replaced=replaced, own=own, changed=changed))
            continue
        own = tuple(
            name
            for name in replaced
            if name in scope.stages and applicable(chain, mistake, frozenset(chain.stages[name].needs), stage=name)
        )
        if own:
            found.append(Candidate(mistake=mistake, replaced=replaced, own=own, changed=frozenset()))
    return tuple(found)


def certify(
    content: Content,
    chain: Chain,
    values: Mapping[str, Any],
    scope: Scope,
    *,
    label: str,
    by_hand: bool = False,
    large: bool = False,
    attempt: int = 0,
) -> Certificate:
    """Measure every mistake on ``values`` (the inputs and all reference stages of ``chain``)."""
    gap = 10 * LARGE_TOL if large else GAP
    distances: list[Distance] = []
    with np.errstate(all="ignore"):
        at_stage: dict[str, dict[str, Any]] = {}
        for candidate in in_scope(content, chain.slug, scope):
            mistake = candidate.mistake
            if not shows_on(mistake, values) or (large and mistake.shows_when is not large_scores):
                continue
            made = {name: _attempt(candidate.replaced[name], values) for name in candidate.own}
            first = candidate.own[0]
            at_stage.setdefault(first, {})[mistake.slug] = made[first]
            near = max(_far(values[name], made[name], by_hand=by_hand) for name in made)
            end = None
            if scope.end and (candidate.changed or scope.end in made):
                last = _at_end(chain, values, made, candidate.changed, scope.end)
                end = _far(values[scope.end], last, by_hand=by_hand)
            distances.append(
                Distance(mistake=mistake.slug, at_stage=near, at_end=end, nearest=np.inf, nearest_mistake=None)
            )
        nearest = _nearest(values, at_stage, by_hand=by_hand)
    measured = tuple(
        Distance(
            mistake=found.mistake, at_stage=found.at_stage, at_end=found.at_end,
            nearest=nearest[found.mistake][0], nearest_mistake=nearest[found.mistake][1],
        )
        for found in distances
    )  # fmt: skip
    return Certificate(
        exercise=label,
        chain=chain.slug,
        attempt=attempt,
        by_hand=by_hand,
        gap=HAND_GAP if by_hand else gap,
        distances=measured,
    )


def blind_spots(content: Content, certificate: Certificate) -> list[str]:
    """Why the certificate does not hold: mistakes that don't show, pairs that can't be told apart.

    In hand work two mistakes may give one value (sizes are small); then both are named.
    """
    found: list[str] = []
    for distance in certificate.distances:
        at_end = distance.at_end is not None and distance.at_end <= certificate.gap
        if distance.at_stage <= certificate.gap or (at_end and not _may_vanish(content, distance.mistake)):
            found.append(distance.mistake)
        elif distance.nearest <= certificate.gap and not certificate.by_hand and not _alike(content, distance):
            found.append(f"{distance.mistake} = {distance.nearest_mistake}")
    return found


def _may_vanish(content: Content, slug: str) -> bool:
    return "the right answer" in content.mistakes[slug].alike


def _alike(content: Content, distance: Distance) -> bool:
    nearest = content.mistakes.get(distance.nearest_mistake or "")
    return nearest is not None and declared_alike(content.mistakes[distance.mistake], nearest)


def _attempt(replacement: Any, values: Mapping[str, Any]) -> Any:
    try:
        return np.asarray(replacement(values))
    except Exception:  # a wrong stage may fail in any way on some shapes; that shows
        return None


def _at_end(chain: Chain, values: Mapping[str, Any], made: Mapping[str, Any], changed: frozenset[str], end: str) -> Any:
    """The end of the chain with some stages made wrongly; None where that can't be computed."""
    known = {**values, **made}
    try:
        for name in chain.stages:
            if name in changed:
                found = chain.stages[name]
                known[name] = found.operation.function(*[known[need] for need in found.needs])
    except Exception:  # as above, further down
        return None
    return np.asarray(known[end])


def _far(reference: Any, value: Any, *, by_hand: bool) -> float:
    if value is None:
        return np.inf
    distance = relative_distance(reference, value)
    if not by_hand or not np.isfinite(distance):
        return distance
    wanted = np.asarray(reference, np.float64)
    return distance * float(np.abs(wanted[np.isfinite(wanted)]).max(initial=1e-12))


def _nearest(
    values: Mapping[str, Any], at_stage: Mapping[str, Mapping[str, Any]], *, by_hand: bool
) -> dict[str, tuple[float, str | None]]:
    """For every mistake the closest other mistake at the same stage, in the units of the certificate."""
    found: dict[str, tuple[float, str | None]] = {}
    for stage, made in at_stage.items():
        found.update(dict.fromkeys(made, (np.inf, None)))
        reference = np.asarray(values[stage], np.float64)
        scale = 1.0 if by_hand else max(1e-12, float(np.abs(reference[np.isfinite(reference)]).max(initial=0.0)))
        for slugs, stacked in _comparable(made):
            gaps = np.abs(stacked[:, None] - stacked[None]).max(axis=-1) / scale
            np.fill_diagonal(gaps, np.inf)
            for row, slug in enumerate(slugs):
                at = int(gaps[row].argmin())
                if gaps[row, at] < np.inf:
                    found[slug] = (float(gaps[row, at]), slugs[at])
    return found


def _comparable(made: Mapping[str, Any]) -> Iterable[tuple[Sequence[str], NDArray[np.float64]]]:
    """Groups of wrong values with one shape and one pattern of finite cells, as rows of finite numbers."""
    groups: dict[Any, list[tuple[str, NDArray[np.float64]]]] = {}
    for slug, value in made.items():
        if value is None or value.dtype.kind not in "bifu":
            continue
        flat = np.asarray(value, np.float64)
        finite = np.isfinite(flat)
        if finite.all():
            groups.setdefault((flat.shape, b""), []).append((slug, flat.ravel()))
            continue
        # Which infinity, or none, is part of the pattern.
        pattern = np.where(finite, 0, np.nan_to_num(flat, nan=2.0, posinf=1.0, neginf=-1.0)).tobytes()
        groups.setdefault((flat.shape, pattern), []).append((slug, np.where(finite, flat, 0.0).ravel()))
    for members in groups.values():
        if len(members) > 1 and members[0][1].size:
            yield [slug for slug, _ in members], np.stack([flat for _, flat in members])
