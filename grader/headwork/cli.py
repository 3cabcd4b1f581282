"""The ``headwork`` program: all commands, and its entry point."""

from __future__ import annotations

import os

from headwork.commands import course, exercises, grading, machine
from headwork.commands.app import app

# The modules are imported for the commands that they add.
__all__ = ["app", "course", "exercises", "grading", "machine", "main"]


def main() -> None:
    """Entry point of the ``headwork`` command."""
    # Read by NumPy's BLAS when it is loaded. Our matrices are small, and workers can be forked from one thread only.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    app()


if __name__ == "__main__":
    main()
