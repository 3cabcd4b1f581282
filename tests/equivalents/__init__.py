"""Right answers, written in the different ways that students write them.

Each file holds the functions that it writes in its own way; the others come from ``plain.py``. A grader that
takes marks off one of these rejects a right answer.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PLAIN = "plain"


def equivalents() -> dict[str, str]:
    """Slug -> source of a whole submission: the plain functions, and after them the file's own."""
    plain = (FOLDER / f"{PLAIN}.py").read_text(encoding="utf-8")
    found = {"plain": plain}
    for path in sorted(FOLDER.glob("*.py")):
        if not path.name.startswith("_") and path.stem != PLAIN:
            found[path.stem.replace("_", "-")] = f"{plain}\n\n{path.read_text(encoding='utf-8')}"
    return found
