"""The right answers as a student's file: the reference functions, and the composed ones written from the chain."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import Any

from headwork.handout.asked import AskedFunction, asked_functions
from headwork.model import Chain, Exercise, Operation
from headwork.rooms import Content
from headwork.stages import between, solution_body


def solution_source(
    content: Content, exercises: Sequence[Exercise], *, instead: Mapping[str, str] | None = None
) -> str:
    """Source of a file in which every asked function is right.

    ``instead`` gives the bodies of some operations other text (a known mistake, say).
    """
    asked = asked_functions(content, exercises)
    operations: dict[str, Operation] = {}
    for function in asked:
        for slug in function.chains:
            chain = content.chains[slug]
            targets = between(chain, function.target, _given(function)) if function.target else tuple(chain.stages)
            for name in targets:
                operation = chain.stages[name].operation
                if function.target or operation.name == function.name:
                    operations.setdefault(operation.name, operation)
    parts = ["import numpy as np"]
    parts += [_function(operation, (instead or {}).get(operation.name)) for operation in operations.values()]
    parts += [_composed(function, content.chains[function.chains[0]]) for function in asked if function.target]
    return "\n\n\n".join(parts) + "\n"


def _function(operation: Operation, body: str | None) -> str:
    text = body if body is not None else self_contained_body(operation.function)
    return f"def {operation.name}({', '.join(operation.needs)}):\n{textwrap.indent(text, '    ')}"


def self_contained_body(function: Callable[..., Any]) -> str:
    """The body of a content function, with what it uses of its module written before it."""
    module = inspect.getmodule(function)
    lines: list[str] = []
    for name in function.__code__.co_names:
        member = getattr(module, name, None)
        if isinstance(member, ModuleType) and name != "np":
            lines.append(f"import {member.__name__} as {name}")
        elif inspect.isfunction(member) and member is not function:
            lines.append(
                f"def {name}({_parameters(member)}):\n{textwrap.indent(self_contained_body(member), '    ')}\n"
            )
    return "\n".join([*lines, solution_body(function).strip()])


def _parameters(function: Callable[..., Any]) -> str:
    """Names and defaults, without annotations."""
    found = inspect.signature(function).parameters.values()
    return ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in found)


def _composed(function: AskedFunction, chain: Chain) -> str:
    assert function.target
    names = [parameter.name for parameter in function.parameters]
    lines = [*_sizes(function, chain)]
    made = between(chain, function.target, _given(function))
    for name in made:
        found = chain.stages[name]
        lines.append(f"{name} = {found.operation.name}({', '.join(found.needs)})")
    # A stage may have the name of its operation; inside the function the value would hide it.
    lines = [_renamed(line, made) for line in lines]
    lines.append(f"return {_value(function.target)}")
    return f"def {function.name}({', '.join(names)}):\n{textwrap.indent(chr(10).join(lines), '    ')}"


def _given(function: AskedFunction) -> list[str]:
    return [parameter.name for parameter in function.parameters]


def _value(name: str) -> str:
    return f"{name}_"


def _renamed(line: str, made: Collection[str]) -> str:
    target, _, call = line.partition(" = ")
    if target not in made:
        return line
    operation, _, arguments = call.partition("(")
    values = [_value(need) if need in made else need for need in arguments.rstrip(")").split(", ")]
    return f"{_value(target)} = {operation}({', '.join(values)})"


def _sizes(function: AskedFunction, chain: Chain) -> list[str]:
    """Statements that read the sizes a composed function needs off its arguments."""
    needed = {
        need
        for name in between(chain, function.target or "", _given(function))
        for need in chain.stages[name].needs
        if need not in chain.stages
    }
    return sizes_read_off(function, needed - {parameter.name for parameter in function.parameters})


def sizes_read_off(function: AskedFunction, needed: Collection[str]) -> list[str]:
    """Statements that read sizes off a composed function's arguments, one per size that can be."""
    lines: list[str] = []
    for size in sorted(needed):
        for parameter in function.parameters:
            axes = parameter.axes.split()
            if size in axes:
                lines.append(f"{size} = {parameter.name}.shape[{axes.index(size) - len(axes)}]")
                break
            fused = next((axis for axis in axes if size in axis.split("*")), None)
            if fused:
                others = " // ".join(factor for factor in fused.split("*") if factor != size)
                lines.append(f"{size} = {parameter.name}.shape[{axes.index(fused) - len(axes)}] // {others}")
                break
    return lines
