"""A new course folder with a sample assignment and a roster to replace."""

from __future__ import annotations

from pathlib import Path

from headwork.course import Course
from headwork.exports.nbgrader.configuration import config_text
from headwork.model import CourseError
from headwork.writing import write_atomically

COURSE = """\
# A headwork course. The folder is also an nbgrader course folder.
name = "{name}"
# Folders with exercises/, solutions/ or templates/ of your own, beside the built-in ones:
# content = ["content"]
"""

ROSTER = """\
id,name,email
ada,Ada Example,ada@example.org
ben,Ben Example,ben@example.org
"""

ASSIGNMENT = """\
title = "Attention by hand and in code"
form = "py"            # "py": attention.py and answers.toml; "notebook": one .ipynb
exercises = [
  "project",
  "raw-scores",
  "scale",
  "causal-mask",
  "softmax-rows",
  "mix-values",
  "split-and-merge",
  "output-projection",
  "multi-head-attention",
]

[parameters]           # for every exercise; [parameters.scale] sets one
difficulty = "standard"   # "easy", "standard", "hard"
# T = 3, d_model = 5, d_head = 2, n_heads = 3, causal = true, words = "people", numbers = "tenths", seed = 7

[marking]
follow_through = "full"   # a value that is right on the student's own earlier value: "full", "half", "none"
early_rounding = "part"   # right method, rounded in between: "full", "part", "none"
credit = "proportional"   # cells of a hand matrix: "proportional", "rows", "all"
decimal_comma = false
hints = 3                 # steps of help that feedback shows: 1 a question, 2 what to look at, 3 the cause
hint_cost = "0"           # what each step shown costs in a later attempt, as a share of the part: "0", "1/10"
worked_solution = false   # true once right values may be shown

[limits]
wall = 10.0               # seconds for one call
total = 30.0              # seconds for a whole submission
"""


def make_course(root: Path, *, name: str | None = None) -> list[Path]:
    """Write a course folder; returns the files written.

    Raises CourseError where the folder has a course already.
    """
    if (root / "course.toml").exists():
        raise CourseError(f"{root}: there is a course here already; nothing was changed")
    files = {
        "course.toml": COURSE.format(name=(name or root.resolve().name).replace("\\", "/").replace('"', "'")),
        "roster.csv": ROSTER,
        "source/attention/assignment.toml": ASSIGNMENT,
        "nbgrader_config.py": config_text(name or root.resolve().name),
        ".gitignore": "/.headwork/\n/gradebook.db\n",
    }
    written: list[Path] = []
    for path, text in files.items():
        if not (root / path).exists():
            write_atomically(root / path, text.encode())
            written.append(root / path)
    Course(root=root, name=name or root.name).secret()
    return written
