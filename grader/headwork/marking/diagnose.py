"""From wrong values to their likely cause: a known mistake, two of them, a relation, a shape.

Whatever is named explains every value that was observed: the wrong ones by the same cause, and the
right ones because the cause doesn't show there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from headwork.marking.diagnose_behaviour import only_with_large_scores
from headwork.marking.diagnose_candidates import (
    Candidate,
    Fitting,
    Observation,
    Tried,
    allowed_of,
    candidates,
    carried,
    dialects,
    distance,
    fitting,
    is_wrong,
    steps_of,
)
from headwork.marking.diagnose_pairs import pairs_for
from headwork.marking.diagnose_relations import one_cell_only, plain_relation_of, relation_of
from headwork.marking.diagnose_rounding import rounded_too_early
from headwork.marking.diagnose_shapes import shape_of
from headwork.mistakes import diagnosis_of
from headwork.model import Diagnosis
from headwork.rooms import Content

__all__ = ["Observation", "diagnose"]


def diagnose(content: Content, observations: Iterable[Observation]) -> Diagnosis | None:
    """The likely cause of what was observed of one part; None where no cause is known, or nothing is wrong."""
    seen = [observation for observation in observations if np.asarray(observation.student).dtype.kind in "bifu"]
    with np.errstate(all="ignore"):
        wrong = [observation for observation in seen if is_wrong(observation)]
        if not wrong:
            return None
        telling = min(wrong, key=_telling)
        ordinary = [observation for observation in seen if not observation.large]
        to_explain = seen if telling.large else ordinary
        steps = steps_of(telling)
        found = [
            Tried(candidate=candidate, known=carried(steps, telling.values, candidate.replaced))
            for candidate in candidates(content, telling)
        ]
        fits = fitting(telling, found)
        known = _single(content, telling, _matches(telling, fits), to_explain)
        if known is not None:
            return known
        if telling.tolerance is not None:
            early = rounded_too_early(telling)
            if early is not None:
                return early
        if telling.large and len(wrong) < len(seen):
            return only_with_large_scores(telling.student)
        plain = plain_relation_of(telling)
        if plain is not None:
            return plain
        if not telling.isolated and telling.tolerance is None and not telling.large and not one_cell_only(telling):
            pair = _pair(content, telling, found, fits, to_explain)
            if pair is not None:
                return pair
        return relation_of(telling) or shape_of(telling)


def _telling(observation: Observation) -> tuple[bool, bool, bool]:
    """Ordinary values before large ones, batches before single prompts, masked before open."""
    return (observation.large, "B" not in observation.values, not observation.values.get("causal", True))


def _same_branch(telling: Observation, other: Observation) -> bool:
    """Code often branches on ``causal``, and a mistake may sit in one branch only."""
    return is_wrong(other) or telling.values.get("causal") == other.values.get("causal")


def _matches(telling: Observation, fits: Fitting) -> list[Candidate]:
    """Mistakes that give the student's array, the closest first; among equals, those at the target itself."""
    matches: list[tuple[float, bool, Candidate]] = []
    for one in _near(telling, fits):
        candidate, nearest = one.candidate, _nearest(telling, one)
        if nearest <= 1.0:
            matches.append((round(nearest, 3), telling.target not in candidate.replaced, candidate))
    slugs = {candidate.mistake.slug for _, _, candidate in matches}
    # A mistake that names another one as giving the same is the rarer of the two.
    ranked = sorted(matches, key=lambda match: (*match[:2], not slugs.isdisjoint(match[2].mistake.alike)))
    return [candidate for _, _, candidate in ranked]


def _near(observation: Observation, fits: Fitting) -> Iterator[Tried]:
    """Those of which no finite cell is far from the student's.

    Such a cell is the same in all dialects: they differ only in what a row makes of it in which all is hidden.
    """
    if observation.tolerance is not None:
        yield from fits.tried
        return
    student = np.asarray(observation.student, np.float64).reshape(-1)
    # Relative to the mistake's largest value, which is as near to the student's as every other one.
    most = 1.01 * allowed_of(observation) * float(np.abs(student).max(initial=0.0))
    far = np.isfinite(fits.ends) & (np.abs(fits.ends - student) > most)
    yield from (one for one, cells in zip(fits.tried, far, strict=True) if not cells.any())


def _single(
    content: Content, telling: Observation, matches: Sequence[Candidate], seen: Sequence[Observation]
) -> Diagnosis | None:
    """One mistake that explains everything; or at least all that is wrong, and what is right in the same branch."""
    others = [observation for observation in seen if observation is not telling]
    for to_explain in (others, [observation for observation in others if _same_branch(telling, observation)]):
        for candidate in matches:
            if all(_explains(content, (candidate,), observation) for observation in to_explain):
                return diagnosis_of(candidate.mistake)
    return None


def _nearest(observation: Observation, one: Tried) -> float:
    """Distance of the student's array from the mistake's, in whichever way hidden scores are filled."""
    steps, candidate = steps_of(observation), one.candidate
    shape = np.shape(observation.student)
    for number, replaced in enumerate(dialects(steps, candidate.replaced)):
        known = one.known if number == 0 else carried(steps, observation.values, replaced)
        if known is None:
            return np.inf
        value = np.asarray(known[observation.target])
        if value.shape != shape or value.dtype.kind not in "bifu":
            return np.inf
        near = distance(observation, value)
        if near <= 1.0 and not _too_little(observation, candidate, value):
            return near
        if number == 0 and not np.isnan(value).any():
            return np.inf
    return np.inf


def _too_little(observation: Observation, candidate: Candidate, value: Any) -> bool:
    """Whether so few cells speak for the mistake that rounding may have put them there.

    In hand work a mistake at an earlier stage must show in three cells; the stage itself has its own verdict.
    """
    if observation.tolerance is None or observation.target in candidate.replaced:
        return False
    off = np.abs(np.nan_to_num(np.asarray(value, np.float64)) - np.nan_to_num(observation.reference.astype(np.float64)))
    return int((off > 4 * np.asarray(observation.tolerance)).sum()) < 3


def _pair(
    content: Content, telling: Observation, found: Sequence[Tried], fits: Fitting, seen: Sequence[Observation]
) -> Diagnosis | None:
    for one, other in pairs_for(telling, found, fits):
        if all(_explains(content, (one, other), observation) for observation in seen if observation is not telling):
            first, second = one.mistake, other.mistake
            return Diagnosis(
                kind="pair",
                title=f"{first.title}. And: {second.title[:1].lower()}{second.title[1:]}",
                mistakes=(first.slug, second.slug),
                why=f"{first.why} {second.why}",
                look=f"{first.look} {second.look}",
                hint=first.hint,
            )
    return None


def _explains(content: Content, made: Sequence[Candidate], observation: Observation) -> bool:
    """Whether the mistakes, made together, give the student's array of another observation too."""
    slugs = {candidate.mistake.slug for candidate in made}
    again = [candidate for candidate in candidates(content, observation) if candidate.mistake.slug in slugs]
    steps = steps_of(observation)
    together = {name: function for candidate in again for name, function in candidate.replaced.items()}
    for replaced in dialects(steps, together):
        known = carried(steps, observation.values, replaced)
        if known is not None and distance(observation, known[observation.target]) <= 1.0:
            return True
    return False
