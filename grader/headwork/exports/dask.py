"""Grading on a Dask cluster: the course folder is shared, and every worker process grades with a runner of its own.

Workers need headwork installed and the course folder under the same path. Submissions are locked in on
each worker as they are here; where that does not hold, the worker says so and marks nothing. The cluster
itself is trusted like this machine: submissions go out and reports come back pickled, by our own code.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import Any, cast

from headwork.grading import stop_grading
from headwork.model import CourseError

CONNECT_SECONDS = 20


@contextmanager
def dask_executor(address: str) -> Generator[Callable[[], Executor]]:
    """What ``grade_class`` takes as ``executor``, on the scheduler at ``address`` ("tcp://10.0.0.1:8786").

    Raises CourseError where Dask is not installed, nobody answers there, or there are no workers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise CourseError("Dask is not installed; install headwork[dask] here and on the workers") from None
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CourseError(f"--dask {address}: no scheduler answers there ({type(error).__name__})") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise CourseError(f"--dask {address}: the scheduler has no workers")
        # Not pure: the same submission graded again is graded, not remembered. A lost worker is tried once more.
        yield lambda: cast(Executor, client.get_executor(pure=False, retries=1))
        with suppress(Exception):  # a worker that has gone has nothing to close
            client.run(stop_grading)
