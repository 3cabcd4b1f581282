"""The room that a submission runs in, on every platform: descriptors, user, session and limits."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NoReturn

if sys.platform != "win32":
    import resource

JOB, ANSWERS = 3, 4
"""Descriptors that a locked child reads its job from and writes its answers to."""
FAILED = 77
"""Exit status of a child that could not be locked down."""
_MOST_DESCRIPTORS = 4096


def arrange(*, job: int, answers: int, printed: int, keep: int | None = None) -> None:
    """Standard input empty, output captured, the job and the answers on 3 and 4, all else closed but ``keep``."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    moved = [os.dup(descriptor) for descriptor in (nothing, printed, printed, job, answers)]
    while min(moved) <= ANSWERS:  # a target must not be overwritten before it was moved
        moved = [os.dup(descriptor) for descriptor in moved]
    for target, descriptor in enumerate(moved):
        os.dup2(descriptor, target)
    if keep is None:
        os.closerange(ANSWERS + 1, _MOST_DESCRIPTORS)
    else:
        os.closerange(ANSWERS + 1, keep)
        os.closerange(keep + 1, _MOST_DESCRIPTORS)


def drop_root(uid: int) -> None:
    """Become ``uid``, for good."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def settle(limits: Mapping[str, int]) -> None:
    """An own session, no environment, and hard limits ("cpu", "memory", "file", "descriptors")."""
    if sys.platform == "win32":
        return  # the parent has put this process into a job object
    if os.getsid(0) != os.getpid():
        os.setsid()
    os.chdir("/")
    if os.environ:
        os.environ.clear()
    wanted = (
        (resource.RLIMIT_CPU, limits["cpu"]),
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, limits["descriptors"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    )
    for which, value in wanted:
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(which, (value, value))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise  # elsewhere some of them cannot be set; the probe tells what that leaves open


def give_up(error: BaseException) -> NoReturn:
    """End a child that could not be locked down, with a word about it on descriptor 2."""
    try:
        os.write(2, f"lockdown failed: {error!r}\n".encode())
    finally:
        os._exit(FAILED)
