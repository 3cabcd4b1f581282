"""What came back from a class: whose it is, which file counts, and that nothing is lost or run."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import headwork
import pytest
from headwork.collect import collect, load_stored, read_submission, store
from headwork.collect.answers_file import read_answers, with_latex_backslashes
from headwork.collect.roster import Roster, Student, read_roster
from headwork.collect.safe_names import safe_name, safe_names
from headwork.model import CourseError

CASES = Path(__file__).parent / "cases"
WORK = b"def f():\n    return 1\n"
STUB = b"def f():\n    raise NotImplementedError\n"


def expected(case: str):
    return json.loads((CASES / case / "case.json").read_text(encoding="utf-8"))["expect"]


def roster(*ids: str, **names: str) -> Roster:
    return Roster(students=tuple(Student(id=i) for i in ids) + tuple(Student(id=i, name=n) for i, n in names.items()))


def lay(root: Path, files: dict[str, bytes]) -> Path:
    for name, raw in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    return root


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return path


# --- the cases --------------------------------------------------------------------------------


def test_a_canvas_download_is_matched_by_the_account_number_alone():
    case = CASES / "A01-canvas-names"
    people = read_roster(case / "roster.csv")
    expect = expected("A01-canvas-names")
    number = {s.id: s.lms_id for s in people.students}
    collection = collect(case / "bulk_download.zip", people, assignment="hw3")
    assert {number[i]: came[0] for i, came in collection.sources.items()} == expect["matched"]
    assert [number[s.student] for s in collection.submissions if s.late] == expect["late"]
    assert [number[i] for i in collection.missing] == expect["missing"]
    assert [u.name for u in collection.unmatched] == expect["unmatched"]
    assert all("def softmax" in "".join(s.cells) for s in collection.submissions)


def test_odd_ids_are_all_found_in_a_zip_with_a_wrapping_folder():
    case = CASES / "F03-odd-ids"
    people = read_roster(case / "roster.csv")
    collection = collect(case / "submissions.zip", people, assignment="HW 3 (attention) [v1+2]: 1/2")
    assert [s.student for s in collection.submissions] == expected("F03-odd-ids")["exported_ids"]
    assert (collection.unmatched, collection.missing, collection.notices) == ((), (), ())


def test_a_stored_instance_comes_back_as_it_is():
    raw = (CASES / "G03-stored-instance" / "submission.json").read_bytes()
    submission = read_submission({"submission.json": raw}, "mokoena")
    assert submission.problem == json.loads(raw)
    assert submission.answers["head_by_hand"]["weights"] == "0.3302 0.6698; 0.6698 0.3302"
    assert submission.unreadable is None


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"}, {"PYTHONUTF8": "1"}]
)
def test_the_locale_changes_nothing(environment):
    program = (
        "import sys; from pathlib import Path; from headwork.collect import *\n"
        "for p in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    s = read_submission({p.name: p.read_bytes()}, 's'); print(s.digest, ascii(s.notices))\n"
    )
    here = "".join(
        f"{s.digest} {s.notices!a}\n"
        for p in sorted((CASES / "A06-encodings").iterdir())
        for s in [read_submission({p.name: p.read_bytes()}, "s")]
    )
    # Without site: it reads the path of an editable install in the locale's encoding, and ends where it can't.
    run = [sys.executable, "-S", "-c", program, str(CASES / "A06-encodings")]
    found = {"PYTHONPATH": os.pathsep.join([str(Path(headwork.__file__).parent.parent), *filter(None, sys.path)])}
    seen = subprocess.run(run, env={**os.environ, **environment, **found}, capture_output=True, text=True, check=True)
    assert seen.stdout == here


# --- whose file -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("s1/attention.py", "s1"),
        ("S1/attention.py", "s1"),
        ("s1.py", "s1"),
        ("s10.py", "s10"),
        ("s1_hw3.py", "s1"),
        ("hw3-s10.ipynb", "s10"),
        ("Pat Doe_1234567_assignsubmission_file_/attention.py", "pd"),
        ("Pat Doe_1234567_assignsubmission_file_attention.py", "pd"),
        ("Doe, Pat/attention.py", "pd"),
        ("HW3_pd_attempt_2026-01-02-03-04-05_attention.py", "pd"),
        ("12345-67890 - Pat Doe - Jan 5, 2026 935 AM/attention.py", "pd"),
        ("p.doe@example.org/attention.py", "pd"),
        ("submitted/s1/hw3/attention.py", "s1"),
        ("s1/hw3/attention.py", "s1"),
    ],
)
def test_the_names_that_platforms_give_are_read(tmp_path, name, student):
    people = Roster(
        students=(Student(id="s1"), Student(id="s10"), Student(id="pd", name="Pat Doe", email="p.doe@example.org"))
    )
    collection = collect(lay(tmp_path, {name: WORK}), people, assignment="hw3")
    assert [s.student for s in collection.submissions] == [student]


@pytest.mark.parametrize("name", ["s100.py", "xs1.py", "nobody/attention.py", "Pat Doe_1_assignsubmission_file_/a.py"])
def test_nobodys_file_is_listed_and_stops_nothing(tmp_path, name):
    people = Roster(students=(Student(id="s1"), Student(id="a", name="Pat Doe"), Student(id="b", name="Pat Doe")))
    collection = collect(lay(tmp_path, {name: WORK, "s1/attention.py": WORK}), people, assignment="hw3")
    assert [s.student for s in collection.submissions] == ["s1"]
    assert len(collection.unmatched) == 1


def test_other_homework_in_the_students_folder_is_left_alone(tmp_path):
    files = {"s1/hw3/attention.py": WORK, "s1/hw2/attention.py": STUB}
    (submission,) = collect(lay(tmp_path, files), roster("s1"), assignment="hw3").submissions
    assert submission.cells == (WORK.decode(),)


def test_a_zip_of_zips_is_opened_one_level(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"hw3/attention.py": WORK, "more.zip": b"PK"}).read_bytes()
    outer = zipped(tmp_path / "all.zip", {"s1_hw3.zip": inner})
    (submission,) = collect(outer, roster("s1"), assignment="hw3").submissions
    assert submission.cells == (WORK.decode(),)
    assert submission.notices == ("more.zip: a zip inside a zip is not opened",)


def test_the_newer_attempt_of_a_canvas_download_counts(tmp_path):
    people = Roster(students=(Student(id="s1", lms_id="7"),))
    files = {"doe_7_900_hw3.py": STUB, "doe_7_901_hw3-1.py": WORK}
    (submission,) = collect(lay(tmp_path, files), people, assignment="hw3").submissions
    assert submission.cells == (WORK.decode(),)
    assert submission.notices == ("hw3.py: came more than once; the newer one counts",)


@pytest.mark.parametrize(
    "left_over", ["__MACOSX/._a.py", ".ipynb_checkpoints/hw3-checkpoint.ipynb", "__pycache__/a.py"]
)
def test_left_overs_of_systems_are_not_seen(tmp_path, left_over):
    files = {f"s1/{left_over}": STUB, "s1/attention.py": WORK}
    (submission,) = collect(lay(tmp_path, files), roster("s1"), assignment="hw3").submissions
    assert (submission.files, submission.notices) == (("attention.py",), ())


def test_a_source_that_is_not_there_is_an_error_of_the_course(tmp_path):
    with pytest.raises(CourseError, match="no folder and no file of that name"):
        collect(tmp_path / "none", roster("s1"), assignment="hw3")


# --- safe reading -----------------------------------------------------------------------------


def test_links_and_pipes_are_named_and_never_opened(tmp_path):
    secret = lay(tmp_path, {"secret.py": b"CANARY"}) / "secret.py"
    source = lay(tmp_path / "in", {"s1/attention.py": WORK})
    (source / "s1" / "link.py").symlink_to(secret)
    (source / "s2").symlink_to(tmp_path)
    os.mkfifo(source / "s1" / "pipe.py")
    collection = collect(source, roster("s1", "s2"), assignment="hw3")
    assert "CANARY" not in repr(collection)
    assert collection.notices == (
        "s1/link.py: a link; links are not followed",
        "s1/pipe.py: not a regular file",
        "s2: a link; links are not followed",
    )
    assert collection.missing == ("s2",)


def test_a_file_above_its_limit_is_refused_with_its_reason(tmp_path):
    source = lay(tmp_path, {"s1/attention.py": b"#" * (1 << 19)})
    (submission,) = collect(source, roster("s1"), assignment="hw3").submissions
    assert submission.unreadable == (
        "larger than 0.25 MB, which is the most that is read; clear stored outputs and hand it in again"
    )


# --- which file counts ------------------------------------------------------------------------


def read(**files: bytes):
    return read_submission({n.replace("__", "."): raw for n, raw in files.items()}, "s1", assignment="hw3")


def test_a_scratch_file_beside_the_asked_one_does_not_count():
    submission = read(attention__py=WORK, scratch__py=b"x = 1\n")
    assert submission.cells == (WORK.decode(),)
    assert "graded is attention.py" in submission.notices[0]
    assert submission.needs_attention is None


def test_two_worked_copies_that_differ_go_to_a_person():
    submission = read_submission({"attention.py": WORK, "attention (1).py": WORK + b"# more\n"}, "s1")
    assert submission.needs_attention == "several files could be the answer: attention (1).py, attention.py"
    assert "Please say which one counts." in submission.messages[0]


def test_two_equal_copies_are_one():
    submission = read_submission({"attention.py": WORK, "attention-Copy1.py": WORK + b"\n"}, "s1")
    assert (submission.needs_attention, submission.cells) == (None, (WORK.decode(),))


def test_a_notebook_and_a_python_file_both_worked_go_to_a_person():
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": "y = 2"}]}).encode()
    assert read(attention__py=WORK, hw3__ipynb=notebook).needs_attention is not None


@pytest.mark.parametrize("foreign", ["numpy.py", "json.py", "test_public.py", "conftest.py", "sitecustomize.py"])
def test_files_that_are_no_answer_are_set_aside(foreign):
    submission = read_submission({foreign: b"1", "my work.py": WORK}, "s1")
    assert (submission.cells, submission.needs_attention) == ((WORK.decode(),), None)


def test_an_unreadable_notebook_beside_typed_answers_needs_attention():
    submission = read(hw3__ipynb=b"{", answers__toml=b"[a]\nb = '1'\n")
    assert submission.answers == {"a": {"b": "1"}}
    assert submission.unreadable is None
    assert submission.needs_attention == "the code file hw3.ipynb cannot be read: broken JSON at line 1, column 2"


def test_answers_alone_can_be_graded():
    submission = read(answers__toml=b"[a]\nb = '1'\n")
    assert (submission.unreadable, submission.needs_attention, submission.cells) == (None, None, ())


@pytest.mark.parametrize(
    ("files", "reason"),
    [({}, "nothing was handed in"), ({"photo.txt": b"x"}, "no code and no answers; handed in: photo.txt")],
)
def test_nothing_to_grade_is_said_to_both_sides(files, reason):
    submission = read_submission(files, "s1")
    assert (submission.unreadable, submission.messages) == (reason, (reason,))


def test_the_digest_is_over_what_is_graded():
    digest = read(attention__py=WORK).digest
    assert digest == read(hw3__py=WORK.replace(b"\n", b"\r\n")).digest
    assert digest != read(attention__py=WORK + b"#").digest
    assert digest != read(attention__py=WORK, answers__toml=b"[a]\nb='1'").digest


# --- answers.toml -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("b = '1/2'", "1/2"),
        ('b = "sqrt(2)"', "sqrt(2)"),
        ("b = 0.50", "0.50"),
        ("b = 12", "12"),
        ("b = [[1, 2.0], ['1/2', 4]]", "[[1, 2.0], [1/2, 4]]"),
        ("b = '''\n1 2\n3 4\n'''", "1 2\n3 4"),
        (r'b = "\frac{1}{2}"', r"\frac{1}{2}"),
        (r'b = "\theta + \beta \\ \nu"', r"\theta + \beta \ \nu"),
        ("b = true", "true"),
        ("b = ''", ""),
    ],
)
def test_answers_are_read_as_typed(line, typed):
    answers = read_answers(f"[a]\n{line}\n".encode())
    assert (answers.answers, answers.messages) == ({"a": {"b": typed}}, ())


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("b = 1/2*sqrt(2)", "1/2*sqrt(2)"),
        ("b = “1/2”", "1/2"),
        ("b = [[1, 1/2], [0, 1]]", "[[1, 1/2], [0, 1]]"),
        ("b = '1/2", "1/2"),
        ("b = -inf 0", "-inf 0"),
    ],
)
def test_a_line_that_is_not_toml_is_read_as_typed_and_costs_no_other(line, typed):
    answers = read_answers(f"[x]\ny = '1'\n[a]\n{line}\n\nc = '3'\n".encode())
    assert answers.answers == {"x": {"y": "1"}, "a": {"b": typed, "c": "3"}}
    assert "not quite TOML" in answers.messages[0]


def test_a_bad_line_is_named_with_where_and_what():
    answers = read_answers(b"[a]\nb = 1/2\n\nnonsense here\n")
    assert answers.messages[1:] == (
        "answers.toml: line 2: b is not in quotes; it was read as 1/2",
        'answers.toml: line 4: neither [exercise] nor field = "answer": nonsense here',
    )


@pytest.mark.parametrize(
    "raw", [b"x = " + b"[" * 100_000, b"a" + b".a" * 50_000 + b" = 1", b'"""' * 9, b"= = =", b"\x00"]
)
def test_hostile_toml_ends_in_answers_at_once(raw):
    assert read_answers(raw).messages


