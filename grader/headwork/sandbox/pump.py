"""Moving bytes to and from a child without waiting for it: by poll, or by threads where pipes cannot be polled."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
from typing import Literal, Protocol, TypeAlias

if sys.platform != "win32":
    import fcntl

Stream: TypeAlias = Literal["answers", "printed"]
_CHUNK = 1 << 16
"""What a pipe holds by itself."""
_MOST_ROOM = 1 << 20


class Pump(Protocol):
    """The three pipes of one child."""

    def send(self, job: bytes) -> None:
        """Begin to send the job, and hang up after it."""
        ...

    def wait(self, seconds: float) -> list[tuple[Stream, bytes]]:
        """What has come within ``seconds``; empty bytes say that a pipe has ended."""
        ...

    def close(self) -> None:
        """Let go of all pipes."""
        ...


class PollPump:
    """One thread and poll(2)."""

    def __init__(self, *, job: int, answers: int, printed: int) -> None:
        """Take over three descriptors."""
        self._job, self._left = job, memoryview(b"")
        self._streams: dict[int, Stream] = {answers: "answers", printed: "printed"}
        self._poll = select.poll()
        for descriptor in (job, answers, printed):
            os.set_blocking(descriptor, False)
        for descriptor in self._streams:
            self._poll.register(descriptor, select.POLLIN)

    def send(self, job: bytes) -> None:
        """Write as much as fits; the rest goes out while waiting."""
        _make_room(self._job, len(job))
        self._left = memoryview(job)
        self._write()
        if self._job >= 0:
            self._poll.register(self._job, select.POLLOUT)

    def _write(self) -> None:
        try:
            while self._left:
                self._left = self._left[os.write(self._job, self._left[:_MOST_ROOM]) :]
        except BlockingIOError:
            return
        except OSError:  # the child does not read any more; its answers tell why
            pass
        os.close(self._job)
        self._job, self._left = -1, memoryview(b"")

    def wait(self, seconds: float) -> list[tuple[Stream, bytes]]:
        """See Pump."""
        found: list[tuple[Stream, bytes]] = []
        for descriptor, _ in self._poll.poll(max(0, seconds) * 1000):
            if descriptor == self._job:
                self._write()
                if self._job < 0:
                    self._poll.unregister(descriptor)
                continue
            try:
                data = os.read(descriptor, _CHUNK)
            except BlockingIOError:
                continue
            found.append((self._streams[descriptor], data))
            if not data:
                self._poll.unregister(descriptor)
        return found

    def close(self) -> None:
        """See Pump."""
        for descriptor in (self._job, *self._streams):
            if descriptor >= 0:
                os.close(descriptor)
        self._job, self._streams = -1, {}


def _make_room(pipe: int, size: int) -> None:
    """Let ``size`` bytes fit into a pipe, where the kernel can do that, so that they go out at once."""
    if _CHUNK < size <= _MOST_ROOM:
        with contextlib.suppress(OSError, AttributeError):  # a user may have so much of it only; not on macOS
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size)


class ThreadPump:
    """Three threads that block on one pipe each (Windows). They end with the child."""

    def __init__(self, *, job: int, answers: int, printed: int) -> None:
        """Take over three descriptors."""
        self._job = job
        self._came: queue.Queue[tuple[Stream, bytes]] = queue.Queue(maxsize=16)
        self._closed = threading.Event()
        for name, descriptor in (("answers", answers), ("printed", printed)):
            threading.Thread(target=self._read, args=(name, descriptor), daemon=True).start()

    def send(self, job: bytes) -> None:
        """See Pump."""
        threading.Thread(target=self._write, args=(job,), daemon=True).start()

    def _write(self, job: bytes) -> None:
        left = memoryview(job)
        try:
            while left:
                left = left[os.write(self._job, left[:_CHUNK]) :]
        except OSError:
            pass
        os.close(self._job)

    def _read(self, name: Stream, descriptor: int) -> None:
        data = b"-"
        while data and not self._closed.is_set():
            try:
                data = os.read(descriptor, _CHUNK)
            except OSError:
                data = b""
            while not self._closed.is_set():
                try:
                    self._came.put((name, data), timeout=0.1)
                    break
                except queue.Full:
                    continue
        os.close(descriptor)

    def wait(self, seconds: float) -> list[tuple[Stream, bytes]]:
        """See Pump."""
        found: list[tuple[Stream, bytes]] = []
        try:
            found.append(self._came.get(timeout=max(0.001, seconds)))
            while True:
                found.append(self._came.get_nowait())
        except queue.Empty:
            return found

    def close(self) -> None:
        """Let the threads go; they close the pipes themselves."""
        self._closed.set()
