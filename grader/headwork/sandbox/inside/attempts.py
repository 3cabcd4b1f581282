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


def _works(attempt, *arguments):
    try:
        return int(bool(attempt(*arguments)))
    except (OSError, ValueError, RuntimeError, MemoryError, AttributeError):
        return 0


def reading_files(path):
    """The file at ``path``, which the user may read."""
    return _works(lambda: open(path, "rb").read(1))


def listing_folders(path):
    """The folder ``path``."""
    return _works(lambda: os.listdir(path) is not None)


def writing_files(path):
    """A new file at ``path``."""

    def attempt():
        with open(path, "w") as file:
            return file.write("written")

    return _works(attempt)


def tcp(port):
    """A connection to a listener of the grader's."""

    def attempt():
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True

    return _works(attempt)


def udp(port):
    """A datagram to a port of the grader's."""

    def attempt():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            return sender.sendto(b"probe", ("127.0.0.1", port))

    return _works(attempt)


def processes():
    """A process of one's own."""

    def attempt():
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return True

    return _works(attempt)


def programs():
    """A program."""
    return _works(lambda: subprocess.run([sys.executable, "-c", ""], timeout=5) is not None)


def threads():
    """A second thread."""

    def attempt():
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        return True

    return _works(attempt)


def signals(pid):
    """A signal that does nothing, to the grader and to whoever started us."""
    return int(any(_works(lambda to=to: os.kill(to, 0) is None) for to in (pid, os.getppid()) if to > 1))


def tracing(pid):
    """Attaching to the grader."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "ptrace"):
        return 0
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(16, pid, 0, 0) != 0:
        return 0
    libc.ptrace(17, pid, 0, 0)
    return 1


def memory_of_others(pid):
    """Memory of the grader."""
    return _works(lambda: os.open(f"/proc/{pid}/mem", os.O_RDONLY))


def namespaces():
    """A user namespace, with all rights in it."""
    libc = ctypes.CDLL(None)
    return int(hasattr(libc, "unshare") and libc.unshare(0x10000000) == 0)


def raising_limits():
    """More time than was given."""

    def attempt():
        now = resource.getrlimit(resource.RLIMIT_CPU)
        more = resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_CPU, (more, more))
        return now[1] != more

    return _works(attempt)


def memory(size):
    """More memory than was given, touched."""
    return _works(lambda: bytearray(size))
