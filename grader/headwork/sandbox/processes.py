"""Children that are processes of their own: the way of the ``limits`` tier, on every platform."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from headwork.model import Limits
from headwork.sandbox.pump import PollPump, Pump, ThreadPump
from headwork.sandbox.workers import EMPTY_ENVIRONMENT, INSIDE, Place, WorkerLost, kernel_limits


class StartedChild:
    """One interpreter. Its group is killed with it; on Windows its job object."""

    def __init__(self, place: Place, limits: Limits, modules: Sequence[str], *, threads: bool) -> None:
        """Start it. Raises WorkerLost."""
        order = json.dumps(
            {"numpy": place.numpy, "modules": modules, "uid": place.uid, "limits": kernel_limits(limits)}
        )
        environment = dict(EMPTY_ENVIRONMENT)
        if sys.platform == "win32":  # without it the interpreter finds no random numbers
            environment["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
        try:
            self._process = subprocess.Popen(
                [place.python, "-I", "-S", "-B", str(INSIDE / "once.py"), order],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                env=environment, cwd=INSIDE.anchor, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise WorkerLost("no process can be started") from error
        self._job_object = None
        if sys.platform == "win32":
            from headwork.sandbox.windows import JobObject

            self._job_object = JobObject(self._process, memory=limits.memory)
        self.pump = self._pump(threads=threads)

    def _pump(self, *, threads: bool) -> Pump:
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        job, answers, printed = (os.dup(stream.fileno()) for stream in streams if stream is not None)
        for stream in streams:
            if stream is not None:
                stream.close()
        kind = ThreadPump if threads else PollPump
        return kind(job=job, answers=answers, printed=printed)

    def kill(self) -> None:
        """See Child."""
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.poll() is None:
            self._process.kill()

    def status(self, seconds: float) -> int | None:
        """See Child."""
        try:
            return self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """See Child. The group may have outlived its leader."""
        self.kill()
        self._process.wait()
        self.pump.close()
        if self._job_object is not None:
            self._job_object.close()


class ProcessWorker:
    """Starts an interpreter for every job."""

    def __init__(self, place: Place, *, threads: bool = sys.platform == "win32") -> None:
        """``threads`` moves bytes by threads, as on Windows."""
        self._place, self._threads = place, threads

    def start(self, limits: Limits, modules: Sequence[str]) -> StartedChild:
        """See Worker."""
        return StartedChild(self._place, limits, modules, threads=self._threads)

    def close(self) -> None:
        """See Worker; nothing is kept."""
