"""Where children come from. A worker starts one locked child at a time; the child's pipes are in its pump."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from headwork.model import Limits
from headwork.sandbox.pump import Pump

INSIDE = Path(__file__).resolve().parent / "inside"
"""The code that runs beside a submission: started by path, never imported by us."""
EMPTY_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
START_SECONDS = 30.0
"""For the machine to start an interpreter and load NumPy; never counted against a submission."""
_FILE_BYTES, _DESCRIPTORS = 1 << 20, 64


class WorkerLost(Exception):
    """The process that makes children does not answer; a new one may."""


class Child(Protocol):
    """A started child."""

    @property
    def pump(self) -> Pump:
        """The pipes."""
        ...

    def kill(self) -> None:
        """End it, with all that it started."""
        ...

    def status(self, seconds: float) -> int | None:
        """Its exit status, or minus the signal that ended it; None if it still runs after ``seconds``.

        Raises WorkerLost.
        """
        ...

    def close(self) -> None:
        """Kill it if it still runs, and let go of everything."""
        ...


class Worker(Protocol):
    """A source of children."""

    def start(self, limits: Limits, modules: Sequence[str]) -> Child:
        """A child that has ``modules`` loaded and waits for its job. Raises WorkerLost."""
        ...

    def close(self) -> None:
        """End what serves us."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where children are started: the interpreter, the folder of NumPy, and the user that root becomes."""

    python: str
    numpy: str
    uid: int | None


def kernel_limits(limits: Limits) -> dict[str, int]:
    """Limits as the child sets them for itself, in the kernel's units."""
    return {
        "cpu": math.ceil(limits.total) + 1,
        "memory": limits.memory,
        "file": _FILE_BYTES,
        "descriptors": _DESCRIPTORS,
    }


def place(spare_uid: int | None = None) -> Place:
    """The interpreter that we run on. Root hands its children to a user that nobody is."""
    import os
    import sys

    import numpy

    uid = None
    if sys.platform != "win32" and os.geteuid() == 0:
        uid = _unused_uid() if spare_uid is None else spare_uid
    return Place(python=sys.executable, numpy=str(Path(numpy.__file__).resolve().parent.parent), uid=uid)


def _unused_uid() -> int:
    import pwd

    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return next(uid for uid in range(65533, 60000, -1) if uid not in taken)
