"""The course folder and the batch: nothing is lost, nothing half written, the batch goes on."""

import dataclasses
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from headwork.assigning import assign_all
from headwork.assignment import read_assignment
from headwork.collect import collect, store
from headwork.course import Course, open_course
from headwork.draw.draw import problem_of
from headwork.draw.student import draw_sheet, hidden_draws
from headwork.grading import Work, grade_class, submissions_of
from headwork.model import CourseError, Status, Submission
from headwork.new_course import make_course
from headwork.publishing import write_class_report, write_feedback
from headwork.reports.record import read_report
from headwork.reports.stored import reports_of
from headwork.rooms import load_content
from headwork.solution_file import solution_source
from headwork.writing import write_atomically

CONTENT = load_content()
SMALL = 'title = "Small"\nexercises = ["scale", "output-projection"]\n[limits]\nwall = 1.0\ntotal = 4.0\n'


@pytest.fixture
def course(tmp_path):
    root = tmp_path / "Kurs für Köpfe"
    make_course(root)
    (root / "source" / "attention" / "assignment.toml").write_text(SMALL)
    (root / "roster.csv").write_text("id,name\nada,Ada\nben,Ben\neva,Eva\n")
    return open_course(root)


@pytest.fixture
def handed_in(course, tmp_path):
    list(assign_all(course, "attention", ["ada", "ben", "eva"]))
    right = solution_source(CONTENT, [CONTENT.exercises[slug] for slug in ("scale", "output-projection")])
    sources = {"ada": right, "ben": right.replace("np.sqrt(d_head)", "d_head"), "eva": "def scaled(:\n"}
    for student, source in sources.items():
        write_atomically(tmp_path / "inbox" / student / "attention.py", source.encode())
    store(collect(tmp_path / "inbox", course.roster(), assignment="attention"), course.root, "attention")
    return course


def work(course, **rest):
    return Work(course=course, assignment_name="attention", isolation="auto", **rest)


def graded(course, **rest):
    found = submissions_of(course, "attention")
    return {one.student: one for one in grade_class(work(course), found, **rest)}


def test_a_new_course_is_refused_where_there_is_one(course):
    with pytest.raises(CourseError, match="there is a course here already; nothing was changed"):
        make_course(course.root)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits")
def test_the_secret_is_readable_by_its_owner_only(course):
    path = course.root / ".headwork" / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert course.secret() == course.secret()


def test_a_course_is_found_from_below(course):
    assert open_course(course.root / "source" / "attention").root == course.root


def test_without_a_course_the_message_says_what_to_do(tmp_path):
    with pytest.raises(CourseError, match=r"no course\.toml here or above; `headwork new FOLDER`"):
        open_course(tmp_path)


def test_handing_out_twice_changes_nothing(course):
    first = {
        path.name: (path / "problem.json").read_bytes() for path in assign_all(course, "attention", ["ada", "ben"])
    }
    again = {
        path.name: (path / "problem.json").read_bytes() for path in assign_all(course, "attention", ["ada", "ben"])
    }
    assert first == again
    assert first["ada"] != first["ben"]


def test_a_student_who_is_not_on_the_roster_gets_no_handout(course):
    with pytest.raises(CourseError, match="'eve' is not on the roster"):
        list(assign_all(course, "attention", ["eve"]))


def test_no_handout_holds_a_hidden_number_or_the_secret(course):
    folder = next(assign_all(course, "attention", ["ada"]))
    text = b"".join(path.read_bytes() for path in folder.iterdir())
    assert course.secret().hex().encode() not in text
    assert b"hidden" not in json.dumps(json.loads((folder / "problem.json").read_bytes())).encode()
    assert hidden_draws(course.assignment("attention"))


def test_grading_tells_right_from_wrong_from_broken(handed_in):
    found = graded(handed_in)
    assert found["ada"].report.total > found["ben"].report.total > 0
    assert found["eva"].report.status is Status.GRADED_WITH_NOTICE
    assert found["eva"].report.total == 0


def test_workers_and_order_change_nothing(handed_in):
    alone = {student: one.report for student, one in graded(handed_in).items()}
    for path in handed_in.root.glob("reports/attention/*/report.json"):
        path.unlink()
    backwards = list(reversed(submissions_of(handed_in, "attention")))
    together = {one.student: one.report for one in grade_class(work(handed_in), backwards, workers=2)}
    assert alone == together


