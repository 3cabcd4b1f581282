"""Locking a single-threaded process down, in the order that the steps need.

A step that fails raises: then there is no run, and the parent is told so.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence

import kernel as k
import landlock
import seccomp

_FIRST_FREE = 32


class Lock:
    """What is prepared once: rules and filter. ``close_in`` is called in every child."""

    def __init__(self, *, readable: Sequence[str], wants_landlock: bool = True) -> None:
        """``readable`` are the files and folders that an import may need."""
        self._kernel = k.Kernel()
        self._apart = 0
        self.abi = landlock.abi(self._kernel) if wants_landlock else 0
        self.rules = self._made_rules(readable) if self.abi else None
        self._filter = seccomp.Filter(files=self.abi > 0) if seccomp.supported(os.uname().machine) else None

    def _made_rules(self, readable: Sequence[str]) -> int:
        """The descriptor of the rules, out of the way of those that ``arrange`` sets."""
        made = landlock.ruleset(self._kernel, version=self.abi, readable=readable)
        moved = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
        os.close(made)
        return moved

    def hide(self) -> None:
        """Keep others of the same user out of this process's memory, and adopt its orphans."""
        self._kernel.prctl(k.PR_SET_DUMPABLE, 0)
        self._kernel.prctl(k.PR_SET_CHILD_SUBREAPER, 1)

    def move_out(self) -> None:
        """New network, IPC and host-name namespaces for this process and its children, which come one after the other.

        Nothing can be left in them (the filter has no call for that), and making them for every child would cost a
        millisecond each. Who is not root needs a user namespace for it.
        """
        user = 0 if os.geteuid() == 0 else k.CLONE_NEWUSER
        self._kernel.unshare(user | k.CLONE_NEWNET | k.CLONE_NEWIPC | k.CLONE_NEWUTS)
        self._apart = k.CLONE_NEWPID

    def fork(self) -> int:
        """Like ``os.fork``; after ``move_out`` the child is the first in a process namespace of its own."""
        return self._kernel.fork(self._apart) if self._apart else os.fork()

    def close_in(self) -> None:
        """No more privileges, files, calls. What this process has read so far stays readable."""
        if self._filter is None:
            raise OSError(f"no table of system calls for {os.uname().machine}")
        self._kernel.prctl(k.PR_SET_PDEATHSIG, 9)
        self._kernel.drop_capabilities()
        self._kernel.prctl(k.PR_SET_NO_NEW_PRIVS, 1)
        self._kernel.prctl(k.PR_SET_DUMPABLE, 0)
        if self.rules is not None:
            landlock.restrict(self._kernel, self.rules)
            os.close(self.rules)
        self._filter.install(self._kernel)