def test_ordinary_toml_is_not_touched_by_the_care_for_backslashes():
    text = "a = 'x\\y' # \"\\n\nb = \"q\\\"r\"\nc = '''\n\\n'''\n"
    assert with_latex_backslashes(text) == text


# --- the course folder ------------------------------------------------------------------------


def collected(tmp_path, raw: bytes, name="attention.py"):
    source = lay(tmp_path / f"in{len(raw)}", {f"s1/{name}": raw, "s1/photo.jpg": b"x"})
    return collect(source, roster("s1", "s2"), assignment="hw3")


def test_what_is_stored_is_what_is_loaded(tmp_path):
    collection = collected(tmp_path, WORK)
    assert store(collection, tmp_path, "hw3") == ("s1",)
    assert tuple(load_stored(tmp_path, "hw3")) == collection.submissions
    assert (tmp_path / "submitted/s1/hw3/attention.py").read_bytes() == WORK


def test_a_photo_is_named_to_both_sides(tmp_path):
    (submission,) = collected(tmp_path, WORK).submissions
    assert submission.messages == submission.notices == ("photo.jpg: not a kind of file that is graded",)


def test_a_file_name_cannot_claim_another_student(tmp_path):
    people = Roster(students=(Student(id="eve", lms_id="1"), Student(id="bob", lms_id="2")))
    names = ["eve_1_9_x_2_9_hw.py", "HW_eve_attempt_2026-01-02-03-04-05_bob_attempt_2026-01-02-03-04-06_x.py"]
    collection = collect(lay(tmp_path, dict.fromkeys(names, WORK)), people, assignment="hw")
    assert [s.student for s in collection.submissions] == ["eve"]


