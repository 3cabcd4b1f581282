"""Notebooks: what is kept, what is dropped with a note, and what is refused with a reason."""

import json
from pathlib import Path

import pytest
from headwork.collect import ReleaseNotebook, read_submission, release_of
from headwork.collect.magics import without_magics
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = Path(__file__).parent / "cases"


def case_files(case: str) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in (CASES / case).iterdir() if p.name not in ("case.json",)}


def code(source, **grader):
    return {"cell_type": "code", "metadata": {"nbgrader": grader} if grader else {}, "source": source, "outputs": []}


def solution(grade_id, source):
    return code(source, grade_id=grade_id, solution=True, grade=False, locked=False)


def check(grade_id, source="assert f() == 1"):
    return code(source, grade_id=grade_id, solution=False, grade=True, locked=True)


def given_cell(grade_id, source):
    return code(source, grade_id=grade_id, solution=False, grade=False, locked=True)


def notebook(*cells, **metadata) -> bytes:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def read(*cells, release=None, **metadata):
    return read_submission({"hw.ipynb": notebook(*cells, **metadata)}, "s1", release=release)


# --- the cases --------------------------------------------------------------------------------


def test_repeated_grade_ids_are_named_and_all_copies_run_in_order():
    submission = read_submission(case_files("A04-duplicate-ids"), "s1")
    assert "a repeated grade id: q2, q2_check" in submission.notices[0]
    assert submission.cell_names == ("given", "q1", "q2", "q2", "q3")
    assert [cell.count("np.sqrt(d_k)") for cell in submission.cells] == [0, 0, 0, 1, 0]


@pytest.mark.parametrize("file", ["stub_bom_crlf.py", "stub_cp1252.py", "notebook_bom.ipynb"])
def test_every_usual_encoding_is_read(file):
    submission = read_submission({file: case_files("A06-encodings")[file]}, "s1")
    assert submission.unreadable is None
    assert "def softmax" in "".join(submission.cells)
    assert not set("\r\ufeff") & set("".join(submission.cells))
    assert any("not UTF-8" in notice for notice in submission.notices) == (file == "stub_cp1252.py")


@pytest.mark.parametrize("file", ["kernel_conda.ipynb", "kernel_missing.ipynb"])
def test_unknown_and_missing_kernels_are_fine(file):
    submission = read_submission({file: case_files("A07-kernels")[file]}, "s1")
    assert (submission.unreadable, submission.notices, len(submission.cells)) == (None, (), 4)


def test_a_notebook_of_another_language_is_not_gradable():
    submission = read_submission({"kernel_r.ipynb": case_files("A07-kernels")["kernel_r.ipynb"]}, "s1")
    assert submission.unreadable == "language R"
    assert submission.messages == ("kernel_r.ipynb cannot be graded: language R",)
    assert submission.cells == ()


def test_the_worked_copy_is_graded_beside_the_untouched_original():
    submission = read_submission(case_files("A09-renamed-copy"), "s1", assignment="hw3_attention")
    assert "raise NotImplementedError" not in "".join(submission.cells)
    assert "graded is hw3_attention-Copy1.ipynb" in submission.notices[0]
    assert submission.files == ("hw3_attention-Copy1.ipynb", "hw3_attention.ipynb")
    assert "graded is hw3_attention-Copy1.ipynb" in submission.messages[0]


def test_an_untouched_file_alone_is_never_silent():
    file = {"hw3_attention.ipynb": case_files("common")["hw3_attention_release.ipynb"]}
    submission = read_submission(file, "s1")
    assert submission.messages == ("hw3_attention.ipynb is as it was handed out; is it the file you worked in?",)


def test_a_cell_that_asks_for_input_stays_a_cell_of_its_own():
    submission = read_submission(case_files("B01-input"), "s1")
    cells = dict(zip(submission.cell_names, submission.cells, strict=True))
    assert "input(" in cells["q1"]
    assert "input(" not in cells["q2"] + cells["q3"]


