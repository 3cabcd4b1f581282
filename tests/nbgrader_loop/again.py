"""After the loop: marks by hand, late work, a second autograde; and the attacks under nbgrader alone and with headwork."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from headwork.course import Course, open_course, write_atomically
from headwork.exports.nbgrader import write_source
from headwork.exports.nbgrader.released import released_notebook
from headwork.new_course import make_course

from nbgrader_loop import students as work
from nbgrader_loop.loop import ATTACKS, NAME, ONE_FUNCTION, Loop, add_to_config, run

HONEST = """\
def attention(Q, K, V):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    return (w / w.sum(-1, keepdims=True)) @ V
"""
REMARK = "The derivation is right, one sign slip."


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """The courses after the second round."""

    regraded: Course
    plain: Path
    locked: Course
    said: Mapping[str, Mapping[str, Any]]


def run_again(loop: Loop, alone: Course, tmp: Path) -> Again:
    regraded = tmp / "regraded"
    shutil.copytree(loop.course.root, regraded)
    add_to_config(regraded, "\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    _grade_by_hand(regraded)
    _ben_hands_in_better_work(regraded)
    plain = _plain_course(tmp / "plain")
    locked = _locked_course(tmp / "locked")
    _hand_in_attacks(locked)
    said = run(
        (regraded, f"autograde {NAME} --force --student=ben"),
        (regraded, f"autograde {NAME} --force --student=carla"),
        (regraded, "export --to export.csv"),
        (alone.root, "export --to export.csv"),
        (alone.root, f"generate_feedback {NAME} --student=pia"),
        (plain, "generate_assignment plain"),
        (plain, "autograde plain"),
        (locked.root, "generate_assignment ps1"),
        (locked.root, "autograde ps1"),
        (locked.root, "generate_assignment other"),
        (locked.root, "autograde other"),
    )
    return Again(regraded=open_course(regraded), plain=plain, locked=locked, said=said)


def _grade_by_hand(root: Path) -> None:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attn101") as gradebook:
        grade = gradebook.find_grade("test-scale--scaled", NAME, NAME, "ben")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 0.5, 0.25, False
        gradebook.find_comment("scaled", NAME, NAME, "ben").manual_comment = REMARK
        gradebook.find_assignment(NAME).duedate = datetime(2026, 1, 31)
        gradebook.db.commit()
        gradebook.grant_extension(NAME, "ben", weeks=2)


def _ben_hands_in_better_work(root: Path) -> None:
    path = root / "submitted" / "ben" / NAME / f"{NAME}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    right = work.functions_of(open_course(root), NAME)
    better = work.worked(notebook, {"project": right["project"]})
    write_atomically(path, work.as_file(better))


def _plain_course(root: Path) -> Path:
    """The assignment that the attacks were written for, under nbgrader and nothing else."""
    root.mkdir()
    config = 'c = get_config()\nc.CourseDirectory.course_id = "plain"\n'
    (root / "nbgrader_config.py").write_text(config, encoding="utf-8")
    for name in ATTACKS:
        path = next(work.ATTACKS.glob(f"{name}_*.ipynb"))
        write_atomically(root / "submitted" / name / "plain" / "plain.ipynb", path.read_bytes())
    write_atomically(root / "source" / "plain" / "plain.ipynb", path.read_bytes())
    return root


def _locked_course(root: Path) -> Course:
    """The same function asked by headwork, and a sentence that a person has to read."""
    make_course(root, name="locked")
    table = (root / "course.toml").read_text(encoding="utf-8") + f"\ncontent = [{json.dumps(str(ONE_FUNCTION))}]\n"
    write_atomically(root / "course.toml", table.encode())
    write_atomically(root / "roster.csv", ("id\nhonest\n" + "\n".join(ATTACKS) + "\n").encode())
    write_atomically(root / "source" / "ps1" / "assignment.toml", b'title = "One"\nexercises = ["whole-head"]\n')
    course = open_course(root)
    write_source(course, course.assignment("ps1"))
    return course


def _hand_in_attacks(course: Course) -> None:
    for name in ATTACKS:
        path = next(work.ATTACKS.glob(f"{name}_*.ipynb"))
        write_atomically(course.root / "submitted" / name / "ps1" / "ps1.ipynb", path.read_bytes())
    release = released_notebook(course, course.content(), course.assignment("ps1"))
    texts = {"attention": HONEST, "answer-whole-head--why-scale": "Because the spread grows with the width."}
    honest = work.as_file(work.worked(release, texts))
    write_atomically(course.root / "submitted" / "honest" / "ps1" / "ps1.ipynb", honest)
    # An assignment of the same course that is none of headwork's.
    for place, name in ((course.root / "source", "E10"), (course.root / "submitted" / "honest", "E08")):
        path = next(work.ATTACKS.glob(f"{name}_*.ipynb"))
        write_atomically(place / "other" / "other.ipynb", path.read_bytes())
