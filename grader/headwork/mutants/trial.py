"""A test file against one implementation: a fresh locked child, and what it told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from headwork.model import Call, Killed, Limits, Missing, Outcome, Raised, Returned, TimedOut
from headwork.reports.shown_text import shown_line
from headwork.sandbox import Runner

_INSIDE = Path(__file__).resolve().parent / "inside"
LARGEST_TEST = 1 << 17
_MOST_TESTS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """One test: its name, "passed", "failed" or "skipped", and the first words of why."""

    name: str
    ended: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What a test file said of one implementation. Every word comes from a child that may lie."""

    tests: tuple[Tested, ...] = ()
    load: str = ""
    """What kept the file from loading."""
    ended: str = ""
    """How the child ended, where it did not come to its end."""

    @property
    def accepts(self) -> bool:
        """No test failed, and at least one passed."""
        return not self.load and not self.ended and not self.failed and any(one.ended == "passed" for one in self.tests)

    @property
    def failed(self) -> tuple[Tested, ...]:
        """The tests that failed."""
        return tuple(one for one in self.tests if one.ended == "failed")

    @property
    def reason(self) -> str:
        """Why it does not accept, in a line; empty where it does."""
        if self.accepts:
            return ""
        if self.load or self.ended:
            return self.load or self.ended
        if not self.failed:
            return "no test ran" if self.tests else "there is no function whose name begins with test"
        return f"{self.failed[0].name}: {self.failed[0].why}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tests:
    """A test file, compiled in a child; here it is bytes that are never looked into."""

    code: Any
    ready: bool
    """Whether np and pytest are there without an import."""


def compiled_tests(runner: Runner, source: str, *, limits: Limits, ready: bool = False) -> Tests | Trial:
    """A test file that can be tried out, or why it cannot. Raises GraderFault."""
    if len(source) > LARGEST_TEST:
        return Trial(load=f"the file has more than {LARGEST_TEST} characters and was not run")
    call = Call(function="compiled", arguments=(source,), expected_bytes=8 * len(source))
    outcome = runner.run(_cells(), (call,), limits).outcomes[0]
    if isinstance(outcome, Returned) and outcome.value.dtype == np.uint8:
        return Tests(code=outcome.value, ready=ready)
    if isinstance(outcome, Returned) and outcome.value.shape == ():
        return Trial(load=f"line {int(outcome.value)} is not Python")
    return _read(outcome)


def try_out(runner: Runner, *, implementation: str, test: Tests, limits: Limits, to_the_end: bool = False) -> Trial:
    """Run a test file against one implementation, up to the first failure or ``to_the_end``.

    The child gets code and text, and nothing that says whether the implementation is right. Raises GraderFault.
    """
    call = Call(function="examine", arguments=(implementation, test.code, not to_the_end, test.ready))
    return _read(runner.run(_cells(), (call,), limits).outcomes[0])


@cache
def _cells() -> tuple[str, ...]:
    return tuple((_INSIDE / name).read_text(encoding="utf-8") for name in ("pytest_parts.py", "test_runs.py"))


def _read(outcome: Outcome) -> Trial:
    match outcome:
        case Returned(value=value):
            return _told(value.tobytes())
        case TimedOut(seconds=seconds):
            return Trial(ended=f"it ran longer than {seconds:g} s and was stopped")
        case Killed(reason=reason):
            return Trial(ended=f"it ended the run ({reason})")
        case Raised(exception=name):
            return Trial(ended=f"it ended in {name}")
        case Missing(reason=reason):
            return Trial(ended=reason)
        case _:
            return Trial(ended="it gave no answer")


def _told(data: bytes) -> Trial:
    try:
        told = json.loads(data)
        load, tests = told["load"], cast(Sequence[Any], told["tests"])
        found = tuple(
            Tested(name=shown_line(str(name)), ended=ended, why=shown_line(str(why), longest=200))
            for name, ended, why in tests[:_MOST_TESTS]
            if ended in ("passed", "failed", "skipped")
        )
        return Trial(load=shown_line(str(load), longest=200), tests=found)
    except (ValueError, TypeError, KeyError, RecursionError):
        return Trial(ended="answers that cannot be read")


def limits_after(seconds: float, limits: Limits) -> Limits:
    """Limits for wrong implementations, where a right one took ``seconds``: one that hangs is not waited for long."""
    wall = min(limits.wall, max(1.0, 5 * seconds))
    return replace(limits, wall=wall, total=wall)
