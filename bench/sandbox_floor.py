"""What isolation costs: one ordinary submission at each tier, beside a bare fork that makes the same calls.

    python bench/sandbox_floor.py [repeats]

The floor is a fork of a process that has NumPy loaded, which loads the file, makes the calls, and sends
the arrays through a pipe: no limits, no checks. Times are CPU of grader, zygote and child together, and wall
clock; medians of interleaved runs.
"""

from __future__ import annotations

import contextlib
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from headwork.model import Call, Limits, Returned
from headwork.sandbox import open_runner
from headwork.sandbox.tiers import ChildRunner

SOURCE = """
import numpy as np

def project(x, w):
    return x @ w

def scores(q, k):
    return q @ np.swapaxes(k, -1, -2)

def scaled(scores, d_head):
    return scores / np.sqrt(d_head)

def weights(logits):
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def attention(q, k, v):
    return weights(scaled(scores(q, k), q.shape[-1])) @ v
"""


def calls() -> list[Call]:
    """35 calls on arrays of about 300 numbers."""
    generator = np.random.default_rng(5)  # noqa: TID251
    made: list[Call] = []
    for _ in range(7):
        x, w = generator.standard_normal((2, 20, 8)), generator.standard_normal((8, 8))
        made += [
            Call(function="project", arguments=(x, w), expected_bytes=2560),
            Call(function="scores", arguments=(x, x + 1), expected_bytes=6400),
            Call(function="scaled", arguments=(x, 8), expected_bytes=2560),
            Call(function="weights", arguments=(x,), expected_bytes=2560),
            Call(function="attention", arguments=(x, x + 1, x - 1), expected_bytes=2560),
        ]
    return made


def bare_fork(work: list[Call]) -> None:
    """The floor."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        names: dict[str, Callable[..., np.ndarray]] = {}
        exec(compile(SOURCE, "submission", "exec"), names)
        for call in work:
            given = [part.copy() if isinstance(part, np.ndarray) else part for part in call.arguments]
            os.write(writer, names[call.function](*given).tobytes())
        os._exit(0)
    os.close(writer)
    while os.read(reader, 1 << 16):
        pass
    os.close(reader)
    os.waitpid(child, 0)


def cpu(pids: list[int]) -> float:
    """Seconds of CPU so far of this process, its ended children, and the processes ``pids`` with theirs."""
    own = sum(
        use.ru_utime + use.ru_stime for use in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    nanoseconds = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            nanoseconds += int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            nanoseconds += (int(fields[13]) + int(fields[14])) * (10**9 // os.sysconf("SC_CLK_TCK"))
    return own + nanoseconds / 1e9


@contextlib.contextmanager
def ways() -> Iterator[dict[str, tuple[Callable[[], object], list[int]]]]:
    """What is measured, and the helper processes whose CPU counts, by name."""
    work = calls()
    with contextlib.ExitStack() as stack:
        found: dict[str, tuple[Callable[[], object], list[int]]] = {"floor": (lambda: bare_fork(work), [])}
        for tier in ("base", "full", "limits"):
            runner: ChildRunner = stack.enter_context(open_runner(tier))
            zygote = getattr(runner._worker, "_zygote", None)
            found[tier] = (lambda runner=runner: run(runner, work), [zygote.process.pid] if zygote else [])
        plain = [sys.executable, "-I", "-c", "import numpy"]
        found["import numpy"] = (lambda: subprocess.run(plain, check=True), [])
        yield found


def run(runner: ChildRunner, work: list[Call]) -> None:
    """One ordinary submission."""
    found = runner.run([SOURCE], work, Limits())
    assert all(isinstance(outcome, Returned) for outcome in found.outcomes), found


def measure(repeats: int) -> dict[str, tuple[float, float]]:
    """Name -> milliseconds of wall clock (median), of CPU (mean)."""
    with ways() as found:
        walls: dict[str, list[float]] = {name: [] for name in found}
        cpus: dict[str, float] = dict.fromkeys(found, 0.0)
        for name in [*found] * repeats:
            way, pids = found[name]
            before, start = cpu(pids), time.perf_counter()
            way()
            walls[name].append(time.perf_counter() - start)
            cpus[name] += cpu(pids) - before
    return {name: (1e3 * statistics.median(walls[name]), 1e3 * cpus[name] / repeats) for name in walls}


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 41
    print(f"{'':14} {'wall ms':>8} {'CPU ms':>8} {'of floor':>9}")
    found = measure(repeats)
    for name, (wall, used) in found.items():
        print(f"{name:14} {wall:8.1f} {used:8.1f} {wall / found['floor'][0]:8.1f}x")


if __name__ == "__main__":
    main()
