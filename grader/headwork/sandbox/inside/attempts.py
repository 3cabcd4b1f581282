"""What a submission must not be able to do, tried. The probe runs this file as if a student had sent it.

Every function returns 1 where the attempt worked and 0 where it was refused.
"""

import ctypes
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Callable

_PTRACE_SEIZE = 0x4206


def _works(attempt: Callable[[], object]) -> int:
    try:
        return int(bool(attempt()))
    except (OSError, ValueError, RuntimeError, MemoryError, AttributeError):
        return 0


def reading_files(path: str) -> int:
    """The file at ``path``, which the user may read."""
    return _works(lambda: open(path, "rb").read(1))


def listing_folders(path: str) -> int:
    """The folder ``path``."""
    return _works(lambda: [os.listdir(path)])


def writing_files(path: str) -> int:
    """A new file at ``path``."""

    def attempt() -> object:
        with open(path, "w") as file:
            return file.write("written")

    return _works(attempt)


def tcp(port: int) -> int:
    """A connection to a listener of the grader's."""

    def attempt() -> object:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True

    return _works(attempt)


def udp(port: int) -> int:
    """A datagram to a port of the grader's."""

    def attempt() -> object:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            return sender.sendto(b"probe", ("127.0.0.1", port))

    return _works(attempt)


def processes() -> int:
    """A process of one's own."""

    def attempt() -> object:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return True

    return _works(attempt)


def programs() -> int:
    """A program."""
    return _works(lambda: [subprocess.run([sys.executable, "-c", ""], timeout=5)])


def threads() -> int:
    """A second thread."""

    def attempt() -> object:
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        return True

    return _works(attempt)


def signals(pid: int) -> int:
    """A signal that does nothing, to the grader and to whoever started us."""

    def attempt(to: int) -> bool:
        os.kill(to, 0)
        return True

    return int(any(_works(lambda to=to: attempt(to)) for to in (pid, os.getppid()) if to > 1))


def tracing(pid: int) -> int:
    """Attaching to the grader."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "ptrace"):
        return 0
    libc.ptrace.restype = ctypes.c_long
    return int(libc.ptrace(_PTRACE_SEIZE, pid, 0, 0) == 0)  # stops nobody, and ends with us


def memory_of_others(pid: int) -> int:
    """Memory of the grader."""
    return _works(lambda: os.open(f"/proc/{pid}/mem", os.O_RDONLY))


def namespaces() -> int:
    """A user namespace, with all rights in it."""
    libc = ctypes.CDLL(None)
    return int(hasattr(libc, "unshare") and libc.unshare(0x10000000) == 0)


def raising_limits() -> int:
    """More time than was given."""

    def attempt() -> object:
        now = resource.getrlimit(resource.RLIMIT_CPU)
        more = resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_CPU, (more, more))
        return now[1] != more

    return _works(attempt)


def memory(size: int) -> int:
    """More memory than was given, touched."""
    return _works(lambda: bytearray(size))
