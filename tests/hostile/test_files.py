"""Hostile notebooks, archives and file names: each ends in a submission or a sentence, soon, and nothing gets out."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from headwork.collect import Collection, ReleaseNotebook, collect, load_stored, read_submission, store
from headwork.collect.entries import STUDENT, Refused, list_folder
from headwork.collect.roster import Roster, Student
from headwork.model import CourseError

ATTACKS = Path(__file__).parent / "attacks"
NOTEBOOKS = sorted(ATTACKS.glob("E*.ipynb"))
GENERATORS = sorted(ATTACKS.glob("E*.gen.py"))
SOURCES = sorted(p for p in ATTACKS.glob("[A-F]*.py") if not p.name.endswith(".gen.py"))
RELEASE = ReleaseNotebook(kinds={"attention": "solution", "test_values": "test", "test_stable": "test"})
ONE = Roster(students=(Student(id="s1"),))
SECONDS = 10.0
MEGABYTES = 700


def stem(path: Path) -> str:
    return path.name.partition("_")[0]


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Callable[[str], Path]:
    """The folder that a generator fills, by the attack's id; each generator runs once."""

    @cache
    def fill(attack: str) -> Path:
        (generator,) = ATTACKS.glob(f"{attack}_*.gen.py")
        folder = tmp_path_factory.mktemp(attack) / "files"
        run = [sys.executable, "-I", "-W", "ignore", str(generator), str(folder)]
        subprocess.run(run, check=True, cwd=folder.parent, timeout=120)
        return folder

    return fill


@pytest.fixture(params=[stem(path) for path in GENERATORS])
def hostile(request, made) -> Path:
    """The folder that one generator has filled."""
    return made(request.param)


def linked(folder: Path, place: Path, *names: str) -> Path:
    """The files of ``folder`` (or those named), under the same names in ``place``."""
    place.mkdir(parents=True)
    for name in names or os.listdir(os.fsencode(folder)):
        os.link(
            os.path.join(os.fsencode(folder), os.fsencode(name)), os.path.join(os.fsencode(place), os.fsencode(name))
        )
    return place


@pytest.fixture(autouse=True)
def nothing_gets_out(request, tmp_path) -> Iterator[None]:
    """The working folder and the folders above stay as they were; time and memory stay within limits."""
    places = [Path.cwd(), tmp_path.parent, tmp_path.parent.parent, Path("/"), Path("/tmp")]
    if "hostile" in request.fixturenames:
        request.getfixturevalue("hostile")  # made before the clock starts
    before = [sorted(p.glob("*ag_lab_pwned*")) for p in places]
    memory, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    yield
    assert time.monotonic() - start < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024 < MEGABYTES
    assert [sorted(p.glob("*ag_lab_pwned*")) for p in places] == before


def one_by_one(folder: Path, tmp_path: Path) -> Collection:
    """Every file of the folder as the work of a student of its own, through names as a platform makes them."""
    source = tmp_path / "in"
    files = sorted(os.listdir(os.fsencode(folder)))
    for number, name in enumerate(files):
        linked(folder, source / f"s{number}", os.fsdecode(name))
    people = Roster(students=tuple(Student(id=f"s{n}") for n in range(len(files))))
    return collect(source, people, assignment="hw")


def test_each_file_ends_in_a_submission_or_a_sentence(hostile, tmp_path):
    collection = one_by_one(hostile, tmp_path)
    told = [s.student for s in collection.submissions if s.cells or s.unreadable or s.answers]
    assert told == [s.student for s in collection.submissions]
    assert collection.unmatched == ()


def test_all_files_together_end_in_a_submission(hostile, tmp_path):
    linked(hostile, tmp_path / "in" / "s1")
    (submission,) = collect(tmp_path / "in", ONE, assignment="hw").submissions
    assert submission.cells or submission.unreadable or submission.needs_attention


def test_what_is_stored_stays_in_its_folder(hostile, tmp_path):
    course = tmp_path / "course"
    course.mkdir()
    collection = one_by_one(hostile, tmp_path)
    store(collection, course, "hw")
    loaded = {s.student: s.digest for s in load_stored(course, "hw")}
    assert loaded == {s.student: s.digest for s in collection.submissions}
    written = [
        p for p in course.rglob("*") if p.is_file() and p.name != "collected.json" and ".headwork" not in p.parts
    ]
    assert all(p.parent.name == "hw" and p.parent.parent.parent.name == "submitted" for p in written)
    assert not [p for p in course.rglob("*") if p.is_symlink()]


def test_every_text_about_a_file_can_be_printed_and_stored(hostile, tmp_path):
    for submission in one_by_one(hostile, tmp_path).submissions:
        texts = (*submission.files, *submission.notices, *submission.messages, submission.unreadable or "")
        assert all(text.isprintable() for text in texts)
        json.dumps([*texts, *submission.cells], ensure_ascii=False).encode("utf-8")


