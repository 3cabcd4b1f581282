"""What nbgrader is told, in ``nbgrader_config.py`` of a course folder."""

from __future__ import annotations

import re
from typing import Any

_PREPROCESSORS = "headwork.exports.nbgrader.preprocessors"
_UNSAFE = re.compile(r"[^\w.-]+")

CONFIG = """\
# nbgrader works on this course folder as well; this file is how it knows.
from headwork.exports.nbgrader import configure

c = get_config()
c.CourseDirectory.course_id = "{course}"
# c.Exchange.root = "/srv/nbgrader/exchange"    # where students fetch from and submit to

configure(c)    # `nbgrader autograde` judges in the sandbox of headwork; it starts no kernel
"""


def config_text(name: str) -> str:
    """``nbgrader_config.py`` for a course of this name."""
    return CONFIG.format(course=_UNSAFE.sub("-", name).strip("-.") or "course")


def configure(c: Any, *, isolation: str = "auto") -> None:
    """Let ``nbgrader autograde`` read, run and judge with headwork.

    Notebooks of assignments that are not headwork's are graded as nbgrader would. ``isolation`` is the
    tier that is asked of the sandbox (see ``headwork doctor``).
    """
    c.Autograde.exporter_class = "headwork.exports.nbgrader.exporter.ExportFromText"
    # The list replaces nbgrader's own, so all of it is named.
    c.Autograde.autograde_preprocessors = [
        f"{_PREPROCESSORS}.JudgeInSandbox",
        "nbgrader.preprocessors.IgnorePattern",
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        "nbgrader.preprocessors.LimitOutput",
        f"{_PREPROCESSORS}.SaveMarks",
        "nbgrader.preprocessors.AssignLatePenalties",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    c.JudgeInSandbox.isolation = isolation
    # A typed answer starts empty, so that nothing has to be deleted before typing.
    c.ClearSolutions.text_stub = ""
    c.CourseDirectory.ignore = [
        ".ipynb_checkpoints",
        "*.pyc",
        "__pycache__",
        "feedback",
        "assignment.toml",
        "collected.json",
    ]
