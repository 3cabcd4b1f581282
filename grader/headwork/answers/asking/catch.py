"""Catch: the student writes a test, and it is held against right code and against code with known mistakes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from headwork.answers.asking.scene import NONE, Finding, Question, Scene, question_of, right, unreadable, wrong
from headwork.model import ContentError, Limits, Verdict

if TYPE_CHECKING:
    from headwork.mutants.implementations import Bench, Implementation
    from headwork.mutants.trial import Tests, Trial
    from headwork.sandbox import Runner

_QUICK = Limits(wall=2.0, total=2.0)
_PATIENT = Limits(wall=10.0, total=10.0)
_CAUSE = re.compile(r"[A-Za-z_]\w{0,39}(?: in line \d{1,6})?")
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchMistakes:
    """Write a test for a function. Points go by the share of known mistakes that it catches.

    A test that rejects right code earns nothing: it would send people looking for mistakes that are not there.
    """

    slug: str
    points: Fraction
    question: str
    function: str
    """The operation under test. The test gets it as an argument of this name, or imports it from attention."""
    example: str = field(repr=False)
    """A test that catches everything; for the key."""
    leave_out: tuple[str, ...] = ()
    """Slugs of mistakes that need not be caught."""

    @property
    def kind(self) -> str:
        """The way of asking."""
        return "catch"

    def asked(self, scene: Scene) -> Question:
        """The question. Raises ContentError where no exercise asks for the function."""
        _bench(self, scene)
        return question_of(
            self,
            scene,
            how=f"Python: def test_{self.function}({self.function}): and lines with assert; np and pytest are there",
        )

    def key(self, scene: Scene) -> str:
        """The test that catches everything."""
        return self.example

    def judge(self, scene: Scene, typed: str) -> Finding:
        """Run the test on right code first, then on every mistake. Raises GraderFault."""
        from headwork.mutants.implementations import right_ones
        from headwork.mutants.trial import Trial, compiled_tests

        if scene.runner is None:
            summary = "was not run: there is no sandbox here"
            return Finding(verdict=Verdict.ATTENTION, share=NONE, summary=summary, read_as=typed)
        tests = compiled_tests(scene.runner, typed, limits=_QUICK, ready=True)
        if isinstance(tests, Trial):
            return unreadable(f"cannot be run: {tests.reason}")
        bench = _bench(self, scene)
        for one in scene.stream.shuffled(right_ones(bench)):
            trial = _on_right(scene.runner, one, tests)
            if not trial.accepts:
                return _rejected(one, trial, key=self.example)
        return self._caught(scene, bench, tests)

    def _caught(self, scene: Scene, bench: Bench, tests: Tests) -> Finding:
        from headwork.mutants.trial import try_out

        assert scene.runner is not None
        known = scene.stream.shuffled(_wrong_to_catch(self, bench))
        missed = [
            one for one in known if try_out(scene.runner, implementation=one.source, test=tests, limits=_QUICK).accepts
        ]
        caught = len(known) - len(missed)
        if not missed:
            return right(f"catches all {len(known)} known mistakes", right_answer=self.example)
        return wrong(
            f"catches {caught} of {len(known)} known mistakes, and accepts what is right",
            share=Fraction(caught, len(known)),
            messages=_named(missed),
            right_answer=self.example,
        )


def _bench(part: CatchMistakes, scene: Scene) -> Bench:
    from headwork.mutants.implementations import bench_for

    bench = bench_for(scene.content, list(scene.content.exercises.values()), {part.function})
    if not bench.functions:
        raise ContentError(f"{scene.exercise.path}: {part.slug}: no exercise asks for a function {part.function!r}")
    return bench


def _wrong_to_catch(part: CatchMistakes, bench: Bench) -> list[Implementation]:
    """Those that can be caught at all, each with an input that does it."""
    from headwork.mutants.catching import catch_for
    from headwork.mutants.implementations import wrong_ones

    return [one for one in wrong_ones(bench) if one.slug not in part.leave_out and catch_for(bench, one) is not None]


def _on_right(runner: Runner, one: Implementation, tests: Tests) -> Trial:
    from headwork.mutants.trial import try_out

    trial = try_out(runner, implementation=one.source, test=tests, limits=_QUICK)
    if trial.ended:  # a busy machine must not make right code look rejected
        return try_out(runner, implementation=one.source, test=tests, limits=_PATIENT)
    return trial


def _rejected(one: Implementation, trial: Trial, *, key: str) -> Finding:
    """Nothing but our own words, the kind of an exception and a line: the rest the test may have made up."""
    if not trial.tests and not trial.load and not trial.ended:
        return unreadable("there is no function in it whose name begins with test")
    said = trial.load or (trial.failed[0].why if trial.failed else "")
    cause = _CAUSE.match(said)
    why = trial.ended or (cause[0] if cause else "no test ran to its end")
    if one.slug == "reference":
        which = "the right code"
    else:
        which = f"right code that is written in another way ({one.title[:1].lower()}{one.title[1:]})"
    return wrong(
        f"rejects {which}, so it catches nothing for sure",
        messages=(f"There it ended so: {why}.", "Compare with what must hold, and leave room for rounding (1e-5)."),
        right_answer=key,
    )


def _named(missed: Sequence[Implementation]) -> tuple[str, ...]:
    """The first few mistakes that got through, by title; a test that lets the rest through learns of them next time."""
    titles = sorted(one.title for one in missed)
    named = [f"It lets through: {title.rstrip('.')}." for title in titles[:_MOST_NAMED]]
    rest = len(titles) - len(named)
    return (*named, f"And {rest} more.") if rest > 0 else tuple(named)
