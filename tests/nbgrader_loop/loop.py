"""A class through nbgrader's whole loop, by nbgrader's own commands: exchange, zip, autograde, feedback, export."""

from __future__ import annotations

import getpass
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwork.assigning import assign_all
from headwork.course import Course, open_course, write_atomically
from headwork.demo import right_answers
from headwork.draw.student import draw_sheet
from headwork.exports.nbgrader import write_gradebook, write_source
from headwork.grading import Work, grade_class, submissions_of
from headwork.new_course import make_course
from headwork.solution_file import solution_source

from nbgrader_loop import students as work

COMMANDS = Path(__file__).with_name("commands.py")
ONE_FUNCTION = Path(__file__).resolve().parent.parent / "data" / "one_function"
NAME = "attention"
ME = getpass.getuser()
"""nbgrader's exchange knows students by their accounts; this one fetches and submits."""
CLASS = ("ada", "ben", "carla", "dora", "emil", "fay", "gus", "hal", "iva", "jan", "kim", "lea", "mia", ME)
ATTACKS = ("E10", "E11", "E12", "E20")

ASSIGNMENT = """\
title = "Attention, step by step"
exercises = ["project", "scale", "softmax-rows"]

[limits]
wall = 2.0
total = 8.0
"""
ZIP_PATTERN = r".*[/\\](?P<student_id>[^_/\\]+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>.*)"


