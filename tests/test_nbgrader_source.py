"""The source notebook for nbgrader: what its cells are, whose numbers it finds, and that nothing in it is secret."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from headwork.answers.asking import Explain
from headwork.assignment import ad_hoc
from headwork.course import open_course
from headwork.draw.student import draw_sheet, hidden_draws
from headwork.exports.nbgrader import write_source
from headwork.exports.nbgrader.cells import grade_id_of, notebook_cells, notebook_json
from headwork.exports.nbgrader.released import as_released, cells_of, checksum_of, flags_of, released_notebook
from headwork.grading import Work, grade_class, submissions_of
from headwork.marking.planner import Planner
from headwork.model import CourseError, Judgement, TracePart, Verdict
from headwork.new_course import make_course
from headwork.rooms import load_content
from headwork.writing import write_atomically
from nbgrader_loop import students as work

CONTENT = load_content()
SECRET = b"s" * 32
STUDENTS = ("ada", "Ben O'Hara", "0042")
ASSIGNMENT = 'title = "Steps"\nexercises = ["project", "scale", "softmax-rows"]\n'


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("source") / "course"
    make_course(root, name="Attention 101")
    write_atomically(root / "roster.csv", ("id\n" + "\n".join(STUDENTS) + "\n").encode())
    write_atomically(root / "source" / "steps" / "assignment.toml", ASSIGNMENT.encode())
    found = open_course(root)
    write_source(found, found.assignment("steps"))
    return found


@pytest.fixture(scope="module")
def folder(course):
    return course.root / "source" / "steps"


@pytest.fixture
def desk(folder, tmp_path):
    """What a student has fetched."""
    for name in ("steps.ipynb", "own_numbers.py", "test_public.py", "numbers.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    return tmp_path


def notebook_of(slug):
    assignment = ad_hoc("one", [CONTENT.exercises[slug]])
    return notebook_json(notebook_cells(CONTENT, assignment), assignment="one")


def own(folder, *arguments, code="print(json.dumps(m.own_entry(*sys.argv[1:])))", environment=None):
    program = f"import json, sys; sys.path.insert(0, '.'); import own_numbers as m; {code}"
    return subprocess.run(
        [sys.executable, "-B", "-c", program, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", **(environment or {})},
        check=False,
    )


@pytest.mark.parametrize("slug", CONTENT.exercises)
def test_the_points_of_the_cells_are_those_of_the_exercise(slug):
    assignment = ad_hoc("one", [CONTENT.exercises[slug]])
    assert sum(cell.points for cell in notebook_cells(CONTENT, assignment)) == assignment.maximum


@pytest.mark.parametrize("slug", CONTENT.exercises)
def test_every_part_has_a_cell_for_its_points(slug):
    ids = {cell.grade_id for cell in notebook_cells(CONTENT, ad_hoc("one", [CONTENT.exercises[slug]])) if cell.grade}
    wanted = set()
    for part in CONTENT.exercises[slug].parts:
        kind = "code" if hasattr(part, "operation") or hasattr(part, "chain") else "hand"
        name = getattr(part, "operation", None) or getattr(part, "name", None) or getattr(part, "slug", "")
        for one in part.stages if isinstance(part, TracePart) else (name,):
            judgement = Judgement(
                exercise=slug,
                part=one,
                kind=kind,
                verdict=Verdict.RIGHT,
                points=part.points,
                maximum=part.points,
                summary="",
            )
            wanted.add(grade_id_of(judgement))
    assert ids == wanted


@pytest.mark.parametrize("slug", CONTENT.exercises)
def test_cells_have_nbgraders_metadata(slug):
    from headwork.exports.nbgrader.database import load_api

    load_api()
    import nbformat

    notebook = nbformat.from_dict(notebook_of(slug))
    nbformat.validate(notebook)
    flags = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert {one.schema_version for one in flags} == {3}
    assert len({one.grade_id for one in flags}) == len(flags)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,128}", one.grade_id) for one in flags)


@pytest.mark.parametrize("slug", CONTENT.exercises)
def test_solution_cells_hold_a_stub_in_a_region(slug):
    solutions = [cell for cell in cells_of(notebook_of(slug)) if flags_of(cell).get("solution")]
    code = [cell["source"] for cell in solutions if cell["cell_type"] == "code"]
    assert all("### BEGIN SOLUTION\n    raise NotImplementedError\n    ### END SOLUTION" in text for text in code)
    assert all(cell["source"] == "" for cell in solutions if cell["cell_type"] == "markdown")


def test_the_numbers_are_those_that_were_handed_out(course, desk):
    sheet = course.load_sheet(course.assignment("steps"), "ada")
    entry = json.loads(own(desk, "ada").stdout)
    assert {slug: one["digest"] for slug, one in entry["problem"]["exercises"].items()} == {
        slug: one.digest for slug, one in sheet.problems.items()
    }


@pytest.mark.parametrize("student", STUDENTS)
def test_everyone_on_the_roster_finds_numbers_of_their_own(desk, student):
    entry = json.loads(own(desk, student).stdout)
    assert entry["problem"]["student"] == student


@pytest.mark.parametrize("variable", ["JUPYTERHUB_USER", "NB_USER"])
def test_a_hub_says_whose_numbers(desk, variable):
    entry = json.loads(own(desk, environment={variable: "0042"}).stdout)
    assert entry["problem"]["student"] == "0042"


def test_an_id_is_typed_once(desk):
    asking = "m.input = lambda _: 'ada'; print(m.own_entry()['problem']['student'])"
    assert own(desk, code=asking).stdout.strip() == "ada"
    refusing = "m.input = None; print(m.own_entry()['problem']['student'])"
    assert own(desk, code=refusing).stdout.strip() == "ada"


def test_an_unknown_id_is_told_so(desk):
    assert "no numbers for this id" in own(desk, "nobody").stderr


def test_the_file_of_numbers_names_nobody(folder):
    table = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))
    shared = zlib.decompress(base64.b64decode(table["shared"]))
    packed = [base64.b64decode(text) for text in table["students"].values()]
    entries = [json.loads(zlib.decompressobj(zdict=shared).decompress(one)) for one in packed]
    assert not set(table["students"]) & set(STUDENTS)
    assert {entry["problem"]["student"] for entry in entries} == {""}


@pytest.mark.parametrize("student", STUDENTS)
def test_nothing_in_the_source_is_secret(course, desk, student):
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(desk.iterdir())) + own(desk, student).stdout
    assignment = course.assignment("steps")
    sheet = course.load_sheet(assignment, student)
    plan = Planner(course.content(), assignment, secret=course.secret()).plan(sheet)
    hidden = [check for part in plan.parts for check in part.checks if not check.own]
    arrays = [value for check in hidden for value in (check.reference, *check.values.values()) if np.size(value) > 5]
    assert arrays
    assert course.secret().hex() not in text
    assert [value for value in arrays if json.dumps(value.tolist()) in text] == []


def test_hidden_draws_are_not_in_a_handed_out_problem(course):
    assignment = course.assignment("steps")
    sheet = course.load_sheet(assignment, "ada")
    assert not {hidden.key for hidden in hidden_draws(assignment)} & set(sheet.problems)


def test_the_same_course_gives_the_same_bytes(course, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    write_source(course, course.assignment("steps"))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_empty_roster_is_refused(course, tmp_path):
    make_course(tmp_path / "course")
    write_atomically(tmp_path / "course" / "roster.csv", b"id\n")
    empty = open_course(tmp_path / "course")
    with pytest.raises(CourseError):
        write_source(empty, empty.assignment("attention"))


def test_our_checksum_is_nbgraders():
    from headwork.exports.nbgrader.database import load_api

    utils = sys.modules.get("nbgrader.utils") or (load_api(), sys.modules["nbgrader.utils"])[1]
    import nbformat

    notebook = as_released(notebook_of("scale"))
    flagged = [cell for cell in cells_of(notebook) if flags_of(cell)]
    assert [utils.compute_checksum(nbformat.from_dict(cell)) for cell in flagged] == [checksum_of(c) for c in flagged]


def test_a_class_of_300_fits_into_a_megabyte():
    from headwork.exports.nbgrader.numbers import numbers_json

    assignment = ad_hoc("steps", [CONTENT.exercises[slug] for slug in ("project", "scale", "softmax-rows")])
    sheets = [draw_sheet(CONTENT, assignment, secret=SECRET, student=f"s{number}") for number in range(6)]
    two = len(numbers_json(CONTENT, assignment, sheets[:2], secret=SECRET))
    six = len(numbers_json(CONTENT, assignment, sheets, secret=SECRET))
    assert two + 298 * (six - two) / 4 < 1 << 20


def test_an_explanation_is_a_cell_for_a_person():
    content = load_content([Path(__file__).parent / "data" / "one_function"])
    exercise = content.exercises["whole-head"]
    assert any(isinstance(part, Explain) for part in exercise.parts)
    cells = notebook_cells(content, ad_hoc("one", [exercise]))
    cell = next(cell for cell in cells if cell.grade_id == "answer-whole-head--why-scale")
    assert (cell.kind, cell.grade, cell.solution, cell.locked, cell.points) == ("markdown", True, True, False, 2)


def test_somebody_elses_numbers_are_a_notice_and_cost_nothing(course, desk):
    own(desk, "0042")
    release = released_notebook(course, course.content(), course.assignment("steps"))
    place = course.root / "submitted" / "ada" / "steps"
    write_atomically(place / "steps.ipynb", work.as_file(work.worked(release, work.functions_of(course, "steps"))))
    write_atomically(place / "problem.json", (desk / "problem.json").read_bytes())
    (graded,) = grade_class(
        Work(course=course, assignment_name="steps", isolation="auto"), submissions_of(course, "steps")
    )
    assert graded.report is not None
    assert all(one.points == one.maximum for one in graded.report.judgements if one.kind == "code")
    assert any("problem.json is not the one that was handed out" in notice for notice in graded.report.notices)
