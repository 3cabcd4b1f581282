"""Worksheets on paper: the same problem with boxes, a key, and LaTeX that plain pdflatex compiles."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from headwork.answers.asking import key_for, options_seed
from headwork.assignment import ad_hoc
from headwork.draw.draw import problem_of
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_own_for
from headwork.handout.print_pdf import browser_path, print_pdf
from headwork.handout.prompt import prompt_md, prompt_views
from headwork.handout.worksheet import worksheet_html, worksheet_tex, worksheet_views
from headwork.model import CodePart, ComposePart, ContentError, CourseError, Parameters, TracePart
from headwork.pages.markdown_tex import tex_of, tex_text
from headwork.rooms import load_content

CONTENT = load_content()
WRITTEN = [
    exercise
    for exercise in CONTENT.exercises.values()
    if any(not isinstance(part, CodePart | ComposePart) for part in exercise.parts)
]
STUDENT = "Zoë Łuczak & Söhne_50% {x} 李"


def drawn(exercises, seed=1, **parameters):
    assignment = ad_hoc("sheet", exercises, Parameters(**parameters))
    problems = {}
    for group in assignment.own_groups:
        instance = draw_own_for(CONTENT, assignment, group, secret=seed_from_integer(seed), student="ada").instance
        problems.update({one.slug: problem_of(one, student="ada", instance=instance) for one in group})
    return {exercise.slug: problems[exercise.slug] for exercise in exercises}


def pages(exercises, *, key=False, seed=1, **parameters):
    problems = drawn(exercises, seed, **parameters)
    arguments = (CONTENT, "Attention #1 & more", STUDENT, problems, exercises)
    return worksheet_html(*arguments, key=key), worksheet_tex(*arguments, key=key)


class Open(HTMLParser):
    """Counts elements that are opened and never closed, or the other way round."""

    VOID = frozenset(("meta", "link", "br", "img", "hr", "input"))

    def __init__(self):
        super().__init__()
        self.stack = []
        self.faults = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.faults.append(tag)


@pytest.mark.parametrize("key", [False, True], ids=["sheet", "key"])
@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda one: one.slug)
def test_every_exercise_with_hand_work_has_a_sheet(exercise, key):
    html, tex = pages([exercise], key=key)
    reader = Open()
    reader.feed(html)
    assert reader.faults == []
    assert reader.stack == []
    assert exercise.title in html
    assert tex.count(r"\begin{") == tex.count(r"\end{")
    assert "{{" not in re.sub(r"\{\{?-?\}", "", html)


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda one: one.slug)
def test_a_box_for_every_cell_and_empty_until_the_key(exercise):
    problems = drawn([exercise])
    (sheet,) = worksheet_views(CONTENT, problems, [exercise])
    (key,) = worksheet_views(CONTENT, problems, [exercise], key=True)
    stages = [stage for part in exercise.parts if isinstance(part, TracePart) for stage in part.stages]
    assert [box.name for box in sheet.boxes] == stages
    for box, filled in zip(sheet.boxes, key.boxes, strict=True):
        cells = [cell.text for table in box.grid.tables for row in table.rows for cell in row.cells]
        answers = [cell.text for table in filled.grid.tables for row in table.rows for cell in row.cells]
        assert set(cells) == {""}
        assert len(cells) == len(answers)
        assert all(answers)
    assert all(not blank.answer for blank in sheet.blanks)
    assert all(blank.answer for blank in key.blanks)


def test_the_sheet_has_the_numbers_of_the_other_handouts():
    exercises = [CONTENT.exercises["raw-scores"]]
    problems = drawn(exercises)
    views = prompt_views(CONTENT, problems, exercises)
    html = worksheet_html(CONTENT, "a", "ada", problems, exercises)
    for matrix in views[0].matrices:
        for table in matrix.tables:
            for row in table.rows:
                assert row.label in html
    assert "raw-scores" not in prompt_md(CONTENT, "a", views, form="py")
    assert problems["raw-scores"].digest[:10] in html


def test_the_key_of_a_question_is_the_answer_that_earns_everything():
    exercise = CONTENT.exercises["same-last-word"]
    problems = drawn([exercise])
    (view,) = worksheet_views(CONTENT, problems, [exercise], key=True)
    instance = problems[exercise.slug].instance
    for part, blank in zip(exercise.parts, view.blanks, strict=True):
        assert blank.answer == key_for(part, CONTENT, exercise, instance, options_seed(exercise, instance))


def test_code_is_not_asked_for_on_paper():
    html, tex = pages([CONTENT.exercises["raw-scores"]])
    assert "In code" not in html
    assert "In code" not in tex


def test_nothing_to_write_is_an_error_that_names_the_exercise():
    exercise = CONTENT.exercises["split-and-merge"]
    with pytest.raises(ContentError, match="split-and-merge"):
        worksheet_views(CONTENT, {}, [exercise])


def test_printed_pages_break_between_exercises_and_not_within_boxes():
    html, _ = pages(WRITTEN[:2])
    assert "break-before: page" in html
    assert "break-inside: avoid" in html
    assert "@page" in html


def test_a_page_needs_no_network_and_no_script():
    html, _ = pages(WRITTEN)
    assert "<script" not in html
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", html)


@pytest.mark.parametrize(
    ("markdown", "tex"),
    [
        ("a **b** *c*", r"a \textbf{b} \emph{c}"),
        ("$x_t$ and `w_q`", r"$x_t$ and \texttt{w\_q}"),
        ("50% of #1 & {x}", r"50\% of \#1 \& \{x\}"),
        ("- one\n- two", "\\begin{itemize}\n\\item one\n\n\\item two\n\n\\end{itemize}"),
        ("$$ x^2 $$", r"\[ x^2 \]"),
    ],
)
def test_markdown_becomes_latex(markdown, tex):
    assert tex_of(markdown) == tex


def test_no_text_reaches_latex_as_a_command():
    text = tex_text("\\input{/etc/passwd} \\write18{x} ~ ^ < > | \x00 \x1b 李")
    assert "\\input" not in text
    assert "\\write" not in text
    assert text.endswith("? ? ?")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize(("key", "numbers"), [(False, "tenths"), (True, "ln2")], ids=["sheet", "key"])
def test_plain_pdflatex_compiles_it_without_a_line_too_wide(key, numbers, tmp_path):
    _, tex = pages(WRITTEN, key=key, numbers=numbers)
    (tmp_path / "sheet.tex").write_text(tex, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "sheet.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300, check=False)
    log = done.stdout.decode("latin-1")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull \\hbox" not in log
    assert set(re.findall(r"\\usepackage(?:\[.*?\])?\{(.*?)\}", tex)) <= {
        "fontenc",
        "textcomp",
        "amsmath",
        "geometry",
        "lmodern",
    }


@pytest.mark.slow
@pytest.mark.skipif(browser_path() is None, reason="no Chromium is installed")
def test_chromium_prints_it(tmp_path):
    html, _ = pages(WRITTEN[:2])
    made = print_pdf(html, tmp_path / "out" / "sheet.pdf")
    assert made.read_bytes().startswith(b"%PDF-")
    assert made.read_bytes().count(b"/Type /Page\n") + made.read_bytes().count(b"/Type/Page") != 1


def test_without_a_browser_the_error_says_what_to_do(tmp_path):
    with pytest.raises(CourseError, match="did not print"):
        print_pdf("<p>x</p>", tmp_path / "x.pdf", browser=str(tmp_path / "nonesuch"))