def below(pid):
    """The processes that ``pid`` has started, and those that they have."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += [int(child), *below(int(child))]
    return found


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def within(seconds, happened):
    end = time.monotonic() + seconds
    while not (found := happened()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_run_that_is_killed_takes_its_workers_along(handed_in, tmp_path):
    for student in ("ada", "ben"):
        write_atomically(tmp_path / "slow" / student / "attention.py", b"while True: pass\n")
    store(collect(tmp_path / "slow", handed_in.roster(), assignment="attention"), handed_in.root, "attention")
    command = [sys.executable, "-m", "headwork.cli", "grade", "attention", "--workers", "2"]
    killed = subprocess.Popen(command, cwd=handed_in.root, stdout=subprocess.DEVNULL)
    started = within(20, lambda: len(found := below(killed.pid)) >= 4 and found)  # worker, two zygotes, a child
    killed.kill()
    killed.wait()
    assert started
    assert within(10, lambda: not any(map(runs, started)))


def test_a_second_run_grades_only_what_is_missing(handed_in):
    graded(handed_in)
    handed_in.report_path("attention", "ben").unlink()
    before = handed_in.report_path("attention", "ada").stat().st_mtime_ns
    again = graded(handed_in)
    assert [student for student, one in again.items() if not one.kept] == ["ben"]
    assert handed_in.report_path("attention", "ada").stat().st_mtime_ns == before


def test_a_new_submission_is_graded_anew(handed_in, tmp_path):
    graded(handed_in)
    path = tmp_path / "inbox" / "eva" / "attention.py"
    path.write_bytes((tmp_path / "inbox" / "ada" / "attention.py").read_bytes())
    store(collect(tmp_path / "inbox", handed_in.roster(), assignment="attention"), handed_in.root, "attention")
    again = graded(handed_in)
    assert [student for student, one in again.items() if not one.kept] == ["eva"]
    assert again["eva"].report.total == again["ada"].report.total


def test_regrading_one_student_leaves_the_others(handed_in):
    graded(handed_in)
    files = {path: path.read_bytes() for path in handed_in.root.glob("reports/attention/*/report.json")}
    [one] = grade_class(work(handed_in, again=True), submissions_of(handed_in, "attention", ["ben"]))
    assert one.student == "ben"
    assert {path: path.read_bytes() for path in files} == files


def test_a_fault_of_ours_is_never_a_mark_and_leaves_the_old_one(handed_in):
    graded(handed_in)
    old = handed_in.report_path("attention", "ada").read_bytes()
    handed_in.sheet_path("attention", "ada").write_text("{broken")
    again = {
        one.student: one for one in grade_class(work(handed_in, again=True), submissions_of(handed_in, "attention"))
    }
    assert "stored draws can't be read" in again["ada"].fault
    assert again["ada"].report is None
    assert again["ben"].report is not None
    assert handed_in.report_path("attention", "ada").read_bytes() == old


def test_stored_draws_are_read_as_they_were_drawn_and_state_shared_numbers_once(course):
    shared = SMALL.replace('"scale"', '"project", "scale"')
    (course.root / "source" / "attention" / "assignment.toml").write_text(shared)
    assignment = course.assignment("attention")
    drawn = draw_sheet(CONTENT, assignment, secret=course.secret(), student="ada")
    course.save_sheet("attention", drawn)
    read = course.load_sheet(assignment, "ada")
    assert read.attempts == drawn.attempts
    assert read.problems["project"].instance is read.problems["scale"].instance
    for slug, problem in read.problems.items():
        again = problem_of(CONTENT.exercises[slug], student="ada", instance=problem.instance)
        assert again.digest == problem.digest == drawn.problems[slug].digest
    stored = json.loads(course.sheet_path("attention", "ada").read_text())["problem"]["exercises"]
    assert [slug for slug, entry in stored.items() if "inputs" in entry] == ["project", "output-projection"]


def test_the_stored_draws_decide_whatever_would_be_drawn_now(handed_in):
    first = graded(handed_in)["ada"].report
    (handed_in.root / ".headwork" / "secret").write_text("00" * 32)
    again = next(iter(grade_class(work(handed_in, again=True), submissions_of(handed_in, "attention", ["ada"]))))
    assert again.report.total == first.total


def test_another_students_problem_file_is_a_notice_and_no_mark(handed_in, tmp_path):
    for name in ("ada", "ben"):
        problem = (handed_in.handout_folder("attention", "ben") / "problem.json").read_bytes()
        write_atomically(tmp_path / "inbox" / name / "problem.json", problem)
    store(collect(tmp_path / "inbox", handed_in.roster(), assignment="attention"), handed_in.root, "attention")
    found = graded(handed_in)
    assert any("problem.json is not the one" in notice for notice in found["ada"].report.notices)
    assert not any("problem.json is not the one" in notice for notice in found["ben"].report.notices)
    assert found["ada"].report.total > found["ben"].report.total


def test_feedback_names_the_first_wrong_stage_in_its_first_line(handed_in):
    graded(handed_in)
    list(write_feedback(handed_in, "attention"))
    page = (handed_in.feedback_folder("attention", "ben") / "feedback.md").read_text()
    assert "scaled" in "\n".join(page.splitlines()[:3])


def test_the_class_report_holds_the_same_totals_everywhere(handed_in):
    graded(handed_in)
    reports = reports_of(handed_in, "attention")
    table, page = write_class_report(handed_in, handed_in.assignment("attention"), reports)[:2]
    for report in reports:
        assert read_report(handed_in.report_path("attention", report.student)).total == report.total
        assert report.student in table.read_text()
        assert report.student in page.read_text()


def test_nothing_collected_is_a_clear_error(handed_in):
    with pytest.raises(CourseError, match="nothing has been collected from eve"):
        submissions_of(handed_in, "attention", ["eve"])


def test_a_submission_that_breaks_the_grader_does_not_stop_the_batch(handed_in):
    odd = Submission(student="ada", cells=(None,), digest="odd")  # pyright: ignore[reportArgumentType]
    good = submissions_of(handed_in, "attention", ["ben"])
    found = {one.student: one for one in grade_class(work(handed_in), [odd, *good])}
    assert found["ada"].fault
    assert found["ben"].report is not None


@pytest.mark.parametrize("torn", [b"", b'{\n "format": "headwork rep', b'{"format": "headwork report 9"}'])
def test_a_report_that_a_power_cut_tore_is_written_anew(handed_in, torn):
    first = graded(handed_in)
    path = handed_in.report_path("attention", "ben")
    path.write_bytes(torn)
    again = graded(handed_in)
    assert [student for student, one in again.items() if not one.kept] == ["ben"]
    assert read_report(path) == first["ben"].report


def test_a_torn_report_needs_attention_and_stops_nobody_elses(handed_in):
    first = graded(handed_in)
    handed_in.report_path("attention", "ben").write_bytes(b"")
    found = {report.student: report for report in reports_of(handed_in, "attention")}
    assert found["ben"].status is Status.NEEDS_ATTENTION
    assert "headwork grade" in found["ben"].reason
    assert found["ben"].maximum == first["ben"].report.maximum
    assert found["ada"] == first["ada"].report
    assert ["ben" in folder.parts for folder in write_feedback(handed_in, "attention")].count(True) == 1
    table, page = write_class_report(handed_in, handed_in.assignment("attention"), list(found.values()))[:2]
    assert "be read; `headwork grade` writes it anew" in page.read_text()
    assert "ben,Ben,,5,,,,needs attention,the record" in table.read_text()


def test_a_course_can_be_sent_to_another_process(course):
    assert dataclasses.replace(course) == Course(root=course.root, name=course.name)


# --- assignment.toml --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exercises = []", "wanted a list of exercise names"),
        ('exercises = ["scal"]', "exercise 'scal' is not there. Did you mean 'scale'?"),
        ('exercises = ["scale", "scale"]', "exercise 'scale' is named twice"),
        ('exercises = ["scale"]\nform = "pdf"', "form = 'pdf'"),
        ('exercises = ["scale"]\n[marking]\nfollow_thru = "full"', "did you mean 'follow_through'?"),
        ('exercises = ["scale"]\n[marking]\nfollow_through = "some"', "wanted one of full, half, none"),
        ('exercises = ["scale"]\n[marking]\nhints = "many"', "hints = 'many'; wanted something like 3"),
        ('exercises = ["scale"]\n[limits]\nwall = -1', "wall = -1; wanted a positive number"),
        ('exercises = ["scale"]\n[parameters]\nT = 1', "T = 1; wanted a whole number from 2 to 64"),
        ('exercises = ["scale"]\n[parameters.scal]\nT = 4', "did you mean 'scale'?"),
        ('exercises = ["scale", "find-the-slip"]', "shows code of stages that scale may ask for"),
        ('exercises = ["scale"', "not readable as TOML"),
    ],
)
def test_what_is_wrong_with_an_assignment_is_named(text, said, tmp_path):
    path = tmp_path / "assignment.toml"
    path.write_text(text)
    with pytest.raises(CourseError) as caught:
        read_assignment(path, CONTENT.exercises, name="hw")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_an_assignment_that_is_not_there_is_told_with_those_that_are(course):
    with pytest.raises(CourseError, match="there is no such assignment; there are: attention"):
        course.assignment("hw9")