def test_magics_are_dropped_and_the_timed_definition_is_kept():
    submission = read_submission(case_files("B05-magics-plots"), "s1")
    cells = dict(zip(submission.cell_names, submission.cells, strict=True))
    assert cells["q1"].startswith("\ndef softmax")
    assert cells["cell 1"] == "pass"
    assert cells["cell 3"].startswith("pass\nimport matplotlib")
    assert [m.split(":")[0] for m in submission.messages] == [
        f"hw3_attention.ipynb, {c}" for c in ("cell 1", "cell 3", "q1")
    ]


# --- magics -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("%%time\nx = 1", "\nx = 1"),
        ("\n%%timeit -n 3\nx = 1", "\n\nx = 1"),
        ("%%capture out\nx = 1", "\nx = 1"),
        ("!pip install torch", "pass"),
        ("!pip install \\\n    torch\nx = 1", "pass\n\nx = 1"),
        ("if True:\n    %matplotlib inline\nx = 1", "if True:\n    pass\nx = 1"),
        ("%time x = f(1)", "x = f(1)"),
        ("files = !ls", "pass"),
        ("t = %timeit -o f()", "pass"),
        ("np.dot?\nnp.sum??\n?np.max", "pass\npass\npass"),
        ("get_ipython().system('ls')", "pass"),
        ("x = (a\n     % b)", "x = (a\n     % b)"),
        ("x = a \\\n  % b", "x = a \\\n  % b"),
        ('s = """\n%no\n!no\n"""\n%yes', 's = """\n%no\n!no\n"""\npass'),
        ("s = 'it''s # (' # [\n%yes", "s = 'it''s # (' # [\npass"),
        ("x = 7 % 3\ny = x != 1", "x = 7 % 3\ny = x != 1"),
        ("# %time\n# why?", "# %time\n# why?"),
        ("print('%d' % 3)", "print('%d' % 3)"),
    ],
)
def test_ipython_lines_become_plain_python_on_the_same_lines(source, wanted):
    assert without_magics(source).source == wanted


@pytest.mark.parametrize(
    "magic", ["bash", "html", "javascript", "writefile attention.py", "sh", "R", "latex", "script python"]
)
def test_a_cell_of_another_language_is_dropped_with_a_note(magic):
    submission = read(code(f"%%{magic}\nrm -rf /"), solution("q1", "x = 1"))
    assert submission.cells == ("x = 1",)
    assert submission.messages == (f"hw.ipynb, cell 1: not run, because it is a %%{magic} cell",)


def test_magics_in_a_python_file_cost_only_their_lines():
    submission = read_submission({"attention.py": b"%matplotlib inline\nimport numpy as np\n!pip install x\n"}, "s1")
    assert submission.cells == ("pass\nimport numpy as np\npass\n",)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab =%!?#'\"\\([{}])\n\t", max_size=80))
def test_lines_are_never_added_or_lost(source):
    plain = without_magics(source)
    assert plain.whole or plain.source.count("\n") == source.count("\n")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab =#'\"\\([{}])\n\t", max_size=80))
def test_a_cell_without_ipython_signs_is_untouched(source):
    assert without_magics(source).source == source


# --- which cells are code ---------------------------------------------------------------------


def test_test_cells_are_no_code_of_the_student():
    submission = read(given_cell("g", "import numpy"), solution("q1", "x = 1"), check("q1_check"), code("y = 2"))
    assert submission.cells == ("import numpy", "x = 1", "y = 2")
    assert submission.cell_names == ("g", "q1", "cell 4")


def test_the_release_decides_which_cells_are_tests():
    release = ReleaseNotebook(kinds={"q1": "solution", "t": "test"})
    disguised = code("assert True", grade_id="t", solution=True, grade=False, locked=False)
    submission = read(check("q1", "x = 1"), disguised, release=release)
    assert submission.cells == ("x = 1",)


