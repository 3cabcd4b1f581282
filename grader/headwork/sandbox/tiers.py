"""Opening a runner: the strongest tier that the probe finds to hold, and nothing weak without consent."""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable

from headwork.model import CourseError, GraderFault
from headwork.sandbox import probe
from headwork.sandbox.processes import ProcessWorker
from headwork.sandbox.runner import ChildRunner, Tier
from headwork.sandbox.workers import Place, Worker, WorkerLost, place
from headwork.sandbox.zygotes import ZygoteWorker

CHOICES = ("auto", "full", "base", "limits")
_PR_SET_DUMPABLE = 4
_NOTES = {
    "full": "isolation: full (files, network, processes and memory of others are out of reach, by two mechanisms)",
    "base": "isolation: base (files, network, processes and memory of others are out of reach)",
    "limits": "isolation: limits only (a submission can read and change your files and use the network)",
}
_WEAK = """\
On this computer submissions cannot be locked in ({why}).
Marks would still be computed outside of the submission, so its code cannot give itself points. But while it runs
it could read or change the files of your account, other submissions and the gradebook among them, and use the network.
Either run headwork where it can lock them in (Linux, WSL 2 on Windows, a container), or, for code that you would also
start by hand, say so with `--isolation limits`."""


class IsolationError(CourseError):
    """Submissions cannot be locked in as well as was asked for. The text says what to do."""


def open_runner(isolation: str = "auto", *, spare_uid: int | None = None) -> ChildRunner:
    """A runner at the tier ``isolation``; "auto" is the strongest of "full" and "base" that holds.

    "limits" is the instructor's consent to run submissions that are not locked in. ``spare_uid`` is
    the user that root hands submissions to; without it one is taken that nobody has.
    Raises IsolationError, and GraderFault where not even that can be started.
    """
    if isolation not in CHOICES:
        raise CourseError(f'isolation "{isolation}" is none of {", ".join(CHOICES)}')
    _hide_our_memory()
    where = place(spare_uid)
    if isolation == "limits":
        return _probed(ProcessWorker(where), "limits", abi=0)
    names = ("full", "base") if isolation == "auto" else (isolation,)
    found = _locked_in(where, names)
    if isinstance(found, ChildRunner):
        return found
    raise IsolationError(_WEAK.format(why=found))


def _locked_in(where: Place, names: tuple[str, ...], *, landlock: bool = True) -> ChildRunner | str:
    """A runner at the first of ``names`` that holds, or why there is none."""
    if sys.platform != "linux":
        return f"{platform.system() or sys.platform} has no way to do that without administrator rights"
    why = ""
    for name in names:
        try:
            worker = ZygoteWorker(where, namespaces=name == "full", landlock=landlock)
        except WorkerLost as error:
            why = str(error)
            continue
        try:
            runner = _probed(worker, name, abi=worker.abi)
        except GraderFault as error:
            why = str(error)
        else:
            open_doors = probe.missing(runner.tier.denied)
            if not open_doors:
                return runner
            why = f"not denied: {', '.join(open_doors)}"
        worker.close()
    return why


def _probed(worker: Worker, name: str, *, abi: int) -> ChildRunner:
    denied = probe.denied_by(worker)
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return ChildRunner(worker, Tier(name=name, platform=system, landlock_abi=abi, denied=denied, note=_NOTES[name]))


def _hide_our_memory() -> None:
    """Keep processes of the same user out of this one's memory, where expected values are."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def survey() -> tuple[Tier | str, ...]:
    """Every tier of this machine, strongest first, or why it does not hold (for ``headwork doctor``)."""
    where = place()
    attempts: list[Callable[[], ChildRunner | str]] = [
        lambda: _locked_in(where, ("full",)),
        lambda: _locked_in(where, ("base",)),
        lambda: _probed(ProcessWorker(where), "limits", abi=0),
    ]
    found: list[Tier | str] = []
    for name, attempt in zip(("full", "base", "limits"), attempts, strict=True):
        runner = attempt()
        if isinstance(runner, str):
            found.append(f"{name}: {runner}")
        else:
            found.append(runner.tier)
            runner.close()
    return tuple(found)
