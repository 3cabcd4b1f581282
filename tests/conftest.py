"""What all tests share: tools that may be missing, and Hypothesis without a stopwatch."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# A machine that is busy is no finding; in CI the examples are the same in every run.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-golden`` writes what tests of golden files find; review the change as prose."""
    parser.addoption("--update-golden", action="store_true", help="write golden files anew")


# Debian keeps PostgreSQL's own programs off the search path.
BESIDE_PATH = ("/usr/lib/postgresql/*/bin",)


def required(*tools: str) -> str:
    """The path of the first of ``tools`` that is installed. Where none is, the test is skipped, or fails in CI."""
    for tool in tools:
        found = shutil.which(tool) or _beside_path(tool)
        if found:
            return found
    missing = f"{' or '.join(tools)} is not installed"
    if os.environ.get("CI"):
        pytest.fail(f"{missing}, and CI is to have it")
    pytest.skip(missing)


def _beside_path(tool: str) -> str | None:
    root = Path("/")
    found = [path for pattern in BESIDE_PATH for path in root.glob(f"{pattern.lstrip('/')}/{tool}")]
    return str(sorted(found)[-1]) if found else None
