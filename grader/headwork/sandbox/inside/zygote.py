"""A process that has NumPy loaded and nothing secret in it, and forks one locked child per job.

It is started by path with ``-I -S -B`` and an empty environment; standard input is the control socket
to the grader. Over it come orders (limits, names of modules and three pipe ends), never code, numbers or names of students.
"""

from __future__ import annotations

import gc
import json
import marshal
import os
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import gaps
import room
import warm
from lockdown import Lock

_MOST_ORDER = 4096


def main() -> None:
    """Say hello, then serve orders until the grader hangs up. ``argv[1]`` is the settings."""
    settings = json.loads(sys.argv[1])
    sys.argv[:] = ["submission"]
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    readable = warm.warm(settings["numpy"])
    os.environ.clear()
    import rehearsal
    import work

    rehearsal.rehearse()
    lock = Lock(readable=readable, wants_landlock=settings["landlock"])
    if settings["namespaces"]:
        lock.move_out()
    lock.hide()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threads = len(os.listdir("/proc/self/task"))
    control.send(json.dumps({"abi": lock.abi, "threads": threads}).encode())
    gc.collect()
    gc.disable()
    _kept = gaps.fill()
    gc.freeze()  # a child that collects garbage does not touch, and so copy, our pages
    while True:
        message, pipes, _, _ = socket.recv_fds(control, _MOST_ORDER, 3)
        if not message:
            return
        child = lock.fork()
        if child == 0:
            _become(control, lock, marshal.loads(message), pipes, work.main)
        for pipe in pipes:
            os.close(pipe)
        handle = os.pidfd_open(child)
        socket.send_fds(control, [b"started"], [handle])
        _serve(control, child, handle)


def _become(control: socket.socket, lock: Lock, order: dict[str, Any], pipes: list[int], work: Any) -> NoReturn:
    """Turn a fresh fork into the locked child of ``order`` and do its job."""
    try:
        control.close()
        warm.bring(order["modules"])
        job, answers, printed = pipes
        room.arrange(job=job, answers=answers, printed=printed, keep=lock.rules)
        if order["uid"] is not None:
            room.drop_root(order["uid"])
        room.settle(order["limits"])
        lock.close_in()
    except BaseException as error:
        room.give_up(error)
    work()
    os._exit(1)


def _serve(control: socket.socket, child: int, handle: int) -> None:
    """Wait for the end of a child, and tell it. A grader that has gone takes the child with it."""
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    waiting.register(control, 0)  # only hanging up, which is always reported
    for descriptor, _ in waiting.poll():
        if descriptor != handle:
            os.kill(child, signal.SIGKILL)
    os.close(handle)
    status = os.waitpid(child, 0)[1]
    _end_orphans()
    try:
        control.send(b"%d" % os.waitstatus_to_exitcode(status))
    except OSError:
        os._exit(0)


def _end_orphans() -> None:
    """Whatever a job left behind has become our child; end it."""
    for _ in range(1000):
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
                    for pid in file.read().split():
                        os.kill(int(pid), signal.SIGKILL)
                time.sleep(0.001)
        except ChildProcessError:
            return
        except OSError:
            continue


if __name__ == "__main__":
    main()
