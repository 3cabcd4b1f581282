"""Does a test file catch the known mistakes, and does it leave right answers alone?

Every implementation meets the tests in a locked child of its own, in an order that says nothing, so a
verdict rests on behaviour alone. A test that rejects the reference says nothing about anything else.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from headwork.draw.stream import Stream
from headwork.handout.asked import asked_functions
from headwork.model import CourseError, Exercise, Limits
from headwork.mutants.catching import Catch, catch_for
from headwork.mutants.implementations import Bench, Implementation, bench_for, right_ones, wrong_ones
from headwork.mutants.trial import Tests, Trial, compiled_tests, limits_after, try_out
from headwork.rooms import Content
from headwork.sandbox import Runner

_IMPORTED = re.compile(r"^[ \t]*from[ \t]+attention[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_ALIAS = re.compile(r"^[ \t]*import[ \t]+attention(?:[ \t]+as[ \t]+(\w+))?", re.MULTILINE)
_NAME = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A mistake that the tests let pass, and an input on which it shows."""

    slug: str
    title: str
    function: str
    catch: Catch


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A right implementation that the tests do not accept, and what they said."""

    slug: str
    title: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was found about one test file."""

    functions: tuple[str, ...]
    caught: tuple[str, ...]
    missed: tuple[Missed, ...]
    rejected: tuple[Rejected, ...]
    accepted: int
    alike: tuple[str, ...]
    """Mistakes that gave the right answer on every input that was tried; no test is asked to catch them."""
    isolation: str
    seconds: float

    @property
    def fine(self) -> bool:
        """Nothing missed and nothing right rejected."""
        return not self.missed and not self.rejected


def read_tests(path: Path) -> str:
    """The text of a test file. Raises CourseError."""
    from headwork.collect.text import decoded

    try:
        return decoded(path.read_bytes()).text
    except OSError as error:
        raise CourseError(f"{path}: {error.strerror or error}") from error


def functions_spoken_of(test: str, known: Sequence[str]) -> tuple[str, ...]:
    """The functions that a test file imports from ``attention``; where it imports none by name, those that it calls or quotes."""
    names: set[str] = set()
    for imported in _IMPORTED.findall(test):
        names.update(_NAME.findall(imported))
    for alias in _ALIAS.findall(test):
        names.update(re.findall(rf"\b{re.escape(alias or 'attention')}\.(\w+)", test))
    if not names & set(known):
        names = {
            name for name in known if re.search(rf"""\b{name}\s*\(|["']{name}["']|def \w+\([^)]*\b{name}\b""", test)
        }
    return tuple(name for name in known if name in names)


def bench_of(content: Content, test: str, exercises: Sequence[Exercise] = ()) -> Bench:
    """The bench for a test file: the functions that ``exercises`` ask for, or else those that the file speaks of.

    Raises CourseError where it speaks of none.
    """
    if exercises:
        bench = bench_for(content, exercises)
    else:
        known = [asked.name for asked in asked_functions(content, content.exercises.values())]
        bench = bench_for(content, list(content.exercises.values()), functions_spoken_of(test, known))
    if not bench.functions:
        raise CourseError(
            "the test file imports, calls or quotes no function that an exercise asks for; name --exercise"
        )
    return bench


