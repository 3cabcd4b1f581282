"""Worked solutions step by step: exact, in decimals, and from the first wrong cell on."""

import io
import re

import numpy as np
import pytest
from headwork.answers.reader import Invalid, read
from headwork.answers.tokens import Grammar
from headwork.answers.value import worth
from headwork.assignment import ad_hoc
from headwork.draw.draw import own_chain, problem_of
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_own_for
from headwork.marking.hand import HandPolicy, mark_trace
from headwork.model import ContentError, Parameters, TracePart
from headwork.pages.plain_text import formula_text, plain_of
from headwork.rooms import load_content
from headwork.stages import evaluate, upstream
from headwork.worked import (
    Start,
    first_wrong_cell,
    print_worked,
    slip_pages,
    worked_for,
    worked_html,
    worked_markdown,
    worked_steps,
)
from headwork.worked_cell import sum_of
from rich.console import Console

CONTENT = load_content()
TRACED = [
    (exercise, part)
    for exercise in CONTENT.exercises.values()
    for part in exercise.parts
    if isinstance(part, TracePart)
]
CHAIN = CONTENT.chains["attention"]


def instance_of(slug, seed=2, **parameters):
    exercise = CONTENT.exercises[slug]
    assignment = ad_hoc("worked", [exercise], Parameters(**parameters))
    return draw_own_for(CONTENT, assignment, (exercise,), secret=seed_from_integer(seed), student="a").instance


def printed(steps):
    console = Console(file=io.StringIO(), width=100)
    print_worked(console, steps)
    return console.file.getvalue()


def numbers(view):
    def value(text):
        if text in ("True", "False"):
            return float(text == "True")
        reading = read(text, Grammar(infinity=True))
        assert not isinstance(reading, Invalid), text
        return float(worth(reading.tree))

    return np.array([[value(cell.text) for cell in row.cells] for table in view.tables for row in table.rows])


@pytest.mark.parametrize("numbers_in", ["tenths", "ln2"])
@pytest.mark.parametrize(("exercise", "part"), TRACED, ids=lambda one: getattr(one, "slug", ""))
def test_every_traced_stage_is_worked_with_its_right_values(exercise, part, numbers_in):
    instance = instance_of(exercise.slug, numbers=numbers_in)
    chain = CONTENT.chains[own_chain(exercise)]
    steps = worked_steps(CONTENT, chain, instance, part.stages)
    values = evaluate(chain, instance.values)
    assert sorted(step.name for step in steps) == sorted(upstream(chain, part.stages))
    for step in steps:
        assert step.text
        np.testing.assert_allclose(numbers(step.exact), np.asarray(values[step.name], float), rtol=1e-9, atol=1e-12)
        if step.decimal:
            np.testing.assert_allclose(numbers(step.decimal), np.asarray(values[step.name], float), atol=5.1e-4)


@pytest.mark.parametrize("stage", ["q", "k", "scores", "scaled", "visible", "logits", "weights", "heads"])
def test_starting_somewhere_leaves_out_what_was_right_before(stage):
    steps = worked_steps(CONTENT, CHAIN, instance_of("mix-values"), ["heads"], start=Start(stage=stage, cell=(2, 1)))
    assert steps[0].name == stage
    assert steps[-1].name == "heads"
    assert "2" in steps[0].text.split("\n\n")[1]


def test_the_cell_is_worked_out_in_its_own_numbers():
    instance = instance_of("mix-values")
    values = evaluate(CHAIN, instance.values)
    (step, *_) = worked_steps(CONTENT, CHAIN, instance, ["heads"], start=Start(stage="q", cell=(2, 0)))
    about = plain_of(step.text.split("\n\n")[1])
    products = re.findall(r"\(?(-?\d+)\)? · \(?(-?\d+)\)?", about)
    assert sum(int(one) * int(other) for one, other in products) == values["q"][2, 0]
    assert about.endswith(f"= {int(values['q'][2, 0])}.")


