"""A page as PDF, printed by a Chromium that is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from headwork.model import CourseError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
SECONDS = 60.0
_FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-pdf-header-footer",
)


def browser_path() -> str | None:
    """Where a Chromium is, if one is on the search path."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def print_pdf(html: str, target: Path, *, browser: str | None = None) -> Path:
    """Print a page of ours; returns ``target``. The page needs no network and gets a profile of its own.

    Raises CourseError where no browser is installed or it did not print.
    """
    program = browser or browser_path()
    if program is None:
        raise CourseError(f"{target}: no Chromium to print with; install one, or print the HTML page from a browser")
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(html, encoding="utf-8")
        command = [program, *_FLAGS, *_unboxed(), f"--user-data-dir={folder}/profile", f"--print-to-pdf={made}"]
        try:
            done = subprocess.run([*command, page.as_uri()], capture_output=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CourseError(f"{target}: {program} did not print: {error}") from error
        if not made.exists():
            raise CourseError(f"{target}: {program} ended with code {done.returncode} and printed nothing")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, target)
    return target


def _unboxed() -> tuple[str, ...]:
    # Chromium refuses its own sandbox to root; the page is ours and holds no script.
    import os

    return ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()
