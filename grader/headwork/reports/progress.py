"""Progress on standard error, where a person is watching."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def tracked(items: Iterable[T], *, total: int | None, what: str) -> Iterator[T]:
    """Yield ``items``; on a terminal a bar shows how many of ``total`` are done."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            progress.advance(task)
            yield item
