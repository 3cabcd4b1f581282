"""Stages worked by hand: exercises that share their numbers are marked as one trace."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from headwork.assignment import Assignment
from headwork.draw.student import Sheet
from headwork.model import Exercise, Judgement, Submission, TracePart, Verdict
from headwork.rooms import Content


def traced(
    content: Content, assignment: Assignment, sheet: Sheet, submission: Submission
) -> dict[tuple[str, str], Judgement]:
    """Judgements of hand-worked stages by exercise and stage.

    Exercises that share their numbers are one trace: a stage follows from what was typed for an earlier
    exercise.
    """
    from headwork.marking.hand import mark_trace

    found: dict[tuple[str, str], Judgement] = {}
    for group in assignment.own_groups:
        asked = {
            stage: (exercise, part)
            for exercise in group
            for part in exercise.parts
            if isinstance(part, TracePart)
            for stage in part.stages
        }
        if not asked:
            continue
        instance = sheet.problems[group[0].slug].instance
        chain = content.chains[instance.chain]
        typed = {
            stage: submission.answers.get(exercise.slug, {}).get(stage, "") for stage, (exercise, _) in asked.items()
        }
        if not any(text.strip() for text in typed.values()):
            found.update({(one.slug, stage): _no_answer(one, stage, part) for stage, (one, part) in asked.items()})
            continue
        whole = TracePart(
            stages=tuple(stage for stage in chain.stages if stage in asked),
            points=Fraction(1),
            decimals=max(part.decimals for _, part in asked.values()),
        )
        marked = mark_trace(
            content=content,
            exercise_slug=group[0].slug,
            chain=chain,
            instance=instance,
            part=whole,
            typed=typed,
            policy=_hand_policy(assignment),
        )
        for judgement in marked:
            exercise, part = asked[judgement.part]
            found[exercise.slug, judgement.part] = replace(
                judgement, exercise=exercise.slug, points=judgement.points * part.points, maximum=part.points
            )
    return found


def _no_answer(exercise: Exercise, stage: str, part: TracePart) -> Judgement:
    return Judgement(
        exercise=exercise.slug,
        part=stage,
        kind="hand",
        verdict=Verdict.MISSING,
        points=Fraction(0),
        maximum=part.points,
        summary=f"{stage}: no answer",
    )


def _hand_policy(assignment: Assignment) -> Any:
    from headwork.marking.hand import HandPolicy

    policy = assignment.policy
    return HandPolicy(
        decimal_comma=policy.decimal_comma,
        credit=policy.credit,  # pyright: ignore[reportArgumentType]  # one of three, checked when it was read
        early_rounding=policy.early_rounding,  # pyright: ignore[reportArgumentType]
        follow_through=policy.follow_through,  # pyright: ignore[reportArgumentType]
        show_reference=policy.worked_solution,
    )
