"""System calls that Python has no function for, by ctypes. Linux only; standard library only."""

from __future__ import annotations

import ctypes
import os
import signal
import struct

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER = 1, 4, 22, 36
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER = 0x04000000, 0x08000000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CAPABILITY_VERSION_3 = 0x20080522


class Kernel:
    """The C library, with errors raised as OSError."""

    def __init__(self) -> None:
        """Open the C library that is already part of the process."""
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._held = ctypes.PyDLL(None, use_errno=True)  # calls with the interpreter's lock held
        for library in (self._libc, self._held):
            library.syscall.restype = ctypes.c_long
        self._prctl = self._libc.prctl
        self._prctl.argtypes = (ctypes.c_int, *4 * (ctypes.c_ulong,))
        self._header = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITY_VERSION_3, 0))
        self._nothing = ctypes.create_string_buffer(24)

    def syscall(self, number: int, *arguments: object) -> int:
        """Call ``number``; every argument is a ctypes value."""
        return self._checked(self._libc.syscall(ctypes.c_long(number), *arguments))

    def prctl(self, option: int, first: int = 0, second: int = 0) -> int:
        """``prctl(2)`` with up to two arguments, the others 0."""
        return self._checked(self._prctl(option, first, second, 0, 0))

    def unshare(self, flags: int) -> None:
        """Leave the namespaces named by ``flags`` for new ones."""
        self._checked(self._libc.unshare(ctypes.c_int(flags)))

    def fork(self, flags: int) -> int:
        """``clone(2)`` in the place of ``os.fork``, with namespaces for the child. Only for a process of one thread."""
        python = ctypes.pythonapi
        zero = ctypes.c_ulong(0)
        python.PyOS_BeforeFork()
        number, how = ctypes.c_long(_CLONE[os.uname().machine]), ctypes.c_ulong(flags | signal.SIGCHLD)
        child = self._held.syscall(number, how, zero, zero, zero, zero)
        if child == 0:
            python.PyOS_AfterFork_Child()
        else:
            python.PyOS_AfterFork_Parent()
        return self._checked(child)

    def drop_capabilities(self) -> None:
        """All capability sets to none: a new user namespace hands out a full set."""
        self.syscall(_CAPSET[os.uname().machine], self._header, self._nothing)
        self.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)

    def _checked(self, answer: int) -> int:
        if answer < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return answer
