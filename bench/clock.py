"""CPU time of this process, of its ended children, and of helpers that are still alive."""

from __future__ import annotations

import contextlib
import os
import resource
import statistics
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def cpu(helpers: Sequence[int] = ()) -> float:
    """Seconds so far. Of a living helper its own time and that of its ended children is read from /proc."""
    own = sum(
        use.ru_utime + use.ru_stime for use in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    for pid in helpers:
        with contextlib.suppress(OSError):
            own += int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            own += (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    return own


def milliseconds(work: Callable[[], Any], *, helpers: Sequence[int] = ()) -> float:
    """CPU milliseconds of one call."""
    before = cpu(helpers)
    work()
    return 1e3 * (cpu(helpers) - before)


def interleaved(ways: dict[str, Callable[[], Any]], *, repeats: int) -> dict[str, float]:
    """Median CPU milliseconds of every way; rounds alternate, so that a busy moment meets all of them."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            found[name].append(milliseconds(way))
    return {name: statistics.median(times) for name, times in found.items()}


def command(*words: str) -> Callable[[], Any]:
    """A process that is run to its end."""
    return lambda: subprocess.run(words, check=True, capture_output=True)
