"""Stubs show the contract and nothing of the way there."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from headwork.handout.asked import asked_fields, asked_functions
from headwork.handout.stubs import attention_py, stub_source
from headwork.model import CodePart, ComposePart, ContentError, TracePart
from headwork.stages import solution_body
from sheets import SLUGS, content

OPERATIONS = {
    found.operation.name: found.operation for chain in content().chains.values() for found in chain.stages.values()
}


def solution_lines() -> set[str]:
    """Every line of every solution that says something of its own."""
    bodies = [solution_body(operation.function) for operation in OPERATIONS.values()]
    lines = {line.strip() for body in bodies for line in body.splitlines()}
    return {line for line in lines if len(line) > 12 and not line.startswith(("#", '"""'))}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_stub_names_the_axes_of_every_array(name: str) -> None:
    operation = OPERATIONS[name]
    stub = stub_source(operation)
    patterns = [*operation.needs_axes.values(), operation.axes]
    missing = [axis for pattern in patterns for axis in pattern.split() if axis not in stub]
    assert missing == []


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_stub_holds_its_contract_and_raises(name: str) -> None:
    tree = ast.parse(stub_source(OPERATIONS[name])).body[0]
    assert isinstance(tree, ast.FunctionDef)
    docstring = " ".join((ast.get_docstring(tree) or "").split())
    assert " ".join(OPERATIONS[name].contract.split()) in docstring
    assert [type(statement) for statement in tree.body] == [ast.Expr, ast.Raise]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_file_runs_with_numpy_alone(slug: str) -> None:
    exercise = content().exercises[slug]
    source = attention_py([exercise], content())
    imported = {
        alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names
    }
    space: dict[str, object] = {}
    exec(source, space)
    assert imported == {"numpy"}
    assert {asked.name for asked in asked_functions(content(), [exercise])} <= set(space)


def test_no_line_of_a_solution_is_in_the_file() -> None:
    source = attention_py(list(content().exercises.values()), content())
    assert [line for line in solution_lines() if line in source] == []


def test_composed_functions_come_last_and_have_the_axes_of_the_chain() -> None:
    exercise = content().exercises["multi-head-attention"]
    source = attention_py([content().exercises["scale"], exercise], content())
    part = next(part for part in exercise.parts if isinstance(part, ComposePart))
    assert source.index("def scaled") < source.index(f"def {part.name}({', '.join(part.arguments)})")
    assert "w_q: (d_model, n_heads*d_head)" in source
    assert "returns: (B, T, d_model)" in source


def test_exercises_that_share_a_function_ask_for_it_once() -> None:
    exercise = content().exercises["scale"]
    twin = replace(exercise, slug="scale-again")
    asked = asked_functions(content(), [exercise, twin])
    assert [(one.name, one.exercises) for one in asked] == [("scaled", ("scale", "scale-again"))]
    assert asked[0].points == 2 * sum(part.points for part in exercise.parts if isinstance(part, CodePart))


def test_an_operation_of_no_chain_is_an_error_with_a_list() -> None:
    exercise = replace(content().exercises["scale"], parts=(CodePart(operation="sclaed", points=Fraction(1)),))
    with pytest.raises(ContentError, match=r'"sclaed" is in none of its chains; they have .*scaled'):
        asked_functions(content(), [exercise])


def test_a_traced_stage_of_no_chain_is_an_error() -> None:
    exercise = replace(content().exercises["scale"], parts=(TracePart(stages=("weigths",), points=Fraction(1)),))
    with pytest.raises(ContentError, match='stage "weigths" is not in chain "attention"'):
        asked_fields(content(), [exercise])


def test_a_composed_function_without_an_input_it_needs_is_an_error() -> None:
    part = ComposePart(
        name="attend", chain="multi_head", target="out", arguments=("x", "w_q", "w_k", "w_v"), points=Fraction(1)
    )
    exercise = replace(content().exercises["multi-head-attention"], parts=(part,))
    with pytest.raises(ContentError, match=r"attend: cannot be computed without .*w_o"):
        asked_functions(content(), [exercise])


def test_an_untouched_stub_says_that_it_is_not_written() -> None:
    space: dict[str, object] = {}
    exec(attention_py([content().exercises["softmax-rows"]], content()), space)
    with pytest.raises(NotImplementedError):
        space["weights"](np.zeros((2, 2)))  # pyright: ignore[reportCallIssue]
