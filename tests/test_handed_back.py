"""What headwork hands out is what it can read back: untouched, filled in, and in both forms."""

import json

import pytest
from headwork.collect import read_submission, release_of
from headwork.handout import handout_files
from sheets import assignment_of, content, sheet_of

SLUGS = ("scale", "causal-mask")
FORMS = ("py", "notebook")


def handed_out(form: str) -> dict[str, bytes]:
    return handout_files(content(), "hw1", "ada", sheet_of(*SLUGS).problems, assignment_of(*SLUGS).exercises, form=form)


def code_name(form: str) -> str:
    return "attention.py" if form == "py" else "hw1.ipynb"


@pytest.mark.parametrize("form", FORMS)
def test_an_untouched_handout_is_told_to_its_student(form):
    files = handed_out(form)
    for release in (None, release_of(files)):
        submission = read_submission(files, "ada", assignment="hw1", release=release)
        assert submission.messages == (f"{code_name(form)} is as it was handed out; is it the file you worked in?",)
        assert submission.needs_attention is None


@pytest.mark.parametrize("form", FORMS)
def test_a_worked_handout_has_nothing_to_be_told(form):
    files = handed_out(form)
    files[code_name(form)] = files[code_name(form)].replace(b"raise NotImplementedError", b"return 1")
    submission = read_submission(files, "ada", assignment="hw1", release=release_of(handed_out(form)))
    assert (submission.notices, submission.messages, submission.unreadable) == ((), (), None)
    assert "return 1" in "".join(submission.cells)


def test_the_first_cell_runs_where_no_file_of_the_handout_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict = {}
    exec(read_submission(handed_out("notebook"), "ada").cells[0], namespace)
    assert "np" in namespace


@pytest.mark.parametrize("form", FORMS)
def test_the_problem_comes_back_as_it_went_out(form):
    files = handed_out(form)
    assert read_submission(files, "ada").problem == json.loads(files["problem.json"])


def test_every_field_of_the_answer_file_comes_back_as_typed():
    files = handed_out("py")
    empty = read_submission(files, "ada").answers
    files["answers.toml"] = files["answers.toml"].replace(b"'''\n'''", b"'''\n1/2 sqrt(2)\n-inf 0\n'''")
    filled = read_submission(files, "ada").answers
    assert filled == {exercise: dict.fromkeys(fields, "1/2 sqrt(2)\n-inf 0") for exercise, fields in empty.items()}
    assert sum(len(fields) for fields in empty.values()) > 0


def test_notebook_and_answer_file_ask_for_the_same_fields():
    both = [read_submission(handed_out(form), "ada").answers for form in FORMS]
    assert both[0] == both[1]
