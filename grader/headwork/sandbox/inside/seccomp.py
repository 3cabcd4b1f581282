"""A seccomp filter: the system calls that computing needs, and an error for all others.

Left out on purpose: everything that makes processes, threads or sockets, sends signals, traces, changes
files, limits or namespaces. ``fcntl`` and ``ioctl`` are open for a few harmless commands only, because
``F_SETOWN`` can direct a signal at another process and ``TIOCSTI`` types into a terminal.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from kernel import PR_SET_SECCOMP, Kernel

_EVERYWHERE = """
    read write close fstat lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn pread64 pwrite64
    readv writev sched_yield mremap madvise dup nanosleep getitimer setitimer getpid exit uname getcwd gettimeofday
    getrusage sysinfo times getuid getgid geteuid getegid getppid getgroups getresuid getresgid sigaltstack
    sched_getaffinity sched_get_priority_max sched_get_priority_min sched_getparam sched_getscheduler gettid futex
    set_tid_address restart_syscall clock_gettime clock_getres clock_nanosleep exit_group pselect6 ppoll
    set_robust_list get_robust_list dup3 pipe2 getcpu getrandom membarrier rseq
"""
_ONLY_X86 = "poll pipe select dup2 alarm getpgrp arch_prctl time"
_FILES = "openat newfstatat statx faccessat faccessat2 getdents64"
_FILES_X86 = "open stat lstat access getdents"

_X86_64 = dict(  # noqa: C408
    read=0, write=1, open=2, close=3, stat=4, fstat=5, lstat=6, poll=7, lseek=8, mmap=9, mprotect=10, munmap=11,
    brk=12, rt_sigaction=13, rt_sigprocmask=14, rt_sigreturn=15, ioctl=16, pread64=17, pwrite64=18, readv=19,
    writev=20, access=21, pipe=22, select=23, sched_yield=24, mremap=25, madvise=28, dup=32, dup2=33, nanosleep=35,
    getitimer=36, alarm=37, setitimer=38, getpid=39, exit=60, uname=63, fcntl=72, getdents=78, getcwd=79,
    gettimeofday=96, getrusage=98, sysinfo=99, times=100, getuid=102, getgid=104, geteuid=107, getegid=108,
    getppid=110, getpgrp=111, getgroups=115, getresuid=118, getresgid=120, sigaltstack=131, sched_getparam=143,
    sched_getscheduler=145, sched_get_priority_max=146, sched_get_priority_min=147, arch_prctl=158, gettid=186,
    time=201, futex=202, sched_getaffinity=204, getdents64=217, set_tid_address=218, restart_syscall=219,
    clock_gettime=228, clock_getres=229, clock_nanosleep=230, exit_group=231, openat=257, newfstatat=262,
    faccessat=269, pselect6=270, ppoll=271, set_robust_list=273, get_robust_list=274, dup3=292, pipe2=293,
    prlimit64=302, getcpu=309, getrandom=318, membarrier=324, statx=332, rseq=334, faccessat2=439,
)  # fmt: skip
_AARCH64 = dict(  # noqa: C408
    getcwd=17, dup=23, dup3=24, fcntl=25, ioctl=29, faccessat=48, openat=56, close=57, pipe2=59, getdents64=61,
    lseek=62, read=63, write=64, readv=65, writev=66, pread64=67, pwrite64=68, pselect6=72, ppoll=73, newfstatat=79,
    fstat=80, exit=93, exit_group=94, set_tid_address=96, futex=98, set_robust_list=99, get_robust_list=100,
    nanosleep=101, getitimer=102, setitimer=103, clock_gettime=113, clock_getres=114, clock_nanosleep=115,
    sched_getscheduler=120, sched_getparam=121, sched_getaffinity=123, sched_yield=124, sched_get_priority_max=125,
    sched_get_priority_min=126, restart_syscall=128, sigaltstack=132, rt_sigaction=134, rt_sigprocmask=135,
    rt_sigreturn=139, getresuid=148, getresgid=150, times=153, getgroups=158, uname=160, getrusage=165, getcpu=168,
    gettimeofday=169, getpid=172, getppid=173, getuid=174, geteuid=175, getgid=176, getegid=177, gettid=178,
    sysinfo=179, brk=214, munmap=215, mremap=216, mmap=222, mprotect=226, madvise=233, prlimit64=261, getrandom=278,
    membarrier=283, statx=291, rseq=293, faccessat2=439,
)  # fmt: skip
_MACHINES = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}
_CLONE3 = 435
_COMMANDS = {
    "fcntl": (0, 1, 2, 3, 4, 1030),  # duplicate, close-on-exec and status flags
    "ioctl": (0x5401, 0x541B, 0x5421, 0x5450, 0x5451),  # is it a terminal, bytes waiting, non-blocking, close-on-exec
}

_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _SECOND, _THIRD = 0, 4, 24, 32
"""Offsets in ``struct seccomp_data``; an argument takes 8 bytes, the low half first."""


def supported(machine: str) -> bool:
    """Whether there is a table of system calls for ``machine``."""
    return machine in _MACHINES


def program(machine: str, *, files: bool) -> bytes:
    """The filter. Without ``files`` none can be opened or looked at: where there is no landlock."""
    architecture, numbers = _MACHINES[machine]
    looking = (_FILES + " " + _FILES_X86 if machine == "x86_64" else _FILES).split()
    names = (_EVERYWHERE + " " + _ONLY_X86 if machine == "x86_64" else _EVERYWHERE).split() + (looking if files else [])
    lines: list[bytes] = []

    def add(code: int, value: int, *, then: int = 0, other: int = 0) -> None:
        lines.append(struct.pack("<HBBI", code, then, other, value))

    def answer(value: int) -> None:
        add(_RETURN, value)

    add(_LOAD, _ARCHITECTURE)
    add(_EQUAL, architecture, then=1)
    answer(_KILL)
    add(_LOAD, _NUMBER)
    if machine == "x86_64":  # numbers of the x32 calls
        add(_AT_LEAST, 0x40000000, other=1)
        answer(_ERROR | errno.ENOSYS)
    add(_EQUAL, _CLONE3, other=1)
    answer(_ERROR | errno.ENOSYS)  # the C library then tries clone, which is refused
    if not files:  # "not there" lets an import end in ModuleNotFoundError
        for name in looking:
            add(_EQUAL, numbers[name], other=1)
            answer(_ERROR | errno.ENOENT)
    for number in sorted(numbers[name] for name in names):
        add(_EQUAL, number, other=1)
        answer(_ALLOW)
    for name, commands in _COMMANDS.items():
        add(_EQUAL, numbers[name], other=2 * len(commands) + 2)
        add(_LOAD, _SECOND)
        for command in commands:
            add(_EQUAL, command, other=1)
            answer(_ALLOW)
        answer(_ERROR | errno.EPERM)
    add(_EQUAL, numbers["prlimit64"], other=5)  # reading only: no new limits
    for half in (_THIRD, _THIRD + 4):
        add(_LOAD, half)
        add(_EQUAL, 0, other=3 if half == _THIRD else 1)
    answer(_ALLOW)
    answer(_ERROR | errno.EPERM)
    return b"".join(lines)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class Filter:
    """A filter laid out in memory, so that a child only has to switch it on."""

    def __init__(self, *, files: bool) -> None:
        """Build the filter for this machine."""
        code = program(os.uname().machine, files=files)
        self._code = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.cast(self._code, ctypes.c_void_p))

    def install(self, kernel: Kernel) -> None:
        """Filter this thread, for good. Needs no_new_privs."""
        kernel.prctl(PR_SET_SECCOMP, 2, ctypes.addressof(self._program))
