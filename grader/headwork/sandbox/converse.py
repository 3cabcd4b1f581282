"""One child from its job to its end, with a deadline on every wait."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from headwork.model import Limits
from headwork.sandbox.pump import Stream
from headwork.sandbox.workers import START_SECONDS, Child

Ending: TypeAlias = Literal["end", "time", "total", "output", "broken", "gone"]
_SLICE = 0.05
"""Seconds between two looks at whether the child still lives: something may hold its pipes open."""
_GATHER = 0.002
"""Seconds in which answers gather once they come: waking up for each of some forty costs more than reading them."""
_FLOOD = 16
"""So many times what is kept may be printed before a child is ended for it."""


class Listener(Protocol):
    """Makes sense of what a child sends. ``heard`` grows with every frame that was in its place."""

    @property
    def heard(self) -> int:
        """How many frames have come."""
        ...

    @property
    def ready(self) -> bool:
        """The child is locked in and waits for its job."""
        ...

    @property
    def ended(self) -> bool:
        """All has come that was to come."""
        ...

    @property
    def broken(self) -> bool:
        """Something came that our code in the child does not send."""
        ...

    def feed(self, data: bytes) -> None:
        """Take what came."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """How it went."""

    ending: Ending
    status: int | None
    """Exit status, or minus a signal; None where we ended it."""
    seconds: float
    """From the moment that the child was ready."""
    printed: bytes


def converse(child: Child, job: bytes, listener: Listener, limits: Limits, *, left: float) -> Talk:
    """Send ``job`` and listen until the child ends or has to be ended; ``left`` are seconds for all of it.

    Raises WorkerLost.
    """
    clock = _Clock(limits.wall, left)
    printed = _Printed(limits.output)
    child.pump.send(job)
    while True:
        came = child.pump.wait(min(clock.left(), _SLICE))
        hung_up = _take(came, listener, printed)
        if listener.ready:
            clock.hear(listener.heard)
        ending = _ending(listener, printed)
        status: int | None = None
        if ending is None and (hung_up or not came):
            status = child.status(min(clock.left(), _SLICE) if hung_up else 0)
        if status is not None or ending == "end":
            while rest := child.pump.wait(0):
                _take(rest, listener, printed)
                if printed.flood:
                    break
            ending = _ending(listener, printed) or "gone"
        if ending is None and clock.left() <= 0:
            ending = clock.over
        if ending is not None:
            return Talk(ending=ending, status=status, seconds=clock.since_ready(), printed=printed.kept)
        if came and listener.heard > 1:  # more than that it is ready: it has its job
            time.sleep(_GATHER)


def _take(came: list[tuple[Stream, bytes]], listener: Listener, printed: _Printed) -> bool:
    """Hand on what came; True when the child will say no more."""
    hung_up = False
    for name, data in came:
        if name == "printed":
            printed.add(data)
        elif data:
            listener.feed(data)
        else:
            hung_up = True
    return hung_up


def _ending(listener: Listener, printed: _Printed) -> Ending | None:
    if listener.ended:
        return "end"
    if listener.broken:
        return "broken"
    return "output" if printed.flood else None


class _Clock:
    """The wall limit of the present step, and the limit of all steps together."""

    def __init__(self, wall: float, total: float) -> None:
        self._wall, self._total = wall, total
        self._ready: float | None = None
        self._heard = -1
        self._step_end = time.monotonic() + START_SECONDS

    def hear(self, heard: int) -> None:
        """A new step begins with every frame."""
        if heard == self._heard:
            return
        now = time.monotonic()
        if self._ready is None:
            self._ready = now
        self._heard = heard
        self._step_end = now + self._wall

    @property
    def _end(self) -> float:
        return self._step_end if self._ready is None else min(self._step_end, self._ready + self._total)

    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> Ending:
        return "time" if self._end == self._step_end else "total"

    def since_ready(self) -> float:
        return 0.0 if self._ready is None else time.monotonic() - self._ready


class _Printed:
    """The beginning of what a child prints."""

    def __init__(self, most: int) -> None:
        self._most, self._seen = most, 0
        self.kept = b""

    def add(self, data: bytes) -> None:
        self._seen += len(data)
        self.kept += data[: self._most - len(self.kept)]

    @property
    def flood(self) -> bool:
        return self._seen > _FLOOD * self._most
