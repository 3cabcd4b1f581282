"""What a student receives: whole, readable, the same every time, and without answers."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from headwork.draw.student import HIDDEN_SETS, draw_hidden_for, hidden_draws
from headwork.handout import Form, handout_files
from headwork.handout.answers_toml import answers_toml
from headwork.handout.asked import AskedField
from headwork.handout.notebook import cell_id
from headwork.handout.problem_json import problem_json, read_problem_json
from headwork.handout.prompt import own_fields
from headwork.model import CodePart, ContentError, CourseError
from headwork.pages.markdown import html_of
from headwork.pages.matrix import decimal_text, matrix_view
from headwork.pages.plain import markdown_text
from headwork.pages.tex import number_tex
from headwork.stages import evaluate
from sheets import SECRET, SLUGS, assignment_of, content, sheet_of
from test_stubs import solution_lines

FORMS: tuple[Form, ...] = ("py", "notebook")
HAND = [slug for slug in SLUGS if content().exercises[slug].hand_chain]


def fields_of(slug: str) -> tuple[AskedField, ...]:
    return own_fields(content(), content().exercises[slug], sheet_of(slug).problems[slug].instance)


def files_of(*slugs: str, form: Form = "py") -> dict[str, str]:
    made = handout_files(content(), "hw1", "ada", sheet_of(*slugs).problems, assignment_of(*slugs).exercises, form=form)
    return {name: data.decode() for name, data in made.items()}


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("form", FORMS)
def test_no_line_of_a_solution_is_handed_out(slug: str, form: Form) -> None:
    # A listing to find a mistake in, and the repairs to choose from, are code that is asked about.
    listings = "\n".join(line for field in fields_of(slug) for line in (*field.listing, *field.options))
    hidden = {line for line in solution_lines() if line not in listings}
    found = [(name, line) for name, text in files_of(slug, form=form).items() for line in hidden if line in text]
    assert found == []


@pytest.mark.parametrize("slug", HAND)
def test_no_worked_value_is_handed_out(slug: str) -> None:
    instance = sheet_of(slug).problems[slug].instance
    values = evaluate(content().chains[instance.chain], instance.values)
    texts = files_of(slug)
    traced = [field.name for field in fields_of(slug) if field.axes]
    # A position with one feature hands over a row of the projection, which was given.
    given = {json.dumps(row) for value in instance.values.values() if np.ndim(value) == 2 for row in value.tolist()}
    rows = [json.dumps(row) for name in traced for row in np.asarray(values[name]).tolist()]
    rows = [row for row in rows if row not in given]
    assert [row for row in rows if len(set(row)) > 8 and row in texts["problem.json"]] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_no_input_of_a_hidden_draw_is_handed_out(slug: str) -> None:
    assignment, texts = assignment_of(slug), files_of(slug)
    hidden = [
        draw_hidden_for(content(), assignment, one, secret=SECRET, number=number, attempt=None).instance.values
        for one in hidden_draws(assignment)
        for number in range(HIDDEN_SETS)
    ]
    rows = [
        json.dumps(np.asarray(value).reshape(-1)[:5].tolist())[1:-1]
        for values in hidden
        for value in values.values()
        if np.ndim(value)
    ]
    assert [row for row in rows for text in texts.values() if row in text] == []


def test_the_same_problem_gives_the_same_bytes() -> None:
    assert [files_of(*HAND, form=form) for form in FORMS] == [files_of(*HAND, form=form) for form in FORMS]


@pytest.mark.parametrize("form", FORMS)
def test_a_handout_has_its_files(form: Form) -> None:
    work = {"py": {"attention.py", "answers.toml"}, "notebook": {"hw1.ipynb"}}[form]
    assert set(files_of("scale", form=form)) == work | {"prompt.md", "prompt.html", "problem.json", "test_public.py"}


def test_an_exercise_without_hand_work_has_no_answers_file() -> None:
    exercise = content().exercises["split-and-merge"]
    code_only = replace(exercise, parts=tuple(part for part in exercise.parts if isinstance(part, CodePart)))
    assert "answers.toml" not in handout_files(
        content(), "hw1", "ada", sheet_of("split-and-merge").problems, [code_only]
    )


# --- the prompt -------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_a_prompt_shows_every_given_number(slug: str) -> None:
    texts, instance = files_of(slug), sheet_of(slug).problems[slug].instance
    cells = re.findall(r"\| *(-?[0-9][^|]*?) (?=\|)", texts["prompt.md"])
    shown = sum(np.size(value) for value in instance.values.values() if np.ndim(value))
    assert len(cells) >= shown or not content().exercises[slug].shows_numbers


def test_exercises_with_the_same_numbers_show_them_once() -> None:
    texts = files_of("raw-scores", "scale", "causal-mask")
    assert texts["prompt.md"].count("The same as in exercise 1.") == 2
    assert texts["prompt.html"].count("<caption>x ") == 1


@pytest.mark.parametrize("slug", SLUGS)
def test_a_prompt_page_needs_no_script_and_no_network(slug: str) -> None:
    page = files_of(slug)["prompt.html"]
    assert "<script" not in page
    assert re.findall(r"(?:src|href)=[\"'](?!#)", page) == []
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert "url(" not in page


class Outline(HTMLParser):
    """What a screen reader goes by: headings, tables with captions, header cells with a scope."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.tables = self.captions = 0
        self.unscoped = 0
        self.language = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.tables += tag == "table" and "matrix" in (found.get("class") or "")
        self.captions += tag == "caption"
        self.unscoped += tag == "th" and "scope" not in found
        self.language = found.get("lang") or self.language if tag == "html" else self.language


