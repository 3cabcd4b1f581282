"""Outcomes to judgements: one code part at a time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwork.assignment import Policy
from headwork.marking.compare import Comparison, compare
from headwork.marking.diagnose_candidates import Observation
from headwork.marking.follow_through import Rerun, follows
from headwork.marking.plan import LARGE, NOT_CAUSAL, VALUES, Check, PartPlan
from headwork.marking.wording import axes_text, cell_of, sentence_for, shape_text, title_of
from headwork.model import (
    Diagnosis,
    Judgement,
    Killed,
    Missing,
    NotRun,
    Outcome,
    Raised,
    Returned,
    TimedOut,
    Unusable,
    Verdict,
)
from headwork.rooms import Content

SHARES = {VALUES: 2, NOT_CAUSAL: 1, LARGE: 1}
"""How the points of a part are shared among what is asked of it."""


def compared(check: Check, outcome: Outcome) -> Comparison | None:
    """A returned array against the reference; None where nothing came back."""
    if not isinstance(outcome, Returned):
        return None
    return compare(reference=check.reference, student=outcome.value, large=check.large)


def judge_code(
    content: Content,
    plan: PartPlan,
    outcomes: Sequence[Outcome],
    *,
    policy: Policy,
    wrong_so_far: Sequence[str] = (),
    rerun: Rerun | None = None,
) -> Judgement:
    """Judge one code part by the outcomes of its calls. ``wrong_so_far`` are operations judged wrong before it.

    Without ``rerun`` a composed function cannot be followed through.
    """
    found = [(check, outcomes[check.call], compared(check, outcomes[check.call])) for check in plan.checks]
    failed = [entry for entry in found if entry[2] is None or not entry[2].is_right]
    if not failed:
        return _judgement(plan, Verdict.RIGHT, Fraction(1), "right", check=plan.checks[-1])
    if plan.chained and rerun is not None:
        wrong_checks = [check for check, _, _ in failed]
        blamed = follows(plan, outcomes, failed=wrong_checks, wrong=wrong_so_far, rerun=rerun)
        if blamed:
            share = {"full": Fraction(1), "half": Fraction(1, 2), "none": Fraction(0)}[policy.follow_through]
            names = " and ".join(blamed)
            text = f"right in itself; its numbers are off because it uses your {names}, which is judged there"
            return _judgement(plan, Verdict.FOLLOWS, share, text, check=failed[0][0], follows=blamed)
    earned = _earned(found)
    check, outcome, comparison = _most_telling(failed)
    verdict = _verdict(outcome)
    diagnosis = None
    if verdict is Verdict.WRONG:
        diagnosis = _diagnosis(content, found)
    elif isinstance(outcome, Raised):
        diagnosis = _crash(content, found, outcome)
    return _judgement(
        plan,
        verdict,
        earned,
        sentence_for(check, outcome, comparison),
        check=check,
        outcome=outcome,
        comparison=comparison,
        diagnosis=diagnosis,
        messages=_where_it_fails(found, earned),
        released=policy.worked_solution,
    )


def _earned(found: Sequence[tuple[Check, Outcome, Comparison | None]]) -> Fraction:
    """The share of the points: an aspect counts where all its checks are right."""
    aspects = dict.fromkeys(check.aspect for check, _, _ in found)
    right = [
        aspect
        for aspect in aspects
        if all(
            comparison is not None and comparison.is_right for check, _, comparison in found if check.aspect == aspect
        )
    ]
    return Fraction(sum(SHARES[aspect] for aspect in right), sum(SHARES[aspect] for aspect in aspects))


def _most_telling(
    failed: Sequence[tuple[Check, Outcome, Comparison | None]],
) -> tuple[Check, Outcome, Comparison | None]:
    """The failure to speak of: an ordinary value before a special case, the student's own numbers first."""
    return min(failed, key=lambda entry: (entry[0].aspect != VALUES, entry[2] is None, not entry[0].own))


def _verdict(outcome: Outcome) -> Verdict:
    match outcome:
        case Raised() | Killed():
            return Verdict.CRASHED
        case TimedOut():
            return Verdict.OUT_OF_TIME
        case Missing():
            return Verdict.MISSING
        case NotRun():
            return Verdict.NOT_RUN
        case Returned() | Unusable():
            return Verdict.WRONG


def _diagnosis(content: Content, found: Sequence[tuple[Check, Outcome, Comparison | None]]) -> Diagnosis | None:
    from headwork.marking.diagnose import diagnose

    observations = [_observed(check, outcome.value) for check, outcome, _ in found if isinstance(outcome, Returned)]
    return diagnose(content, observations) if observations else None


def _crash(
    content: Content, found: Sequence[tuple[Check, Outcome, Comparison | None]], raised: Raised
) -> Diagnosis | None:
    from headwork.marking.diagnose_crash import diagnose_crash

    crashed = [_observed(check, None) for check, outcome, _ in found if isinstance(outcome, Raised)]
    returned = [_observed(check, outcome.value) for check, outcome, _ in found if isinstance(outcome, Returned)]
    return diagnose_crash(content, crashed, returned, exception=raised.exception)


def _observed(check: Check, value: Any) -> Observation:
    return Observation(
        chain=check.chain,
        target=check.target,
        values=check.values,
        in_reach=check.in_reach,
        student=value,
        large=check.large,
    )


def _where_it_fails(found: Sequence[tuple[Check, Outcome, Comparison | None]], earned: Fraction) -> tuple[str, ...]:
    if not earned:
        return ()
    wrong = {check.aspect for check, _, comparison in found if comparison is None or not comparison.is_right}
    names = {VALUES: "on ordinary numbers", NOT_CAUSAL: "without causal", LARGE: "with scores in the hundreds"}
    aspects = dict.fromkeys(check.aspect for check, _, _ in found)
    right = [names[aspect] for aspect in aspects if aspect not in wrong]
    return (f"It is right {' and '.join(right)}, which keeps its share of the points.",)


def _judgement(
    plan: PartPlan,
    verdict: Verdict,
    share: Fraction,
    summary: str,
    *,
    check: Check,
    outcome: Outcome | None = None,
    comparison: Comparison | None = None,
    diagnosis: Diagnosis | None = None,
    messages: tuple[str, ...] = (),
    follows: tuple[str, ...] = (),
    released: bool = False,
) -> Judgement:
    student: Any = outcome.value if isinstance(outcome, Returned) else None
    wrong_shape = comparison is not None and comparison.kind == "shape"
    notes = list(messages)
    if isinstance(outcome, Returned) and outcome.changed_arguments:
        notes.append("It changes an array that it was given; work on a copy.")
    if wrong_shape:
        notes.insert(0, f"wanted {shape_text(check, check.reference.shape)}, got {axes_text(student.shape)}")
    return Judgement(
        exercise=plan.exercise.slug,
        part=plan.function,
        kind=plan.kind,
        verdict=verdict,
        points=plan.part.points * share,
        maximum=plan.part.points,
        summary=f"{title_of(plan)}: {summary}",
        messages=tuple(notes),
        axes=check.chain.axes.get(check.target, ""),
        seen_shape=tuple(np.shape(student)) if student is not None else None,
        wanted_shape=tuple(check.reference.shape),
        cell=cell_of(check, student, comparison, released=released)
        if comparison is not None and not comparison.is_right
        else None,
        diagnosis=diagnosis,
        follows=follows,
    )
