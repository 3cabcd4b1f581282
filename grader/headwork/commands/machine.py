"""This machine: doctor, demo."""

# Imports stay inside the commands, so that --help answers at once.
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from headwork.commands.app import (
    Isolation,
    Workers,
    app,
    plainly,
)


@app.command()
@plainly
def doctor() -> None:
    """Say what this machine offers: isolation tiers and optional parts.

    Example: headwork doctor
    """
    from importlib.util import find_spec

    from headwork import __version__
    from headwork.sandbox import survey

    print(f"headwork {__version__}, Python {sys.version.split()[0]}")
    for tier in survey():
        print(f"isolation: {tier}" if isinstance(tier, str) else tier.note)
    for extra in ("nbgrader", "dask", "torch", "psycopg2"):
        print(f"{extra}: {'installed' if find_spec(extra) else 'not installed'}")


@app.command()
@plainly
def demo(
    into: Annotated[Path, typer.Option(help="Where the demo course goes.")] = Path("demo-course"),
    workers: Workers = 2,
    isolation: Isolation = "auto",
) -> None:
    """Run the whole loop on a class of 40: draw, hand out, collect, grade, feedback.

    Example: headwork demo --into /tmp/demo
    """
    from headwork.demo import run_demo

    if not run_demo(into, workers=workers, isolation=isolation):
        raise typer.Exit(1)