def test_a_made_up_test_is_run_as_code_and_told():
    release = ReleaseNotebook(kinds={"q1": "solution"})
    submission = read(solution("q1", "x = 1"), check("bonus", "y = 2"), release=release)
    assert submission.cells == ("x = 1", "y = 2")
    assert "cell bonus calls itself a test but was not handed out" in submission.notices[0]


def test_a_changed_given_cell_is_run_as_handed_out():
    release = ReleaseNotebook(kinds={"g": "given"}, sources={"g": "import numpy"})
    submission = read(given_cell("g", "import os"), solution("q1", "x = 1"), release=release)
    assert submission.cells == ("import numpy", "x = 1")
    assert "given cell g was changed" in submission.notices[0]


def test_outputs_and_metadata_leave_no_trace():
    cell = solution("q1", "x = 1") | {"outputs": [{"output_type": "stream", "text": "CANARY"}], "execution_count": 7}
    submission = read(cell, title="CANARY", widgets={"x": "CANARY"})
    assert "CANARY" not in repr(submission)


def test_the_old_format_is_read():
    old = {
        "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}],
        "metadata": {},
        "nbformat": 3,
    }
    assert read_submission({"hw.ipynb": json.dumps(old).encode()}, "s1").cells == ("x = 1\ny = 2",)


def test_bidi_and_control_characters_stay_text():
    source = "# \u202e\u2066 \x1b[2J\nx = 1"
    assert read(solution("q1", source)).cells == (source,)


def test_a_lone_surrogate_can_be_stored():
    raw = notebook(solution("q1", "x = '@'")).replace(b"@", b"\\ud800")
    assert read_submission({"hw.ipynb": raw}, "s1").cells == ("x = '\ufffd'",)


# --- answers in cells -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["raw", "markdown", "code"])
def test_tagged_cells_hold_typed_answers(kind):
    cell = {
        "cell_type": kind,
        "metadata": {"headwork": {"answer": "scale/scores"}},
        "source": ["[[1, 2],\n", " [3, 4]]\n"],
    }
    submission = read(cell)
    assert submission.answers == {"scale": {"scores": "[[1, 2],\n [3, 4]]"}}
    assert submission.cells == ()
    assert submission.unreadable is None


def test_a_grade_id_may_name_the_answer():
    cell = code("1/2", grade_id="answer-scale-and-mask--weights", solution=True)
    assert read(cell).answers == {"scale-and-mask": {"weights": "1/2"}}


def test_fences_and_comments_around_an_answer_are_not_part_of_it():
    cell = {
        "cell_type": "markdown",
        "metadata": {"headwork": {"answer": "a/b"}},
        "source": "<!-- type here -->\n```\n1/2\n```",
    }
    assert read(cell).answers == {"a": {"b": "1/2"}}


def test_an_answer_given_twice_is_told():
    cells = [{"cell_type": "raw", "metadata": {"headwork": {"answer": "a/b"}}, "source": s} for s in ("1", "2", "")]
    submission = read(*cells)
    assert submission.answers == {"a": {"b": "2"}}
    assert submission.notices == ("answer a/b was given twice; the last one counts",)


# --- what is no notebook ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "the file is empty"),
        (b"<html>login</html>", "the file is a web page, not a notebook"),
        (b"[]", "the file is JSON but not a notebook"),
        (b"7", "the file is JSON but not a notebook"),
        (b'{"a": 1}', "the file has no cells, so it is not a notebook"),
        (b'{"cells": [,]}', "broken JSON at line 1, column 12"),
        (b"[" * 200_000, "nested too deep"),
        (b"[" * 2_000_000, "too many lists and objects for a file of this kind"),
        (b'{"cells": ' + b"9" * 10_000 + b"}", "a number with too many digits"),
        (b'{"cells": [' + b"1," * 5_000_000 + b"1]}", "more than 10000 cells"),
    ],
)
def test_no_notebook_is_named_as_what_it_is(raw, reason):
    submission = read_submission({"hw.ipynb": raw}, "s1")
    assert submission.unreadable == reason
    assert submission.messages == (f"hw.ipynb cannot be graded: {reason}",)