def outline_of(page: str) -> Outline:
    outline = Outline()
    outline.feed(page)
    return outline


@pytest.mark.parametrize("slug", SLUGS)
def test_a_prompt_page_is_built_for_a_screen_reader(slug: str) -> None:
    outline = outline_of(files_of(slug)["prompt.html"])
    steps = [after - before for before, after in zip(outline.headings, outline.headings[1:], strict=False)]
    assert outline.language == "en"
    assert outline.headings.count(1) == 1
    assert max(steps) <= 1
    assert outline.captions == outline.tables
    assert outline.tables > 0 or not content().exercises[slug].shows_numbers
    assert outline.unscoped == 0


def test_formulas_become_mathml_and_html_stays_text() -> None:
    page = html_of("Take $\\sqrt{d_\\text{head}}$ <img src=x onerror=alert(1)>.")
    assert "<msqrt>" in page
    assert "<img" not in page
    assert "&lt;img" in page


def test_a_formula_that_is_none_is_an_error_with_its_place() -> None:
    with pytest.raises(ContentError, match=r"scale\.py: formula \$\\frac\{\$ cannot be read"):
        html_of("A $\\frac{$ here", where="scale.py")


def test_an_unknown_name_in_a_prompt_is_an_error_with_the_known_ones() -> None:
    exercise = replace(content().exercises["scale"], prompt="There are {{ positions }} positions.")
    with pytest.raises(ContentError, match=r"'positions' is undefined; known names: .*d_head"):
        handout_files(content(), "hw1", "ada", sheet_of("scale").problems, [exercise])


# --- numbers on pages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("1/5*sqrt(2)", r"\frac{1}{5} \, \sqrt{2}"),
        ("-2/5*sqrt(3)", r"-\frac{2}{5} \, \sqrt{3}"),
        ("-4*sqrt(3)/5", r"-\frac{4 \, \sqrt{3}}{5}"),
        ("1/(1+e^(-2/5))", r"\frac{1}{1 + e^{-2/5}}"),
        ("exp(8/5)/(1 + exp(8/5))", r"\frac{e^{8/5}}{1 + e^{8/5}}"),
        ("3*ln(2)", r"3 \, \ln 2"),
        ("-(1+2)*3", r"-\left(1 + 2\right) \cdot 3"),
        ("-inf", r"-\infty"),
        ("0.283", "0.283"),
    ],
)
def test_exact_numbers_become_formulas(text: str, tex: str) -> None:
    assert number_tex(text) == tex


@pytest.mark.parametrize(
    ("number", "text"), [(-0.0, "0"), (-0.0004, "0"), (0.5, "0.5"), (-np.inf, "-inf"), (2.0, "2"), (0.12345, "0.123")]
)
def test_decimals_are_short_and_never_minus_zero(number: float, text: str) -> None:
    assert decimal_text(number) == text


def test_a_matrix_has_a_table_per_leading_index_with_words_at_its_rows() -> None:
    words = (("you", "like"), ("we", "like"))
    view = matrix_view("scores", np.zeros((2, 3, 2, 2)).astype(str), axes="B n_heads T T", words=words)
    assert len(view.tables) == 6
    assert view.tables[4].caption == "scores, b = 1, head = 1"
    assert [row.label for row in view.tables[4].rows] == ["t=0 we", "t=1 like"]
    assert view.tables[4].columns == ("s=0 we", "s=1 like")