def test_storing_the_same_again_changes_nothing(tmp_path):
    store(collected(tmp_path, WORK), tmp_path, "hw3")
    assert store(collected(tmp_path, WORK), tmp_path, "hw3") == ()
    assert not (tmp_path / "submitted/s1/.attempts").exists()


def test_a_resubmission_decides_and_the_earlier_one_is_kept(tmp_path):
    for raw in (STUB, WORK, WORK + b"#"):
        store(collected(tmp_path, raw), tmp_path, "hw3")
    (submission,) = load_stored(tmp_path, "hw3")
    assert submission.cells == ((WORK + b"#").decode(),)
    kept = sorted((tmp_path / "submitted/s1/.attempts/hw3").iterdir())
    assert [(p.name, (p / "attention.py").read_bytes()) for p in kept] == [("1", STUB), ("2", WORK)]


def test_the_class_record_lists_who_is_missing(tmp_path):
    store(collected(tmp_path, WORK), tmp_path, "hw3")
    record = json.loads((tmp_path / ".headwork/collected/hw3.json").read_text())
    assert (record["missing"], record["unmatched"]) == (["s2"], [])


def test_a_folder_that_nbgrader_collected_is_loaded(tmp_path):
    lay(tmp_path, {"submitted/müller/hw3/attention.py": WORK, "submitted/müller/hw2/attention.py": STUB})
    assert [(s.student, s.cells) for s in load_stored(tmp_path, "hw3")] == [("müller", (WORK.decode(),))]


