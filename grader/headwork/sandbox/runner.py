"""Running a submission: one child for all of it, and another only where one hung or was lost."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

from headwork.model import (
    Array,
    Call,
    GraderFault,
    Killed,
    Limits,
    Missing,
    NotRun,
    Outcome,
    Raised,
    Result,
    Returned,
    Run,
    TimedOut,
)
from headwork.sandbox import frames
from headwork.sandbox.answers import Malformed, load_errors_of, outcome_of
from headwork.sandbox.converse import Talk, converse
from headwork.sandbox.workers import Worker, WorkerLost

_ORDINARY = Limits()
_UNREADABLE = Killed(reason="answers that cannot be read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """How well submissions are locked in: what the probe really saw denied, not what was asked for."""

    name: str
    """"full", "base" or "limits"."""
    platform: str
    landlock_abi: int
    denied: tuple[str, ...]
    note: str
    """A sentence for reports."""


class Runner(Protocol):
    """Runs submissions, one at a time. Not for several threads at once."""

    @property
    def tier(self) -> Tier:
        """How submissions are locked in."""
        ...

    def run(self, cells: Sequence[str], calls: Sequence[Call], limits: Limits = ...) -> Run:
        """Load ``cells`` into one namespace and make ``calls`` in order. Raises GraderFault."""
        ...

    def close(self) -> None:
        """End the processes that serve us."""
        ...

    def __enter__(self) -> Runner:
        """Use it as a context manager."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        ...


