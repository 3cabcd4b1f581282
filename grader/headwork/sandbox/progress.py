"""What is known of one submission, over one or several children, and what is to be made of their frames."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from headwork.model import (
    Array,
    Call,
    GraderFault,
    Killed,
    Limits,
    NotRun,
    Outcome,
    Raised,
    Result,
    Returned,
    TimedOut,
)
from headwork.sandbox import frames
from headwork.sandbox.answers import Malformed, load_errors_of, outcome_of
from headwork.sandbox.converse import Talk

_UNREADABLE = Killed(reason="answers that cannot be read")


class Submission:
    """The outcomes so far, and the job that is still to be done."""

    def __init__(self, cells: Sequence[str], calls: Sequence[Call], limits: Limits) -> None:
        """Raises GraderFault where a call wants the result of a later one."""
        self._cells, self._calls, self._limits = tuple(cells), tuple(calls), limits
        self._outcomes: dict[int, Outcome] = {}
        self._loads: dict[int, list[Raised | TimedOut | Killed]] = {}
        self._trouble: dict[int, int] = {}
        """Cell -> how often loading it hung or ended a child."""
        self._barred: dict[str, TimedOut | Killed] = {}
        self._sent: tuple[int, ...] = ()
        self.seconds_left = limits.total
        self.printed = b""
        self._needs: dict[int, list[int]] = {}
        """Call -> the calls whose results it is given."""
        for place, call in enumerate(self._calls):
            for part in call.arguments:
                if isinstance(part, Result):
                    self._needs.setdefault(place, []).append(part.index)
                    if not 0 <= part.index < place:
                        raise GraderFault(f"call {place} needs the result of a later call")

    def to_do(self) -> tuple[int, ...]:
        """The calls that have no outcome yet; those that can have none get it here."""
        for place, call in enumerate(self._calls):
            if place in self._outcomes:
                continue
            if call.function in self._barred:
                self._outcomes[place] = self._barred[call.function]
            elif (blame := self._starved(place)) is not None:
                self._outcomes[place] = NotRun(blame=blame)
            elif self.seconds_left <= 0:
                self._outcomes[place] = TimedOut(seconds=self._limits.total)
        self._sent = tuple(place for place in range(len(self._calls)) if place not in self._outcomes)
        return self._sent

    def _starved(self, place: int) -> int | None:
        """The call that an argument was to come from and that gave none: the first in the row."""
        for need in self._needs.get(place, ()):
            if need in self._outcomes:
                found = self._outcomes[need]
                if isinstance(found, NotRun):
                    return found.blame
                if not isinstance(found, Returned):
                    return need
        return None

    def job(self) -> bytes:
        """What ``to_do`` found, as bytes for a child."""
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

    def listener(self) -> Heard:
        """Ears for the child that gets ``job``."""
        return Heard(len(self._cells), [self._calls[place] for place in self._sent], self.load_errors())

    def take(self, heard: Heard, talk: Talk) -> None:
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
                blame = self._starved(place)
                self._outcomes[place] = _UNREADABLE if blame is None else NotRun(blame=blame)
        if heard.ended:
            return
        end = end_of(talk, self._limits)
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
        """What went wrong while loading, cell by cell."""
        return tuple(error for cell in sorted(self._loads) for error in self._loads[cell])

    def outcomes(self) -> tuple[Outcome, ...]:
        """One per call, in order, when nothing is to do any more."""
        return tuple(self._outcomes[place] for place in range(len(self._calls)))


class Heard:
    """Listens to one child. Frames count only in their order: every cell, every call, the end."""

    def __init__(self, cells: int, calls: Sequence[Call], earlier: tuple[Raised | TimedOut | Killed, ...]) -> None:
        """``earlier`` are load errors of children before."""
        self._cells, self._calls, self._earlier = cells, calls, earlier
        self._caps = [frames.cap_of(call) for call in calls]
        self._reader = frames.FrameReader(most_body=max(self._caps, default=0))
        self.loads: dict[int, list[Raised]] = {}
        self.outcomes: dict[int, Outcome] = {}
        self.answered = 0
        self.heard = 0
        self.ready = self.ended = False
        self._malformed = False

    @property
    def broken(self) -> bool:
        """See Listener."""
        return self._malformed or self._reader.broken

    def _load_errors(self) -> tuple[Raised | TimedOut | Killed, ...]:
        return (*self._earlier, *(error for found in self.loads.values() for error in found))

    def feed(self, data: bytes) -> None:
        """See Listener."""
        for header, body in self._reader.feed(data):
            if self.ended or self._malformed:
                return
            try:
                self._hear(header, body)
            except (Malformed, TypeError, ValueError, OverflowError):
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
                call = self._calls[self.answered]
                cap = self._caps[self.answered]
                self.outcomes[self.answered] = outcome_of(header, body, call, self._load_errors, cap=cap)
            self.answered += 1
        elif header.get("end") is True:
            self.ended = True
        else:
            raise Malformed("more than was asked for")


def end_of(talk: Talk, limits: Limits) -> TimedOut | Killed:
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