@pytest.mark.parametrize("text", ["a|b", "<b>", "[x](http://y)", "$x$", "`c`", "# h", "*e*", "- item", "1. x", "&amp;"])
def test_text_of_others_is_text_in_markdown(text: str) -> None:
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark").render(markdown_text(text))
    seen = re.sub("<[^>]+>", "", html.strip().removeprefix("<p>").removesuffix("</p>"))
    assert html.startswith("<p>")
    assert re.findall("<(?!/?p>)", html) == []
    assert seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("\u200b", "") == text


# --- answers.toml and problem.json ------------------------------------------------------------


@pytest.mark.parametrize("slug", HAND)
def test_the_answers_file_has_an_empty_field_per_hand_answer(slug: str) -> None:
    read = tomllib.loads(files_of(slug)["answers.toml"])
    assert read == {slug: {field.name: "" for field in fields_of(slug)}}


def test_the_answers_file_says_axes_and_digits() -> None:
    assert "# scaled (T, T), exact or to 3 decimals" in files_of("scale")["answers.toml"]


def test_a_backslash_typed_into_the_answers_file_stays_one() -> None:
    text = files_of("scale")["answers.toml"].replace("'''\n'''", "'''\n\\frac{1}{3} 2\n'''", 1)
    assert tomllib.loads(text)["scale"]["scaled"] == "\\frac{1}{3} 2\n"


def test_a_field_with_an_odd_name_is_quoted() -> None:
    field = AskedField(
        exercise="ex", name="why so?", points=content().exercises["scale"].parts[0].points, question="Why?"
    )
    assert tomllib.loads(answers_toml([field], {})) == {"ex": {"why so?": ""}}


@pytest.mark.parametrize("slug", SLUGS)
def test_problem_json_comes_back_as_it_was(slug: str) -> None:
    problem = sheet_of(slug).problems[slug]
    read = read_problem_json(files_of(slug)["problem.json"])
    again = read.problems[slug]
    assert (read.assignment, read.student, read.changed) == ("hw1", "ada", ())
    assert (again.digest, again.version, again.instance.words) == (
        problem.digest,
        problem.version,
        problem.instance.words,
    )
    assert again.instance.exact == problem.instance.exact
    for name, value in problem.instance.values.items():
        np.testing.assert_array_equal(again.instance.values[name], value)
        assert type(again.instance.values[name]) is type(value)


def test_changed_inputs_are_seen_by_their_digest() -> None:
    record = json.loads(problem_json("hw1", "ada", sheet_of("split-and-merge").problems))
    name = next(iter(record["exercises"]["split-and-merge"]["sizes"]))
    record["exercises"]["split-and-merge"]["sizes"][name] += 1
    assert read_problem_json(json.dumps(record)).changed == ("split-and-merge",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "something else"}',
        '{"format": "headwork problem 1", "assignment": "a", "student": "s"}',
        '{"format": "headwork problem 1", "assignment": "a", "student": "s", "exercises": {"x": 3}}',
        '{"format": "headwork problem 1", "assignment": 1, "student": "s", "exercises": {}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_problem_json_is_refused_in_words(text: str) -> None:
    with pytest.raises(CourseError, match=r"problem\.json: cannot be read"):
        read_problem_json(text)


# --- the notebook -----------------------------------------------------------------------------


def test_a_notebook_has_a_cell_per_function_and_per_answer() -> None:
    slugs = ("scale", "causal-mask")
    cells = json.loads(files_of(*slugs, form="notebook")["hw1.ipynb"])["cells"]
    about = [cell["metadata"].get("headwork", {}) for cell in cells]
    assert [one["function"] for one in about if one.get("role") == "solution"] == ["scaled", "visible", "logits"]
    assert [one["function"] for one in about if one.get("role") == "check"] == ["scaled", "visible", "logits"]
    asked = [f"{slug}/{field.name}" for slug in slugs for field in fields_of(slug)]
    assert [one["answer"] for one in about if "answer" in one] == asked


def test_cell_ids_are_unique_and_within_the_format() -> None:
    cells = json.loads(files_of(*SLUGS, form="notebook")["hw1.ipynb"])["cells"]
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == len(ids)
    assert [one for one in ids if not re.fullmatch("[A-Za-z0-9_-]{1,64}", one)] == []


@pytest.mark.parametrize("slugs", [SLUGS, ("split-and-merge",)])
def test_a_notebook_is_one_by_the_format_s_own_schema(slugs: tuple[str, ...]) -> None:
    import nbformat

    text = files_of(*slugs, form="notebook")["hw1.ipynb"]
    nbformat.validate(json.loads(text))
    assert nbformat.writes(nbformat.reads(text, as_version=4)) + "\n" == text


def test_long_names_give_different_cell_ids() -> None:
    assert cell_id("x" * 80) != cell_id("x" * 81)
