"""Trying what must be denied, before any submission runs: the tier that is reported is what was seen."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from headwork.model import Call, Limits, Outcome, Returned
from headwork.sandbox.runner import ChildRunner, Tier
from headwork.sandbox.workers import INSIDE, Worker

ATTEMPTS = (
    "reading files", "listing folders", "writing files", "tcp", "udp", "processes", "programs", "threads", "signals",
    "tracing", "memory of others", "namespaces", "raising limits", "memory",
)  # fmt: skip
"""What is tried, in the words of reports; the functions of inside/attempts.py have the same names."""
_MEMORY = 1 << 29
_LIMITS = Limits(wall=10.0, total=20.0, memory=_MEMORY)


def denied_by(worker: Worker) -> tuple[str, ...]:
    """Which of ATTEMPTS a child of ``worker`` was refused. Raises GraderFault where none can be started.

    What we can see for ourselves (a file, a connection) counts more than what the child says.
    """
    with (
        tempfile.TemporaryDirectory(prefix="headwork-probe-") as folder,
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
    ):
        receiver.bind(("127.0.0.1", 0))
        canary, written = Path(folder, "canary"), Path(folder, "written")
        canary.write_text("canary", encoding="ascii")
        for path, mode in ((Path(folder), 0o777), (canary, 0o644)):  # readable for the user that root becomes
            path.chmod(mode)
        arguments = {
            "reading files": (str(canary),), "listing folders": (folder,), "writing files": (str(written),),
            "tcp": (listener.getsockname()[1],), "udp": (receiver.getsockname()[1],), "signals": (os.getpid(),),
            "tracing": (os.getpid(),), "memory of others": (os.getpid(),), "memory": (_MEMORY,),
        }  # fmt: skip
        calls = [Call(function=name.replace(" ", "_"), arguments=arguments.get(name, ())) for name in ATTEMPTS]
        unknown = Tier(name="probe", platform="", landlock_abi=0, denied=(), note="")
        source = (INSIDE / "attempts.py").read_text(encoding="utf-8")
        outcomes = ChildRunner(worker, unknown).run([source], calls, _LIMITS).outcomes
        seen = {"writing files": written.exists(), "tcp": _arrived(listener), "udp": _arrived(receiver)}
    return tuple(
        name for name, outcome in zip(ATTEMPTS, outcomes, strict=True) if _refused(outcome) and not seen.get(name)
    )


def _arrived(listener: socket.socket) -> bool:
    listener.setblocking(False)
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(16)
    except BlockingIOError:
        return False
    return True


def _refused(outcome: Outcome) -> bool:
    return isinstance(outcome, Returned) and outcome.value.shape == () and not np.any(outcome.value)


def missing(denied: Sequence[str]) -> tuple[str, ...]:
    """What is not denied."""
    return tuple(name for name in ATTEMPTS if name not in denied)