def mutate(bench: Bench, test: str, runner: Runner, *, limits: Limits | None = None) -> Iterator[Findings | str]:
    """Yield a name for every implementation that was tried, and at the end the findings.

    Raises CourseError where the reference itself is not accepted: then nothing else can be learnt.
    """
    limits = limits or Limits()
    start = time.monotonic()
    right = right_ones(bench)
    tests = compiled_tests(runner, test, limits=limits)
    if isinstance(tests, Trial):
        raise CourseError(f"the test file cannot be run: {tests.reason}")
    first = try_out(runner, implementation=right[0].source, test=tests, limits=limits, to_the_end=True)
    if not first.accepts:
        raise CourseError(f"the tests do not accept the reference: {first.reason}")
    wrong = _one_each(bench)
    shorter = limits_after(time.monotonic() - start, limits)
    caught: list[str] = []
    missed: list[Missed] = []
    rejected: list[Rejected] = []
    alike: list[str] = []
    mixed = Stream(test.encode("utf-8", "replace")).shuffled([*right[1:], *wrong])
    for one in mixed:
        trial = _tried(runner, one, tests, shorter, limits)
        if one.mistake is None and not trial.accepts:
            rejected.append(Rejected(slug=one.slug, title=one.title, why=trial.reason))
        elif one.mistake is not None and trial.accepts:
            catch = catch_for(bench, one)
            if catch is None:
                alike.append(one.slug)
            else:
                missed.append(Missed(slug=one.slug, title=one.title, function=one.function, catch=catch))
        elif one.mistake is not None:
            caught.append(one.slug)
        yield one.slug
    yield Findings(
        functions=tuple(asked.name for asked in bench.functions),
        caught=tuple(sorted(caught)),
        missed=tuple(sorted(missed, key=lambda one: one.slug)),
        rejected=tuple(sorted(rejected, key=lambda one: one.slug)),
        accepted=len(right) - len(rejected),
        alike=tuple(sorted(alike)),
        isolation=runner.tier.name,
        seconds=time.monotonic() - start,
    )


def _tried(runner: Runner, one: Implementation, test: Tests, shorter: Limits, limits: Limits) -> Trial:
    trial = try_out(runner, implementation=one.source, test=test, limits=shorter)
    if one.mistake is None and trial.ended:
        return try_out(runner, implementation=one.source, test=test, limits=limits)  # a slow right answer is right
    return trial


def _one_each(bench: Bench) -> list[Implementation]:
    """One wrong implementation per mistake: of several composed functions, the first in which it shows."""
    by_mistake: dict[str, list[Implementation]] = {}
    for one in wrong_ones(bench):
        by_mistake.setdefault(one.slug, []).append(one)
    return [
        next((one for one in several[:-1] if catch_for(bench, one) is not None), several[-1])
        for several in by_mistake.values()
    ]


def lines_of(findings: Findings) -> Iterator[str]:
    """The findings for the terminal."""
    for one in findings.rejected:
        yield f"REJECTS a right implementation ({one.slug}: {one.title})"
        yield f"  {one.why}"
    for missed in findings.missed:
        yield f"MISSES {missed.slug}: {missed.title}"
        yield f"  try {missed.catch.call()}"
        yield f"  {missed.catch.difference()}"
    for slug in findings.alike:
        yield f"left out {slug}: gave the right answer on everything that was tried"
    known = len(findings.caught) + len(findings.missed)
    yield (
        f"{', '.join(findings.functions)}: {len(findings.caught)} of {known} mistakes caught, {findings.accepted} of "
        f"{findings.accepted + len(findings.rejected)} right implementations accepted "
        f"({findings.seconds:.1f} s, isolation {findings.isolation})"
    )


def record_of(findings: Findings) -> dict[str, Any]:
    """The findings as JSON."""
    return {
        "functions": list(findings.functions),
        "caught": list(findings.caught),
        "missed": [
            {
                "mistake": one.slug,
                "title": one.title,
                "function": one.function,
                "arguments": {name: _plain(value) for name, value in one.catch.arguments.items()},
                "right": _plain(one.catch.right),
                "wrong": None if one.catch.wrong is None else _plain(one.catch.wrong),
                "difference": one.catch.difference(),
            }
            for one in findings.missed
        ],
        "rejected": [{"slug": one.slug, "title": one.title, "why": one.why} for one in findings.rejected],
        "accepted": findings.accepted,
        "left_out": list(findings.alike),
        "isolation": findings.isolation,
    }


def _plain(value: Any) -> Any:
    """Nested lists; what JSON has no number for as text."""
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(part) for part in cast(Sequence[Any], value)]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value