def run(*steps: tuple[Path, str] | tuple[Path, str, Mapping[str, str]]) -> dict[str, dict[str, Any]]:
    """Run nbgrader commands in one process; what each said, by command line."""
    listed = [
        {"cwd": str(step[0]), "arguments": shlex.split(step[1]), "environment": step[2] if len(step) > 2 else {}}
        for step in steps
    ]
    path = steps[0][0] / ".commands.json"
    path.write_text(json.dumps(listed), encoding="utf-8")
    # nbgrader starts alembic by name, as if its environment were activated.
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, str(COMMANDS), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment)
    path.unlink()
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    return {step[1]: one for step, one in zip(steps, said, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """The course after the loop, and what the commands said."""

    course: Course
    student_folder: Path
    said: Mapping[str, Mapping[str, Any]]
    stub_said: Mapping[str, Any]


def make_class(root: Path, *, assignment: str = ASSIGNMENT, roster: tuple[str, ...] = CLASS) -> Course:
    make_course(root, name="attn101")
    rows = "".join(f"{student},{student.title()} Example\n" for student in roster)
    write_atomically(root / "roster.csv", f"id,name\n{rows}".encode())
    write_atomically(root / "source" / NAME / "assignment.toml", assignment.encode())
    course = open_course(root)
    list(assign_all(course, NAME, roster))
    write_source(course, course.assignment(NAME))
    return course


def exchange_config(exchange: Path) -> str:
    return (
        "\nc.Exchange.root = " + repr(str(exchange)) + "\nc.Exchange.path_includes_course = True\n"
        "c.ExecutePreprocessor.timeout = 20\n"
        "c.FileNameCollectorPlugin.named_regexp = " + repr(ZIP_PATTERN) + "\n"
    )


def add_to_config(root: Path, text: str) -> None:
    path = root / "nbgrader_config.py"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def run_loop(tmp: Path) -> Loop:
    course = make_class(tmp / "course")
    exchange = tmp / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    add_to_config(course.root, exchange_config(exchange))
    student = tmp / "student"
    student.mkdir()
    config = 'c = get_config()\nc.CourseDirectory.course_id = "attn101"\n' + exchange_config(exchange)
    (student / "nbgrader_config.py").write_text(config, encoding="utf-8")
    fetched = student / "attn101" / NAME / f"{NAME}.ipynb"
    validate = f"validate {shlex.quote(str(fetched))}"
    said = run(
        (course.root, f"generate_assignment {NAME}"),
        (course.root, f"release_assignment {NAME}"),
        (student, "list"),
        (student, f"fetch_assignment {NAME} --course attn101"),
        (student, validate),
    )
    stub_said = said[validate]
    release = json.loads((course.root / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    _hand_in_by_zip(course, release)
    right = {**work.functions_of(course, NAME), **work.answers_of(course, NAME, ME)}
    write_atomically(fetched, work.as_file(work.worked(release, right)))
    said |= run(
        (student, validate),
        (student, f"submit {NAME} --course attn101"),
        (course.root, f"collect {NAME}"),
        (course.root, f"zip_collect {NAME}"),
        (course.root, f"autograde {NAME}"),
        (course.root, f"generate_feedback {NAME}"),
        (course.root, f"release_feedback {NAME} --student={ME}"),  # nobody else came by the exchange
        (student, f"fetch_feedback {NAME} --course attn101"),
        (course.root, "export --to export.csv"),
    )
    return Loop(course=course, student_folder=student, said=said, stub_said=stub_said)


def _hand_in_by_zip(course: Course, release: Mapping[str, Any]) -> None:
    folder = course.root / "downloaded" / NAME / "archive"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for student, files in class_work(course, release).items():
            for name, data in files.items():
                archive.writestr(f"{student}_attempt_2026-02-01-10-00-00_{name}", data)


def class_work(course: Course, release: Mapping[str, Any]) -> dict[str, dict[str, bytes]]:
    """What everyone hands in: right, half-right, wrong, hostile and broken notebooks."""
    right = work.functions_of(course, NAME)
    half = {
        **right,
        "scaled": "def scaled(scores, d_head):\n    return scores / d_head",
        "project": "def project(x, w):\n    return np.zeros((2, 2))",
    }
    zeros = {name: work.ZEROS.format(name=name) for name in right}
    warning = right["weights"].replace("\n", "\n    np.log(np.zeros(1))\n", 1)

    def notebook(texts: Mapping[str, str]) -> dict[str, Any]:
        return work.worked(release, texts)

    def attacked(name: str) -> dict[str, Any]:
        made = notebook(zeros)
        made["cells"].insert(2, work.code_cell(work.attack_source(name)))
        return made

    messy = notebook({**right, "weights": warning, "project": work.MESSY + right["project"]})
    messy["metadata"]["kernelspec"] = {"display_name": "Conda", "language": "python", "name": "conda-root-py"}
    foreign = notebook({})
    foreign["metadata"] = {"kernelspec": {"name": "ir", "language": "R"}, "language_info": {"name": "R"}}
    leaving = notebook({**right, "scaled": "import os\nos._exit(0)\n" + right["scaled"]})
    scripted = notebook(right)
    script = '<script>document.title="AG-XSS"</script><img src=x onerror="document.title=1"> $\\href{javascript:1}{x}$'
    scripted["cells"].insert(1, {"cell_type": "markdown", "id": "m", "metadata": {}, "source": script})
    file = f"{NAME}.ipynb"
    return {
        "ada": {file: work.as_file(notebook({**right, **work.answers_of(course, NAME, "ada")}))},
        "ben": {file: work.as_file(notebook(half))},
        "carla": {file: work.as_file(work.tampered(notebook(right)))},
        "dora": {file: work.as_file(messy)},
        "emil": {file: work.as_file(attacked("E10"))},
        "fay": {file: work.as_file(attacked("E11"))},
        "gus": {file: work.as_file(attacked("E12"))},
        "hal": {file: work.as_file(attacked("E20"))},
        "iva": {file: work.as_file(notebook(right))[:2000]},
        "jan": {file: b"\xef\xbb\xbf" + work.as_file(scripted)},
        "kim": {file: work.as_file(foreign)},
        "lea": {file: work.as_file(leaving)},
        "mia": {file: work.as_file(release), f"{NAME}-Copy1.ipynb": work.as_file(notebook(right))},
    }


def graded_alone(course: Course, where: Path) -> Course:
    """The same course as it was before anything was graded, and a student with plain files; graded by headwork alone."""
    shutil.copytree(course.root, where, ignore=shutil.ignore_patterns("autograded", "feedback", "reports", "*.db"))
    alone = open_course(where)
    sheet = right_answers_of_a_newcomer(alone)
    source = solution_source(alone.content(), alone.assignment(NAME).exercises, instead={"scaled": "return scores"})
    write_atomically(where / "submitted" / "pia" / NAME / "attention.py", source.encode())
    write_atomically(where / "submitted" / "pia" / NAME / "answers.toml", sheet.encode())
    done = list(grade_class(Work(course=alone, assignment_name=NAME, isolation="auto"), submissions_of(alone, NAME)))
    assert [one.fault for one in done if one.fault] == []
    write_gradebook(alone, alone.assignment(NAME), [one.report for one in done if one.report])
    return alone


def right_answers_of_a_newcomer(course: Course) -> str:
    """Pia is on no roster; her numbers are drawn when she is graded, and here."""
    assignment = course.assignment(NAME)
    course.save_sheet(NAME, draw_sheet(course.content(), assignment, secret=course.secret(), student="pia"))
    return right_answers(course, assignment, "pia")
