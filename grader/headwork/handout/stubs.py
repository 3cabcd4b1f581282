"""Stubs: the functions a student is to write, with their contracts and no bodies."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction

from headwork.handout.asked import AskedFunction, Parameter, asked_functions, parameters_of
from headwork.handout.axes import shape_pattern
from headwork.model import Exercise, Operation
from headwork.rooms import Content

_WIDTH = 100
_KINDS = {"int": "a whole number", "bool": "True or False", "float": "a number"}


def stub_source(asked: AskedFunction | Operation) -> str:
    """The source of one stub. It needs nothing but Python: axes stand in the docstring, by name."""
    if isinstance(asked, Operation):
        asked = _alone(asked)
    names = ", ".join(parameter.name for parameter in asked.parameters)
    return f"def {asked.name}({names}):\n{textwrap.indent(_docstring(asked), '    ')}\n    raise NotImplementedError\n"


def _alone(operation: Operation) -> AskedFunction:
    return AskedFunction(
        name=operation.name,
        parameters=parameters_of(operation),
        axes=operation.axes,
        contract=operation.contract,
        points=Fraction(0),
        exercises=(),
        chains=(),
    )


def _docstring(asked: AskedFunction) -> str:
    paragraphs = [_wrapped(part) for part in asked.contract.split("\n\n")]
    lines = [_described(parameter) for parameter in asked.parameters]
    lines.append(f"returns: {shape_pattern(asked.axes)}")
    if any("..." in pattern for pattern in (asked.axes, *(parameter.axes for parameter in asked.parameters))):
        lines.append('"..." stands for any leading axes, also none.')
    return '"""' + "\n\n".join([*paragraphs, "\n".join(lines)]) + '\n"""'


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(" ".join(paragraph.split()), _WIDTH, break_long_words=False, break_on_hyphens=False)


def _described(parameter: Parameter) -> str:
    kind = shape_pattern(parameter.axes) if parameter.axes else _KINDS.get(parameter.kind, parameter.kind)
    return f"{parameter.name}: {kind}"


def attention_py(exercises: Sequence[Exercise], content: Content) -> str:
    """The file a student fills in: all stubs, operations first, then the composed functions."""
    functions = asked_functions(content, exercises)
    parts = [_head(exercises, functions), "import numpy as np  # noqa: F401"]
    parts += ["\n" + stub_source(asked).rstrip() for asked in functions]
    return "\n\n".join(parts) + "\n"


def _head(exercises: Iterable[Exercise], functions: Sequence[AskedFunction]) -> str:
    titles = "\n".join(f"- {exercise.title.rstrip('.')}" for exercise in exercises)
    doing = "Fill in the functions" if len(functions) != 1 else "Fill in the function"
    return (
        f'"""{doing} below; keep names and parameters as they are.\n\n{titles}\n\n'
        "Shapes are written by axis name: (B, T, d_model) is B prompts of T positions of d_model features.\n"
        'Check your work with: python -m pytest test_public.py\n"""'
    )
