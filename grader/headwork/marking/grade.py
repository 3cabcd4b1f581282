"""One submission to one report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from headwork import __version__
from headwork.answers.asking.mark import waiting_for_a_person
from headwork.assignment import Assignment
from headwork.draw.student import Sheet
from headwork.marking.behaviour import with_behaviour
from headwork.marking.judge import judge_code
from headwork.marking.plan import Plan
from headwork.marking.planner import Planner
from headwork.marking.trace import traced
from headwork.model import (
    Call,
    CodePart,
    ComposePart,
    Exercise,
    GraderFault,
    Judgement,
    Outcome,
    Report,
    Run,
    Status,
    Submission,
    TracePart,
    Verdict,
)
from headwork.rooms import Content
from headwork.sandbox import Runner


def fingerprint_of(planner: Planner, sheet: Sheet, submission: Submission, *, isolation: str) -> str:
    """Digest of everything that a report depends on; equal fingerprints need no second grading."""
    record = {
        "headwork": __version__,
        "assignment": planner.digest,
        "problems": {slug: problem.digest for slug, problem in sheet.problems.items()},
        "submission": submission.digest,
        "isolation": isolation,
    }
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def grade_submission(planner: Planner, sheet: Sheet, submission: Submission, runner: Runner) -> Report:
    """Run, judge, diagnose and add up.

    Raises GraderFault where the machine under us failed twice; that is never a mark.
    """
    content, assignment = planner.content, planner.assignment
    fingerprint = fingerprint_of(planner, sheet, submission, isolation=runner.tier.name)
    if submission.unreadable or submission.needs_attention:
        return _ungraded(assignment, submission, runner, fingerprint)
    plan = planner.plan(sheet)
    run = _run(runner, submission, plan, assignment)
    judgements = judge_all(content, assignment, sheet, submission, plan, run, runner=runner)
    judgements = with_behaviour(judgements, plan, run, submission.cells, runner, assignment.limits)
    waiting = waiting_for_a_person(judgements)
    notices = [*submission.notices, *_load_notices(run), *_waiting_notices(assignment, waiting)]
    total = sum((judgement.points for judgement in judgements), Fraction(0))
    # A sentence that a person marks by design holds up nothing: the total is a mark without it, and is told so.
    attention = [found for found in judgements if found.verdict in _FOR_A_PERSON and found not in waiting]
    status = Status.NEEDS_ATTENTION if attention else Status.GRADED_WITH_NOTICE if notices else Status.GRADED
    return Report(
        assignment=assignment.name,
        student=submission.student,
        status=status,
        judgements=tuple(judgements),
        total=total,
        maximum=assignment.maximum,
        reason=_why_attention(attention),
        notices=tuple(notices),
        messages=(*submission.messages, *_load_messages(run)),
        isolation=runner.tier.name,
        submission_digest=submission.digest,
        fingerprint=fingerprint,
    )


_FOR_A_PERSON = (Verdict.ATTENTION, Verdict.UNREADABLE)
"""An answer that can't be read, or decided, costs nothing: there is no mark until a person has looked."""


def _why_attention(judgements: Sequence[Judgement]) -> str:
    unread = [f"{one.exercise}/{one.part}" for one in judgements if one.verdict is Verdict.UNREADABLE]
    open_ = [f"{one.exercise}/{one.part}" for one in judgements if one.verdict is Verdict.ATTENTION]
    parts = [f"the answer to {' and '.join(unread)} could not be read in one way"] if unread else []
    parts += [f"the answer to {' and '.join(open_)} could not be decided by machine"] if open_ else []
    return "; ".join(parts)


def _run(runner: Runner, submission: Submission, plan: Plan, assignment: Assignment) -> Run:
    try:
        return runner.run(submission.cells, plan.calls, assignment.limits)
    except GraderFault:
        # A fault of ours may be passing (a worker that was killed); it is tried once more, never marked.
        return runner.run(submission.cells, plan.calls, assignment.limits)


