"""Children forked from a zygote: the ordinary way on Linux."""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import signal
import socket
import subprocess
from collections.abc import Sequence

from headwork.model import Limits
from headwork.sandbox.pump import PollPump
from headwork.sandbox.workers import (
    EMPTY_ENVIRONMENT,
    INSIDE,
    START_SECONDS,
    Place,
    WorkerLost,
    kernel_limits,
)

JOBS_PER_ZYGOTE = 300
_MOST_MESSAGE = 4096
_PATIENCE = 10.0
"""Seconds in which a healthy zygote answers, also on a crowded machine."""


class Zygote:
    """The zygote process itself and its control socket."""

    def __init__(self, place: Place, *, namespaces: bool, landlock: bool) -> None:
        """Start it and wait for its hello. Raises WorkerLost."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            settings = {"numpy": place.numpy, "namespaces": namespaces, "landlock": landlock}
            # The socket is handed over as standard input: a number of its own could be taken.
            self.process = subprocess.Popen(
                [place.python, "-I", "-S", "-B", str(INSIDE / "zygote.py"), json.dumps(settings)],
                env=EMPTY_ENVIRONMENT, cwd="/", stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        self.control = ours
        self.jobs = 0
        try:
            hello = json.loads(self.hear(START_SECONDS))
            if hello["threads"] != 1:  # what locks down is of one thread only
                raise WorkerLost("the zygote has several threads")
        except WorkerLost:
            self.close()
            raise
        self.abi: int = hello["abi"]

    def hear(self, seconds: float) -> bytes:
        """One message. Raises WorkerLost where none comes in time."""
        self.control.settimeout(seconds)
        try:
            message = self.control.recv(_MOST_MESSAGE)
        except OSError as error:
            raise WorkerLost("the zygote does not answer") from error
        if not message:
            raise WorkerLost("the zygote has ended")
        return message

    def close(self) -> None:
        """End it, and with it the child that it serves."""
        self.control.close()
        try:
            self.process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ForkedChild:
    """One fork of the zygote, known by its pidfd."""

    def __init__(self, zygote: Zygote, limits: Limits, modules: Sequence[str], *, uid: int | None) -> None:
        """Order it. Raises WorkerLost."""
        self._zygote = zygote
        self._status: int | None = None
        (job_out, job_in), (answers_in, answers_out), (printed_in, printed_out) = os.pipe(), os.pipe(), os.pipe()
        self.pump = PollPump(job=job_in, answers=answers_in, printed=printed_in)
        order = {"limits": kernel_limits(limits), "modules": tuple(modules), "uid": uid}
        zygote.control.settimeout(_PATIENCE)
        try:
            socket.send_fds(zygote.control, [marshal.dumps(order)], [job_out, answers_out, printed_out])
            _, handles, _, _ = socket.recv_fds(zygote.control, _MOST_MESSAGE, 1)
            self._handle = handles[0]
        except (OSError, IndexError) as error:
            self.pump.close()
            raise WorkerLost("the zygote does not answer") from error
        finally:
            for descriptor in (job_out, answers_out, printed_out):
                os.close(descriptor)

    def kill(self) -> None:
        """See Child. By handle: a number could name another process by now."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def status(self, seconds: float) -> int | None:
        """See Child."""
        if self._status is None:
            self._zygote.control.settimeout(seconds or None)
            try:
                flags = 0 if seconds else socket.MSG_DONTWAIT
                message = self._zygote.control.recv(_MOST_MESSAGE, flags)
            except (BlockingIOError, TimeoutError):
                return None
            except OSError as error:
                raise WorkerLost("the zygote does not answer") from error
            if not message:
                raise WorkerLost("the zygote has ended")
            self._status = int(message)
        return self._status

    def close(self) -> None:
        """See Child. Raises WorkerLost where the zygote does not tell of the end in time."""
        try:
            if self._status is None:
                self.kill()
                if self.status(_PATIENCE) is None:
                    raise WorkerLost("the zygote does not answer")
        finally:
            self.pump.close()
            os.close(self._handle)


class ZygoteWorker:
    """Keeps one zygote, and starts another when it has served long enough or is lost."""

    def __init__(self, place: Place, *, namespaces: bool, landlock: bool = True) -> None:
        """Start the first zygote. Raises WorkerLost."""
        self._place, self._namespaces, self._landlock = place, namespaces, landlock
        self._zygote: Zygote | None = self._new()
        self.abi = self._zygote.abi

    def _new(self) -> Zygote:
        return Zygote(self._place, namespaces=self._namespaces, landlock=self._landlock)

    def start(self, limits: Limits, modules: Sequence[str]) -> ForkedChild:
        """See Worker."""
        if self._zygote is not None and self._zygote.jobs >= JOBS_PER_ZYGOTE:
            self.close()
        if self._zygote is None:
            self._zygote = self._new()
        self._zygote.jobs += 1
        return ForkedChild(self._zygote, limits, modules, uid=self._place.uid)

    def close(self) -> None:
        """See Worker."""
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None
