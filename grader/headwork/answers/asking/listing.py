"""A chain as a short listing, one stage after the other, read off ``solutions/`` and the mistakes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from headwork.model import Chain, Mistake
from headwork.stages import body_start, upstream


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a listing and the stage that it belongs to."""

    stage: str
    text: str


def listing_of(chain: Chain, target: str) -> tuple[Line, ...]:
    """The right lines of every stage up to ``target``.

    An operation that serves several stages stands as a call, any other with its body.
    """
    lines: list[Line] = []
    for name in upstream(chain, [target]):
        lines += [Line(stage=name, text=text) for text in stage_lines(chain, name)]
    return tuple(lines)


def stage_lines(chain: Chain, name: str) -> tuple[str, ...]:
    """The right lines of one stage."""
    found = chain.stages[name]
    shared = sum(other.operation.name == found.operation.name for other in chain.stages.values()) > 1
    inline = (
        None
        if shared
        else inlined(found.operation.function, name, dict(zip(found.operation.needs, found.needs, strict=True)))
    )
    return inline or (f"{name} = {found.operation.name}({', '.join(found.needs)})",)


def mistaken_lines(chain: Chain, name: str, mistake: Mistake) -> tuple[str, ...] | None:
    """The lines of a stage as the mistake makes it; None where they are not self-explaining."""
    found = chain.stages[name]
    own = dict(zip(found.operation.needs, found.needs, strict=True))
    return inlined(mistake.function, name, {need: own.get(need, need.rstrip("_")) for need in mistake.needs})


def inlined(function: Callable[..., Any], name: str, names: Mapping[str, str]) -> tuple[str, ...] | None:
    """The body of a function as lines that end in ``name = ...``, its parameters under other names.

    None where it returns in the middle, or uses anything but NumPy and its parameters.
    """
    return _inlined(function, name, tuple(names.items()))


@lru_cache(maxsize=2048)
def _inlined(function: Callable[..., Any], name: str, names: tuple[tuple[str, str], ...]) -> tuple[str, ...] | None:
    try:
        _, tree = body_start(function)
    except (OSError, TypeError, SyntaxError):
        return None
    statements = tree.body[1:] if isinstance(tree.body[0], ast.Expr) else tree.body
    returns = [node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Return)]
    if not statements or returns != [statements[-1]] or not isinstance(statements[-1], ast.Return):
        return None
    value = statements[-1].value
    if value is None or not _known_names(function, statements):
        return None
    ending = ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value, lineno=0)
    renamed = [_Renamed(dict(names)).visit(statement) for statement in (*statements[:-1], ending)]
    return tuple(line for statement in renamed for line in ast.unparse(statement).splitlines())


def _known_names(function: Callable[..., Any], statements: list[ast.stmt]) -> bool:
    nodes = [node for statement in statements for node in ast.walk(statement)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known = {*inspect.signature(function).parameters, *stored, "np", "range", "len", "bool", "int", "float", "sum"}
    return all(node.id in known for node in nodes if isinstance(node, ast.Name))


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(id=self.names.get(node.id, node.id), ctx=node.ctx)
