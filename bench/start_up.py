"""What it costs to start the command, beside Python and beside the import of click alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from clock import command, interleaved


def lines(repeats: int) -> Iterator[str]:
    """Medians of CPU; the ratio is to `import click`."""
    python = sys.executable
    found = interleaved(
        {
            "python -c pass": command(python, "-c", "pass"),
            "python -c 'import click'": command(python, "-c", "import click"),
            "headwork --help": command(python, "-c", "from headwork.cli import main; main()", "--help"),
            "headwork list": command(python, "-c", "from headwork.cli import main; main()", "list"),
        },
        repeats=repeats,
    )
    beside = found["python -c 'import click'"]
    for name, used in found.items():
        yield f"{name:34} {used:8.0f} ms         {used / beside:5.2f} x import click"
