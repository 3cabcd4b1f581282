"""CPU of grading one class three ways: nbgrader with its own Execute, nbgrader with headwork, headwork alone.

python bench/nbgrader_compare.py [--students 30] [--large 300] [--full]

CPU seconds of the command and everything it starts, kernels and sandboxes included, all in one run on one machine.
The assignment and the notebooks are the same in every column. The class of --large is graded by headwork only; what
nbgrader would take for it is counted up from the smaller class, or measured with --full.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwork.assigning import assign_all
from headwork.collect.lines import statements
from headwork.course import Course, open_course
from headwork.demo import right_answers
from headwork.exports.nbgrader import write_source
from headwork.exports.nbgrader.cells import answer_id
from headwork.exports.nbgrader.released import Notebook, cells_of, flags_of, released_notebook
from headwork.new_course import make_course
from headwork.solution_file import solution_source
from headwork.writing import write_atomically

NAME = "attention"
PLAIN = 'c = get_config()\nc.CourseDirectory.course_id = "bench"\n'
SLIPS: tuple[Mapping[str, str], ...] = ({}, {}, {"scaled": "return scores / d_head"}, {"weights": "return logits"})
"""In turn: right, right in code and wrong in one cell by hand, and two slips in code."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--large", type=int, default=300)
    parser.add_argument("--full", action="store_true", help="let nbgrader grade the large class as well (minutes)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        small = make_class(root / "small", options.students)
        execute = spent(with_config(small, root / "execute", PLAIN), "nbgrader", "autograde", NAME)
        plugged = spent(copied(small, root / "plugged"), "nbgrader", "autograde", NAME)
        alone = spent(copied(small, root / "alone"), "headwork", "grade", NAME, "--gradebook")
        start = spent(root / "execute", "nbgrader", "export")
        rows = [
            ("nbgrader, its own Execute", options.students, execute, execute),
            ("nbgrader, headwork's preprocessor", options.students, plugged, execute),
            ("headwork grade --gradebook", options.students, alone, execute),
        ]
        if options.large:
            large = make_class(root / "large", options.large)
            took = spent(copied(large, root / "large alone"), "headwork", "grade", NAME, "--gradebook")
            whole = start + (execute - start) * options.large / options.students
            if options.full:
                whole = spent(with_config(large, root / "large execute", PLAIN), "nbgrader", "autograde", NAME)
            told = "nbgrader, its own Execute" + ("" if options.full else " (counted up)")
            rows += [(told, options.large, whole, whole), ("headwork grade --gradebook", options.large, took, whole)]
    print(f"{'':42}{'students':>9}{'CPU s':>9}{'ratio':>8}")
    for what, students, seconds, against in rows:
        print(f"{what:42}{students:>9}{seconds:>9.2f}{seconds / against:>8.3f}")


def spent(folder: Path, *command: str) -> float:
    """CPU seconds of a command and of all that it started."""
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed packages have theirs compiled
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [str(programs / command[0]), *command[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout[-1000:]}{done.stderr[-3000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_class(root: Path, size: int) -> Course:
    """A course whose students have handed in notebooks: a quarter of them all right."""
    make_course(root, name="bench")
    students = [f"s{number:03d}" for number in range(1, size + 1)]
    write_atomically(root / "roster.csv", ("id\n" + "\n".join(students) + "\n").encode())
    course = open_course(root)
    folders = list(assign_all(course, NAME, students))
    write_source(course, course.assignment(NAME))
    spent(root, "nbgrader", "generate_assignment", NAME)
    release = released_notebook(course, course.content(), course.assignment(NAME))
    assignment = course.assignment(NAME)
    versions = [functions_of(course, slips) for slips in SLIPS]
    for number, (student, folder) in enumerate(zip(students, folders, strict=True)):
        place = root / "submitted" / student / NAME
        turn = number % len(versions)
        typed = tomllib.loads(right_answers(course, assignment, student, slipped="scaled" if turn == 1 else None))
        write_atomically(place / f"{NAME}.ipynb", as_file(release, versions[turn], typed))
        write_atomically(place / "problem.json", (folder / "problem.json").read_bytes())
    return course


def functions_of(course: Course, instead: Mapping[str, str]) -> dict[str, str]:
    source = solution_source(course.content(), course.assignment(NAME).exercises, instead=instead)
    return {piece[4 : piece.index("(")]: piece.strip() for piece in statements(source) if piece.startswith("def ")}


def as_file(release: Notebook, functions: Mapping[str, str], typed: Mapping[str, Mapping[str, str]]) -> bytes:
    answers = {answer_id(slug, name): text for slug, fields in typed.items() for name, text in fields.items()}
    notebook: dict[str, Any] = json.loads(json.dumps(release))
    for cell in cells_of(notebook):
        grade_id = flags_of(cell).get("grade_id", "")
        cell["source"] = {**functions, **answers}.get(grade_id, cell["source"])
    return json.dumps(notebook, indent=1).encode()


def copied(course: Course, where: Path) -> Path:
    shutil.copytree(course.root, where)
    return where


def with_config(course: Course, where: Path, config: str) -> Path:
    copied(course, where)
    (where / "nbgrader_config.py").write_text(config, encoding="utf-8")
    return where


if __name__ == "__main__":
    main()