# --- what becomes of them ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "file", "reason"),
    [
        ("E30", "truncated.ipynb", "broken JSON"),
        ("E30", "empty.ipynb", "the file is empty"),
        ("E30", "list.ipynb", "not a notebook"),
        ("E30", "comma.ipynb", "broken JSON"),
        ("E30", "html.ipynb", "a web page"),
        ("E33", "huge.ipynb", "larger than 20 MB"),
        ("E35", "bomb.zip", "larger than 20 MB"),
        ("E35", "gzip.ipynb", "NUL|broken JSON"),
        ("E35", "many.zip", "no code and no answers|nothing"),
    ],
)
def test_unreadable_files_are_named_as_what_they_are(attack, file, reason, made, tmp_path):
    linked(made(attack), tmp_path / "in" / "s1", file)
    collection = collect(tmp_path / "in", ONE, assignment="hw")
    (submission,) = collection.submissions
    assert re.search(reason, submission.unreadable)
    assert submission.messages


@pytest.mark.parametrize("name", ["bom", "utf16", "utf32", "latin1", "surrogate", "nul", "overlong"])
def test_every_encoding_of_a_notebook_is_read(name, made):
    raw = (made("E32") / f"{name}.ipynb").read_bytes()
    assert read_submission({"hw.ipynb": raw}, "s1").unreadable == "no code and no answers; handed in: hw.ipynb"


def test_a_bomb_as_the_whole_class_is_nobodys(made):
    assert collect(made("E35") / "bomb.zip", ONE, assignment="hw").submissions == ()


def test_a_zip_of_a_hundred_thousand_members_is_refused_as_a_class(made):
    with pytest.raises(CourseError, match="a zip of more than 40000 members is not read"):
        collect(made("E35") / "many.zip", ONE, assignment="hw")


def test_members_that_lead_out_links_and_devices_are_refused(made, tmp_path):
    folder = made("E36")
    submission = one_by_one(folder, tmp_path).submissions[0]
    text = "\n".join(submission.notices)
    assert text.count("its path leads out of the zip; not read") == 6
    assert text.count("a link or special file; not read") == 3
    assert "submission.py: is in the zip twice; the last one counts" in text
    assert not any("pwned" in name for name in submission.files if "link_dir" not in name)


def test_a_folder_of_modules_that_hide_others_gives_the_one_answer(made):
    folder = made("E39")
    files = {e.name: e.read(1 << 20) for e in list_folder(folder, STUDENT).entries}
    submission = read_submission(files, "s1")
    assert "def attention" in "".join(submission.cells)
    assert "pwned" not in "".join(submission.cells)
    assert submission.needs_attention is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
@pytest.mark.parametrize("release", [RELEASE, None], ids=["release", "no-release"])
def test_hostile_notebooks_are_only_text(path, release):
    submission = read_submission({"hw.ipynb": path.read_bytes()}, "s1", release=release)
    assert submission.unreadable is None
    assert any("def attention" in cell for cell in submission.cells)
    texts = (*submission.notices, *submission.messages, *submission.cell_names)
    assert all(text.isprintable() and len(text) < 2000 for text in texts)


@pytest.mark.parametrize("attack", ["E01", "E03", "E04", "E15"])
def test_no_cell_of_the_tests_is_run_as_the_students(attack):
    (path,) = ATTACKS.glob(f"{attack}*.ipynb")
    submission = read_submission({"hw.ipynb": path.read_bytes()}, "s1", release=RELEASE)
    assert not {"test_values", "test_stable"} & set(submission.cell_names)


def test_a_repeated_grade_id_is_told():
    (path,) = ATTACKS.glob("E03*.ipynb")
    submission = read_submission({"hw.ipynb": path.read_bytes()}, "s1", release=RELEASE)
    assert any("repeated grade id: test_stable, test_values" in notice for notice in submission.notices)


def test_shell_and_other_languages_are_dropped_with_a_note():
    (path,) = ATTACKS.glob("E06*.ipynb")
    submission = read_submission({"hw.ipynb": path.read_bytes()}, "s1", release=RELEASE)
    assert len([m for m in submission.messages if "not run, because it is a %%" in m]) >= 2
    lines = [line.strip() for cell in submission.cells for line in cell.split("\n")]
    assert not [line for line in lines if line.startswith(("!", "%"))]


@pytest.mark.parametrize("path", SOURCES, ids=stem)
def test_hostile_sources_are_only_text(path):
    submission = read_submission({"attention.py": path.read_bytes()}, "s1")
    assert len(submission.cells) == 1
    assert submission.unreadable is None


def test_nothing_of_a_submission_is_importable_here(made, tmp_path):
    folder = made("E39")
    one_by_one(folder, tmp_path)
    assert not [entry for entry in sys.path if str(tmp_path) in entry]
    assert not [m for m in list(sys.modules.values()) if str(tmp_path) in str(getattr(m, "__file__", ""))]


def test_a_file_that_turns_into_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / "attention.py").write_bytes(b"x = 1")
    (entry,) = list_folder(tmp_path, STUDENT).entries
    (tmp_path / "attention.py").unlink()
    os.mkfifo(tmp_path / "attention.py")
    with pytest.raises(Refused, match="not a regular file"):
        entry.read(100)