def test_plain_python_under_the_name_of_a_notebook_is_read_with_a_note():
    submission = read_submission({"hw.ipynb": b"def f():\n    return 1\n"}, "s1")
    assert submission.cells == ("def f():\n    return 1\n",)
    assert "plain Python" in submission.notices[0]


def test_a_notebook_under_the_name_of_a_python_file_is_read_with_a_note():
    submission = read_submission({"attention.py": notebook(solution("q1", "x = 1"))}, "s1")
    assert submission.cells == ("x = 1",)
    assert "a notebook under the name of a Python file" in submission.notices[0]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id", "headwork", "answer", "locked"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=300, deadline=None)
@given(st.fixed_dictionaries({"cells": anything, "metadata": anything}) | anything)
def test_any_json_ends_in_a_submission(document):
    submission = read_submission({"hw.ipynb": json.dumps(document).encode()}, "s1")
    assert submission.unreadable or submission.cells or submission.answers


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["hw.ipynb", "a.py", "answers.toml", "problem.json", "x.txt"]))
def test_any_bytes_end_in_a_submission(raw, name):
    submission = read_submission({name: raw}, "s1")
    assert submission.digest
    repr(submission).encode()


# --- our own notebook -------------------------------------------------------------------------

SETUP = """\
import json

import numpy as np

from test_public import check

with open("problem.json", encoding="utf-8") as file:
    exercises = json.load(file)["exercises"]
given = {
    slug: {**exercise["sizes"], **{name: np.array(value) for name, value in exercise["inputs"].items()}}
    for slug, exercise in exercises.items()
}
"""


def own(role, source, **about):
    return {"cell_type": "code", "metadata": {"headwork": {"role": role, **about}}, "source": source}


def own_notebook(added="", body="    raise NotImplementedError"):
    return notebook(
        own("given", SETUP + added),
        own("solution", f"def scale(q):\n{body}", function="scale"),
        own("check", "check(scale)", function="scale"),
        {"cell_type": "markdown", "metadata": {"headwork": {"answer": "scale/scores"}}, "source": ""},
    )


def test_the_first_cell_of_a_handout_runs_without_its_files():
    submission = read_submission({"hw.ipynb": own_notebook("import math\n", "    return q")}, "s1")
    assert submission.cell_names == ("setup", "scale")
    namespace: dict = {}
    exec(submission.cells[0], namespace)
    assert {"np", "json", "math", "check"} <= set(namespace)
    assert submission.cells[0].count("\n") == (SETUP + "import math\n").count("\n")


def test_an_untouched_handout_is_known_as_one():
    submission = read_submission({"hw.ipynb": own_notebook()}, "s1")
    assert "as it was handed out" in submission.messages[0]


def test_an_untouched_handout_with_a_typed_answer_is_no_blank():
    raw = own_notebook().replace(b'"source": ""', b'"source": "1/2"')
    submission = read_submission({"hw.ipynb": raw}, "s1")
    assert (submission.answers, submission.messages) == ({"scale": {"scores": "1/2"}}, ())


def test_a_file_of_calls_to_the_self_check_still_loads():
    submission = read_submission({"attention.py": b"from test_public import check\nx = 1\ncheck(x)\n"}, "s1")
    namespace: dict = {}
    exec(submission.cells[0], namespace)
    assert namespace["x"] == 1


def test_the_release_knows_its_cells_and_its_untouched_files():
    release = release_of({"hw.ipynb": notebook(given_cell("g", "a"), solution("q", "def f():\n    ..."), check("t"))})
    assert (release.kinds, release.names) == ({"g": "given", "q": "solution", "t": "test"}, ("hw.ipynb",))
    untouched = notebook(given_cell("g", "other"), solution("q", "def f():\n    ...  \n"), code(""))
    assert "as it was handed out" in read_submission({"hw.ipynb": untouched}, "s1", release=release).messages[0]
