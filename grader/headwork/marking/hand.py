"""Marking of hand-worked stages, each from the right values or from the student's own earlier ones."""

from __future__ import annotations

from collections.abc import Mapping

from headwork.marking.hand_policy import HandPolicy
from headwork.marking.hand_stage import judge_stage
from headwork.marking.hand_values import worked
from headwork.model import Chain, Instance, Judgement, TracePart
from headwork.rooms import Content

__all__ = ["HandPolicy", "mark_trace"]


def mark_trace(
    *,
    content: Content,
    exercise_slug: str,
    chain: Chain,
    instance: Instance,
    part: TracePart,
    typed: Mapping[str, str],
    policy: HandPolicy,
) -> tuple[Judgement, ...]:
    """One judgement per stage of ``part``, in the order in which it lists them.

    Stages are marked in the order of the chain: each against the exact values, then against what
    follows from the student's own nearest earlier values, and the better of the two counts. A stage
    without a usable answer is passed over by the later ones.
    """
    values = worked(content, chain, instance, part.stages)
    judged: dict[str, Judgement] = {}
    for stage in (name for name in chain.stages if name in part.stages):
        judged[stage] = judge_stage(
            typed.get(stage, ""),
            content=content,
            exercise=exercise_slug,
            stage=stage,
            part=part,
            policy=policy,
            values=values,
        )
    return tuple(judged[stage] for stage in part.stages)