class ChildRunner:
    """The Runner of all tiers; they differ in where children come from."""

    def __init__(self, worker: Worker, tier: Tier) -> None:
        """Takes over ``worker``."""
        self._worker = worker
        self.tier = tier

    def run(self, cells: Sequence[str], calls: Sequence[Call], limits: Limits = _ORDINARY) -> Run:
        """See Runner."""
        if sum(map(len, cells)) > limits.source:
            reason = f"the code has more than {limits.source} characters and was not run"
            return Run(outcomes=tuple(Missing(reason=reason) for _ in calls), tier=self.tier.name)
        submission = _Submission(cells, calls, limits)
        while submission.to_do():
            submission.take(*self._try(submission, limits))
        return Run(
            outcomes=submission.outcomes(),
            load_errors=submission.load_errors(),
            printed=submission.printed.decode("utf-8", "replace"),
            tier=self.tier.name,
        )

    def _try(self, submission: _Submission, limits: Limits) -> tuple[_Heard, Talk]:
        """One child. A fault of the machine is tried once more."""
        reason = ""
        for _ in range(2):
            heard = submission.listener()
            try:
                child = self._worker.start(limits)
                try:
                    talk = converse(child, submission.job(), heard, limits, left=submission.seconds_left)
                finally:
                    child.close()
            except WorkerLost as error:
                self._worker.close()
                reason = str(error)
                continue
            if heard.ready:
                return heard, talk
            reason = talk.printed.decode("utf-8", "replace").strip() or talk.ending
        raise GraderFault(f"the sandbox does not start: {reason}")

    def close(self) -> None:
        """See Runner."""
        self._worker.close()

    def __enter__(self) -> ChildRunner:
        """Use it as a context manager."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


class _Submission:
    """What is known of one submission so far, over one or several children."""

    def __init__(self, cells: Sequence[str], calls: Sequence[Call], limits: Limits) -> None:
        self._cells, self._calls, self._limits = tuple(cells), tuple(calls), limits
        self._outcomes: dict[int, Outcome] = {}
        self._loads: dict[int, list[Raised | TimedOut | Killed]] = {}
        self._trouble: dict[int, int] = {}
        """Cell -> how often loading it hung or ended a child."""
        self._barred: dict[str, TimedOut | Killed] = {}
        self._sent: tuple[int, ...] = ()
        self.seconds_left = limits.total
        self.printed = b""
        for place, call in enumerate(self._calls):
            if any(isinstance(part, Result) and not 0 <= part.index < place for part in call.arguments):
                raise GraderFault(f"call {place} needs the result of a later call")

    def to_do(self) -> tuple[int, ...]:
        """The calls that have no outcome yet; those that can have none get it here."""
        for place, call in enumerate(self._calls):
            if place in self._outcomes:
                continue
            if call.function in self._barred:
                self._outcomes[place] = self._barred[call.function]
            elif (blame := self._starved(call)) is not None:
                self._outcomes[place] = NotRun(blame=blame)
            elif self.seconds_left <= 0:
                self._outcomes[place] = TimedOut(seconds=self._limits.total)
        return tuple(place for place in range(len(self._calls)) if place not in self._outcomes)

    def _starved(self, call: Call) -> int | None:
        """The call that an argument was to come from and that gave none: the first in the row."""
        for part in call.arguments:
            if isinstance(part, Result) and part.index in self._outcomes:
                found = self._outcomes[part.index]
                if isinstance(found, NotRun):
                    return found.blame
                if not isinstance(found, Returned):
                    return part.index
        return None

    def job(self) -> bytes:
        self._sent = self.to_do()
        known: Mapping[int, Array] = {
            place: found.value for place, found in self._outcomes.items() if isinstance(found, Returned)
        }
        return frames.job(
            self._cells,
            [self._calls[place] for place in self._sent],
            known,
            {place: position for position, place in enumerate(self._sent)},
            skip=[cell for cell, times in self._trouble.items() if times > 1],
            definitions=[cell for cell, times in self._trouble.items() if times == 1],
        )

    def listener(self) -> _Heard:
        return _Heard(len(self._cells), [self._calls[place] for place in self.to_do()], self.load_errors())

    def take(self, heard: _Heard, talk: Talk) -> None:
        """Add what one child told, and settle what it hung or ended on."""
        self.seconds_left -= talk.seconds
        self.printed = (self.printed + talk.printed)[: self._limits.output]
        for cell, errors in heard.loads.items():
            if cell not in self._trouble:
                self._loads[cell] = list(errors)
        for position, outcome in heard.outcomes.items():
            self._outcomes.setdefault(self._sent[position], outcome)
        for place in self._sent[: heard.answered]:
            if place not in self._outcomes:  # the child had no value for an argument
                blame = self._starved(self._calls[place])
                self._outcomes[place] = _UNREADABLE if blame is None else NotRun(blame=blame)
        if heard.ended:
            return
        end = _end_of(talk, self._limits)
        if len(heard.loads) < len(self._cells):
            cell = len(heard.loads)
            self._trouble[cell] = self._trouble.get(cell, 0) + 1
            if self._trouble[cell] == 1:
                self._loads.setdefault(cell, []).append(end)
            if self._trouble[cell] > 2:
                self._give_up(end)
            return
        if heard.answered < len(self._sent):
            place = self._sent[heard.answered]
            self._barred[self._calls[place].function] = end
            self._outcomes[place] = end

    def _give_up(self, end: TimedOut | Killed) -> None:
        """A skipped cell cannot end a child; what does so all the same gets no further try."""
        for place in self.to_do():
            self._outcomes[place] = end

    def load_errors(self) -> tuple[Raised | TimedOut | Killed, ...]:
        return tuple(error for cell in sorted(self._loads) for error in self._loads[cell])

    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(self._outcomes[place] for place in range(len(self._calls)))


class _Heard:
    """Listens to one child. Frames count only in their order: every cell, every call, the end."""

    def __init__(self, cells: int, calls: Sequence[Call], earlier: tuple[Any, ...]) -> None:
        self._cells, self._calls, self._earlier = cells, calls, earlier
        self._reader = frames.FrameReader(most_body=max(map(frames.cap_of, calls), default=0))
        self.loads: dict[int, list[Raised]] = {}
        self.outcomes: dict[int, Outcome] = {}
        self.answered = 0
        self.heard = 0
        self.ready = self.ended = False
        self._malformed = False

    @property
    def broken(self) -> bool:
        return self._malformed or self._reader.broken

    def feed(self, data: bytes) -> None:
        for header, body in self._reader.feed(data):
            if self.ended or self._malformed:
                return
            try:
                self._hear(header, body)
            except (Malformed, TypeError, OverflowError):
                self._malformed = True
                return
            self.heard += 1

    def _hear(self, header: dict[str, Any], body: bytes) -> None:
        if not self.ready:
            if header != {"ready": True} or body:
                raise Malformed("not ready")
            self.ready = True
        elif len(self.loads) < self._cells:
            cell = len(self.loads)
            if header.get("cell") != cell or body:
                raise Malformed("not the next cell")
            self.loads[cell] = [dataclasses.replace(error, cell=cell) for error in load_errors_of(header.get("errors"))]
        elif self.answered < len(self._calls):
            if header.get("call") != self.answered:
                raise Malformed("not the next call")
            if header.get("unfed") is not True:
                errors = (*self._earlier, *(error for found in self.loads.values() for error in found))
                call = self._calls[self.answered]
                self.outcomes[self.answered] = outcome_of(header, body, call, errors)
            self.answered += 1
        elif header.get("end") is True:
            self.ended = True
        else:
            raise Malformed("more than was asked for")


def _end_of(talk: Talk, limits: Limits) -> TimedOut | Killed:
    """How a child ended that did not come to its end."""
    if talk.ending == "time":
        return TimedOut(seconds=limits.wall)
    if talk.ending == "total":
        return TimedOut(seconds=limits.total)
    if talk.ending == "output":
        return Killed(reason="output")
    if talk.ending == "broken":
        return _UNREADABLE
    status = talk.status
    if status is None or 0 <= status < 128:
        return Killed(reason="exit")
    number = -status if status < 0 else status - 128
    if number == 24:  # SIGXCPU
        return TimedOut(seconds=limits.total)
    return Killed(reason="memory" if number == 9 else f"signal {number}")