def test_a_student_cannot_write_the_record(tmp_path):
    source = lay(tmp_path / "in", {"s1/attention.py": WORK, "s1/collected.json": b'{"student": "s2", "late": true}'})
    store(collect(source, roster("s1", "s2"), assignment="hw3"), tmp_path, "hw3")
    (submission,) = load_stored(tmp_path, "hw3")
    assert (submission.student, submission.late) == ("s1", False)


@pytest.mark.parametrize("assignment", ["../x", "a/b", "", ".hidden", "-x", "a\nb"])
def test_an_assignment_that_is_no_folder_name_is_refused(tmp_path, assignment):
    with pytest.raises(CourseError):
        store(collected(tmp_path, WORK), tmp_path, assignment)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("-rf.py", "_-rf.py"),
        ("../../x.py", "__..__x.py"),
        ("sub/a.py", "sub__a.py"),
        ("CON.py", "_CON.py"),
        ("$(touch x).py", "_(touch x).py"),
        ("é\u0301.py".replace("é", "e"), "é.py"),
        (".hidden.py", "hidden.py"),
        ("x" * 300 + ".py", "x" * 97 + ".py"),
        ("", "_"),
    ],
)
def test_names_are_written_safely(name, safe):
    assert safe_name(name) == safe


def test_names_that_differ_in_case_or_form_alone_are_kept_apart():
    names = ["A.py", "a.py", "\u00e9.py", "e\u0301.py", "collected.json", "Collected.JSON"]
    assert len({safe.casefold() for safe in safe_names(names).values()} | {"collected.json"}) == len(names) + 1