def judge_all(
    content: Content,
    assignment: Assignment,
    sheet: Sheet,
    submission: Submission,
    plan: Plan,
    run: Run,
    *,
    runner: Runner | None = None,
) -> list[Judgement]:
    """Judgements in the order of the assignment's parts; code is run further where there is a ``runner``."""

    def rerun(calls: Sequence[Call]) -> Sequence[Outcome]:
        assert runner is not None
        return runner.run(submission.cells, calls, assignment.limits).outcomes

    wrong: list[str] = []
    coded: dict[tuple[str, str], Judgement] = {}
    # Operations first: composed functions are judged in the light of what was wrong before.
    for entry in sorted(plan.parts, key=lambda entry: isinstance(entry.part, ComposePart)):
        judgement = judge_code(
            content,
            entry,
            run.outcomes,
            policy=assignment.policy,
            wrong_so_far=wrong,
            rerun=rerun if runner is not None else None,
        )
        coded[entry.exercise.slug, entry.function] = judgement
        if isinstance(entry.part, CodePart) and judgement.verdict is not Verdict.RIGHT:
            wrong.append(entry.function)
    by_hand = traced(content, assignment, sheet, submission)
    judgements: list[Judgement] = []
    for exercise in assignment.exercises:
        for part in exercise.parts:
            if isinstance(part, CodePart | ComposePart):
                judgements.append(coded[exercise.slug, part.function])
            elif isinstance(part, TracePart):
                judgements.extend(by_hand[exercise.slug, stage] for stage in part.stages)
            else:
                judgements.extend(_asked(content, assignment, sheet, submission, exercise, part, runner))
    return judgements


def _asked(
    content: Content,
    assignment: Assignment,
    sheet: Sheet,
    submission: Submission,
    exercise: Exercise,
    part: Any,
    runner: Runner | None,
) -> Sequence[Judgement]:
    """Judgements of any further way of asking."""
    from headwork.answers.asking import mark_asked

    problem = sheet.problems[exercise.slug]
    return mark_asked(
        content=content,
        exercise=exercise,
        part=part,
        instance=problem.instance,
        typed=submission.answers.get(exercise.slug, {}),
        policy=assignment.policy,
        stream_seed=bytes.fromhex(problem.digest),
        runner=runner,
    )


def _waiting_notices(assignment: Assignment, waiting: Sequence[Judgement]) -> list[str]:
    """For the person who marks: what waits, for how many points, and what to look for."""
    rubrics = {
        (exercise.slug, part.slug): "; ".join(getattr(part, "rubric", ()))
        for exercise in assignment.exercises
        for part in exercise.parts
        if not isinstance(part, CodePart | ComposePart | TracePart)
    }
    return [
        f"{found.exercise}: {found.part} waits for a person ({found.maximum} points). "
        f"Look for: {rubrics.get((found.exercise, found.part), '')}"
        for found in waiting
    ]


def _load_messages(run: Run) -> list[str]:
    return [f"Your file: {_load_sentence(error)}" for error in run.load_errors]


def _load_notices(run: Run) -> list[str]:
    return [f"while loading: {_load_sentence(error)}" for error in run.load_errors]


def _load_sentence(error: Any) -> str:
    name = getattr(error, "exception", "")
    if name:
        line = f" in line {error.line}" if error.line else ""
        return f"{name[:60]}{line}; what could be read apart from that was graded."
    seconds = getattr(error, "seconds", None)
    if seconds is not None:
        return f"it ran longer than {seconds:g} s while loading and was stopped."
    return f"it ended while loading ({getattr(error, 'reason', 'unknown')})."


def _ungraded(assignment: Assignment, submission: Submission, runner: Runner, fingerprint: str) -> Report:
    status = Status.NOT_GRADABLE if submission.unreadable else Status.NEEDS_ATTENTION
    return Report(
        assignment=assignment.name,
        student=submission.student,
        status=status,
        judgements=(),
        total=Fraction(0),
        maximum=assignment.maximum,
        reason=submission.unreadable or submission.needs_attention or "",
        notices=submission.notices,
        messages=submission.messages,
        isolation=runner.tier.name,
        submission_digest=submission.digest,
        fingerprint=fingerprint,
    )
