"""The content check: every stub fails, every solution passes, every mistake shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwork.assignment import Assignment, ad_hoc
from headwork.draw.certify import blind_spots, stage_for
from headwork.draw.effort import effort_spread
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.handout.stubs import attention_py
from headwork.marking.grade import judge_all
from headwork.marking.planner import Planner
from headwork.mistakes import applicable
from headwork.model import CodePart, CourseError, Exercise, Judgement, Mistake, Operation, Submission, Verdict
from headwork.rooms import Content, load_content
from headwork.sandbox import Runner, open_runner
from headwork.solution_file import self_contained_body, solution_source


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One finding."""

    ok: bool
    text: str


def check_content(extra: Iterable[Path] = (), *, seeds: int, isolation: str = "auto") -> Iterator[Line]:
    """Check every exercise over ``seeds`` draws, and run stubs, solutions and mistakes as submissions.

    Raises ContentError where a file can't be loaded at all.
    """
    content = load_content(extra)
    with open_runner(isolation) as runner:
        for exercise in content.exercises.values():
            assignment = ad_hoc("check", [exercise])
            yield _draws(content, assignment, seeds)
            if exercise.hand_chain is not None and exercise.shows_numbers:
                yield _effort(content, exercise, seeds)
            if any(isinstance(part, CodePart) or hasattr(part, "target") for part in exercise.parts):
                yield _stub(content, assignment, runner)
                yield _solution(content, assignment, runner)
                yield from _mistakes(content, exercise, runner)


def _draws(content: Content, assignment: Assignment, seeds: int) -> Line:
    slug = assignment.exercises[0].slug
    blind: list[str] = []
    mistakes: set[str] = set()
    for seed in range(seeds):
        try:
            sheet = draw_sheet(content, assignment, secret=seed_from_integer(seed), student="check")
        except CourseError as error:
            return Line(ok=False, text=f"{slug}: seed {seed}: {error}")
        for certificate in sheet.certificates:
            mistakes.update(distance.mistake for distance in certificate.distances)
            blind += blind_spots(content, certificate)
    if blind:
        return Line(ok=False, text=f"{slug}: not every mistake shows: {', '.join(sorted(set(blind)))}")
    return Line(ok=True, text=f"{slug}: {len(mistakes)} mistakes show on each of {seeds} draws")


def _effort(content: Content, exercise: Exercise, seeds: int) -> Line:
    """Whether every student's hand numbers are the same work, give or take a tenth."""
    spread = effort_spread(content, exercise, range(seeds))
    about = f"{exercise.slug}: by hand {spread.text} in {spread.variants} variants"
    return Line(ok=spread.is_even, text=about if spread.is_even else f"{about}: not equally hard")


def _judged(content: Content, assignment: Assignment, runner: Runner, source: str) -> list[Judgement]:
    secret = seed_from_integer(0)
    sheet = draw_sheet(content, assignment, secret=secret, student="check")
    plan = Planner(content, assignment, secret=secret).plan(sheet)
    submission = Submission(student="check", cells=(source,))
    run = runner.run(submission.cells, plan.calls, assignment.limits)
    judged = judge_all(content, assignment, sheet, submission, plan, run, runner=runner)
    return [judgement for judgement in judged if judgement.kind in ("code", "compose")]


def _stub(content: Content, assignment: Assignment, runner: Runner) -> Line:
    slug = assignment.exercises[0].slug
    judged = _judged(content, assignment, runner, attention_py(assignment.exercises, content))
    passed = [judgement.part for judgement in judged if judgement.points]
    if passed:
        return Line(ok=False, text=f"{slug}: the untouched stub earns points for {', '.join(passed)}")
    return Line(ok=True, text=f"{slug}: the stub earns nothing")


def _solution(content: Content, assignment: Assignment, runner: Runner) -> Line:
    slug = assignment.exercises[0].slug
    judged = _judged(content, assignment, runner, solution_source(content, assignment.exercises))
    failed = [f"{one.part} ({one.summary})" for one in judged if one.verdict is not Verdict.RIGHT]
    if failed:
        return Line(ok=False, text=f"{slug}: the solution is not right in {'; '.join(failed)}")
    return Line(ok=True, text=f"{slug}: the solution earns everything")


def _mistakes(content: Content, exercise: Exercise, runner: Runner) -> Iterator[Line]:
    """Every mistake that fits into the isolated function, run as a student's file."""
    assignment = ad_hoc("check", [exercise])
    for part in exercise.parts:
        if not isinstance(part, CodePart):
            continue
        chain = content.chains[exercise.code_chains[0]]
        stage = stage_for(chain, part.operation)
        found = [
            mistake
            for mistake in content.mistakes_of(chain)
            if mistake.target == part.operation
            and applicable(chain, mistake, frozenset(chain.stages[stage].needs), stage=stage)
        ]
        operation = chain.stages[stage].operation
        passed: list[str] = []
        named = 0
        for mistake in found:
            source = mistaken_source(content, [exercise], operation, mistake)
            judged = next(one for one in _judged(content, assignment, runner, source) if one.part == part.operation)
            passed += [mistake.slug] if judged.verdict is Verdict.RIGHT else []
            named += judged.diagnosis is not None and mistake.slug in judged.diagnosis.mistakes
        if passed:
            yield Line(ok=False, text=f"{exercise.slug}: {part.operation}: judged right: {', '.join(passed)}")
        elif found:
            text = f"{exercise.slug}: {part.operation}: all {len(found)} mistakes caught, {named} named"
            yield Line(ok=True, text=text)


def mistaken_source(content: Content, exercises: Sequence[Exercise], operation: Operation, mistake: Mistake) -> str:
    """A student's file that is right but for one known mistake in one function."""
    return solution_source(content, exercises, instead={operation.name: self_contained_body(mistake.function)})