def _marked(exercise, typed, **policy):
    part = next(part for part in CONTENT.exercises[exercise].parts if isinstance(part, TracePart))
    instance = instance_of(exercise)
    judgements = mark_trace(
        content=CONTENT,
        exercise_slug=exercise,
        chain=CHAIN,
        instance=instance,
        part=part,
        typed=typed(evaluate(CHAIN, instance.values)),
        policy=HandPolicy(**policy),
    )
    return instance, part, judgements


def _rows(array):
    return "\n".join(" ".join(f"{cell:.6f}" for cell in row) for row in array)


def test_the_first_wrong_cell_of_a_student_is_where_it_starts():
    def typed(values):
        wrong = values["k"].copy()
        wrong[1, 0] += 7
        return {"q": _rows(values["q"]), "k": _rows(wrong), "v": _rows(values["v"])}

    instance, part, judgements = _marked("project", typed)
    assert first_wrong_cell(CHAIN, judgements) == Start(stage="k", cell=(1, 0))
    steps = worked_for(CONTENT, CHAIN, instance, part.stages, judgements)
    assert [step.name for step in steps] == ["k", "v"]


def test_where_nothing_is_wrong_all_steps_are_there():
    instance, part, judgements = _marked("project", lambda values: {name: _rows(values[name]) for name in "qkv"})
    assert first_wrong_cell(CHAIN, judgements) is None
    assert [step.name for step in worked_for(CONTENT, CHAIN, instance, part.stages, judgements)] == ["q", "k", "v"]


def test_a_page_from_the_first_slip_on_is_written_where_there_is_one():
    def typed(values):
        wrong = values["k"].copy()
        wrong[1, 0] += 7
        return {"q": _rows(values["q"]), "k": _rows(wrong), "v": _rows(values["v"])}

    instance, _, judgements = _marked("project", typed)
    problems = {"project": problem_of(CONTENT.exercises["project"], student="a", instance=instance)}
    pages = slip_pages(CONTENT, "Week 3", problems, judgements)
    assert set(pages) == {"from-first-slip.html", "from-first-slip.md"}
    assert "1. k" in pages["from-first-slip.md"]
    assert "1. q" not in pages["from-first-slip.md"]
    _, _, right = _marked("project", lambda values: {name: _rows(values[name]) for name in "qkv"})
    assert slip_pages(CONTENT, "Week 3", problems, right) == {}


def test_pages_and_terminal_tell_the_same_steps():
    steps = worked_steps(CONTENT, CHAIN, instance_of("mix-values"), ["heads"])
    html, markdown, terminal = worked_html(CONTENT, steps), worked_markdown(CONTENT, steps), printed(steps)
    for step in steps:
        for text in (html, markdown, terminal):
            assert step.name in text
    decimals = steps[-1].decimal.tables[0].rows[-1].cells[-1].text
    assert all(decimals in text.replace("−", "-") for text in (html, markdown, terminal))
    assert "<script" not in html


def test_the_terminal_shows_no_tex():
    for stage in ("scaled", "weights", "heads", "logits"):
        start = Start(stage=stage, cell=(1, 0))
        text = printed(worked_steps(CONTENT, CHAIN, instance_of("mix-values"), ["heads"], start=start))
        assert "\\" not in text
        assert "$" not in text


def test_a_stage_that_is_not_there_is_named():
    with pytest.raises(ContentError, match="wieghts"):
        worked_steps(CONTENT, CHAIN, instance_of("mix-values"), ["wieghts"])


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\frac{1}{2}\sqrt{2}", "1/2√2"),
        (r"\sqrt{d_\text{head}}", "√d_head"),
        (r"e^{-2/5}", "e^(-2/5)"),
        (r"\frac{e^{0}}{e^{0} + e^{1}}", "(e^0)/(e^0 + e^1)"),
        (r"s \le t", "s ≤ t"),
        (r"-\infty", "-∞"),
        (r"q\,k^\top", "q k^T"),
    ],
)
def test_formulas_read_well_in_a_terminal(tex, plain):
    assert formula_text(tex) == plain


def test_products_with_nothing_are_left_out():
    assert sum_of(["0", "2", "-1"], ["5", "3", "4"]) == r"2 \cdot 3 + \left(-1\right) \cdot 4"
    assert sum_of(["0", "0"], ["5", "3"]) == r"0 \cdot 5"
