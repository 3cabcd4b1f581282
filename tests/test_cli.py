"""The commands, run as a person runs them: in a process of their own."""

import json
import subprocess
import sys

import pytest


def headwork(*arguments, cwd, check=True):
    done = subprocess.run(
        [sys.executable, "-m", "headwork.cli", *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    if check:
        assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("cli") / "mein kurs é"
    headwork("new", root, cwd=root.parent)
    text = (root / "source/attention/assignment.toml").read_text(encoding="utf-8")
    start, end = text.index("exercises = ["), text.index("]") + 1
    small = text[:start] + 'exercises = ["scale", "output-projection"]' + text[end:]
    (root / "source/attention/assignment.toml").write_text(small, encoding="utf-8")
    headwork("assign", "attention", cwd=root)
    for student in ("ada", "ben"):
        inbox = root / "inbox" / student
        inbox.mkdir(parents=True)
        stub = (root / "handouts/attention" / student / "attention.py").read_text(encoding="utf-8")
        first, second = stub.split("    raise NotImplementedError", 2)[:2]
        scale = "np.sqrt(d_head)" if student == "ada" else "d_head"
        body = f"{first}    return scores / {scale}{second}    return concat @ w_o\n"
        (inbox / "attention.py").write_text(body, encoding="utf-8")
    return root


def test_the_loop_runs_from_the_command_line(course):
    assert (
        "2 submissions, 2 new or changed; nothing from 0."
        in headwork("collect", "attention", "inbox", cwd=course).stdout
    )
    graded = json.loads(headwork("grade", "attention", "--json", cwd=course).stdout)
    assert sorted(graded["graded"]) == ["ada", "ben"]
    again = json.loads(headwork("grade", "attention", "--json", cwd=course).stdout)
    assert sorted(again["unchanged"]) == ["ada", "ben"]
    headwork("feedback", "attention", cwd=course)
    assert (course / "feedback/ben/attention/feedback.html").exists()
    report = json.loads(headwork("report", "attention", "--json", cwd=course).stdout)
    totals = {one["student"]: one["total"] for one in report["students"]}
    assert totals["ada"] - totals["ben"] == 1
    assert (course / "reports/attention/grades.csv").exists()


def test_worksheets_and_keys_are_written(course):
    headwork("worksheet", "attention", "--student", "ada", cwd=course)
    headwork("worksheet", "attention", "--student", "ada", "--key", "--format", "tex", cwd=course)
    folder = course / "worksheets/attention"
    assert "<script" not in (folder / "ada.html").read_text(encoding="utf-8")
    assert "\\documentclass" in (folder / "ada-key.tex").read_text(encoding="utf-8")


def test_certificates_are_printed_and_stored(course):
    done = headwork("certify", "attention", "--student", "ada", cwd=course)
    assert "scaled on multi_head" in done.stdout
    assert "BLIND" not in done.stdout
    assert (course / ".headwork/certificates/attention.json").exists()


def test_practice_is_drawn_and_marked_and_leaves_no_record(tmp_path):
    written = headwork("practice", "output-projection", "--seed", "4", cwd=tmp_path)
    folder = tmp_path / "practice-output-projection-4"
    assert str(folder.name) in written.stdout
    before = headwork("practice", "--mark", folder, cwd=tmp_path)
    assert "First wrong stage: out" in before.stdout
    path = folder / "attention.py"
    path.write_text(path.read_text(encoding="utf-8").replace("raise NotImplementedError", "return concat @ w_o"))
    after = headwork("practice", "--mark", folder, cwd=tmp_path)
    assert "Everything is right" in after.stdout
    assert not list(tmp_path.rglob("report.json"))


def test_preview_shows_the_prompt_and_with_answers_the_solution(tmp_path):
    plain = headwork("preview", "scale", "--seed", "2", cwd=tmp_path).stdout
    assert "Scale the scores" in plain
    assert "np.sqrt" not in plain
    assert "np.sqrt(d_head)" in headwork("preview", "scale", "--seed", "2", "--answers", cwd=tmp_path).stdout


def test_a_preview_page_holds_prompt_key_and_worked_solution(tmp_path):
    headwork("preview", "scale", "--seed", "2", "--answers", "--html", tmp_path / "scale.html", cwd=tmp_path)
    page = (tmp_path / "scale.html").read_text(encoding="utf-8")
    assert "Scale the scores" in page
    assert "scale, variance" in page
    assert "Step by step" in page
    assert "<script" not in page


def test_the_list_names_every_exercise(tmp_path):
    found = json.loads(headwork("list", "--json", cwd=tmp_path).stdout)
    assert {"scale", "softmax-rows", "multi-head-attention"} <= {one["slug"] for one in found}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("grade", "attention"), "no course.toml here or above"),
        (("preview", "scal"), "Did you mean 'scale'?"),
        (("practice",), "give an exercise to practise, or --mark FOLDER"),
        (("practice", "--mark", "."), "not a practice folder"),
    ],
)
def test_a_mistake_at_the_command_line_is_explained(arguments, said, tmp_path):
    done = headwork(*arguments, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
