"""Operations, stages and chains: read off the signatures of ``solutions/``, and evaluated.

A chain is a module of functions. A function's name is the value it makes, its parameters are the
values it needs; ``stage()`` applies one function under other names. Nothing else states the graph.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, cast

from headwork.model import Applied, Chain, ContentError, Operation, Stage

SIZES = ("B", "T", "T_q", "T_k", "T_past", "T_new", "d_model", "d_head", "n_heads")


def stage(operation: Callable[..., Any], *, axes: str = "", **bindings: str) -> Any:
    """Mark a stage that applies ``operation`` with some parameters bound to values of other names."""
    return Applied(operation, {**bindings, "": axes} if axes else bindings)


@cache
def operation_of(function: Callable[..., Any]) -> Operation:
    """Read an operation off a function: needs, axes and contract.

    Raises ContentError where the docstring or the axes of the result are missing.
    """
    signature = inspect.signature(function)
    where = f"{inspect.getsourcefile(function)}: {function.__name__}"
    axes = _pattern(signature.return_annotation)
    if axes is None:
        raise ContentError(f'{where}: the result has no axes; annotate it like Annotated[Array, "... T_q T_k"]')
    if not function.__doc__:
        raise ContentError(f"{where}: there is no docstring; it is the contract that students read")
    patterns = {name: _pattern(parameter.annotation) for name, parameter in signature.parameters.items()}
    return Operation(
        name=function.__name__,
        function=function,
        needs=tuple(signature.parameters),
        needs_axes={name: pattern for name, pattern in patterns.items() if pattern},
        axes=axes,
        contract=inspect.cleandoc(function.__doc__),
    )


def _pattern(annotation: Any) -> str | None:
    metadata = getattr(annotation, "__metadata__", ())
    return metadata[0] if metadata and isinstance(metadata[0], str) else None


def chain_of(module: ModuleType, *, slug: str, content_package: str) -> Chain:
    """Read a chain off a module: every public function of content in it, and every ``stage()``.

    Raises ContentError where two stages need each other.
    """
    members = {name: member for name, member in vars(module).items() if not name.startswith("_")}
    applied = {name: member for name, member in members.items() if isinstance(member, Applied)}
    hidden = {member.operation for member in applied.values()}
    functions = {
        name: member
        for name, member in members.items()
        if inspect.isfunction(member) and member.__module__.startswith(content_package) and member not in hidden
    }
    leading = cast(str, members.get("LEADING", ""))
    given_axes = cast(dict[str, str], members.get("AXES", {}))
    stages: dict[str, Stage] = {}
    for name, member in {**functions, **applied}.items():
        if isinstance(member, Applied):
            operation = operation_of(member.operation)
            needs = tuple(member.bindings.get(need, need) for need in operation.needs)
            axes = member.bindings.get("", operation.axes)
        else:
            operation = operation_of(member)
            needs, axes = operation.needs, operation.axes
        stages[name] = Stage(
            name=name, operation=operation, needs=needs, axes=_lead(given_axes.get(name, axes), leading)
        )
    ordered = _in_order(stages, where=str(module.__file__))
    axes_of = {name: found.axes for name, found in ordered.items()}
    sources = dict.fromkeys(need for found in ordered.values() for need in found.needs if need not in ordered)
    for found in ordered.values():
        for parameter, need in zip(found.operation.needs, found.needs, strict=True):
            pattern = found.operation.needs_axes.get(parameter)
            if need in sources and pattern:
                axes_of.setdefault(need, _lead(pattern, "B" if leading else ""))
    axes_of.update(given_axes)
    title = (module.__doc__ or slug).strip().splitlines()[0]
    return Chain(slug=slug, title=title, stages=ordered, sources=tuple(sources), axes=axes_of)


def _lead(axes: str, leading: str) -> str:
    return " ".join(axes.replace("...", leading).split())


def _in_order(stages: Mapping[str, Stage], *, where: str) -> dict[str, Stage]:
    ordered: dict[str, Stage] = {}
    waiting = dict(stages)
    while waiting:
        ready = [name for name, found in waiting.items() if not any(need in waiting for need in found.needs)]
        if not ready:
            raise ContentError(f"{where}: stages {', '.join(waiting)} need each other in a circle")
        for name in ready:
            ordered[name] = waiting.pop(name)
    return ordered


def upstream(chain: Chain, targets: Iterable[str], *, given: Container[str] = ()) -> tuple[str, ...]:
    """The stages that ``targets`` are made of, targets included, in order of computation.

    Stages that are ``given`` are left out, and so is what only they are made of.
    """
    return _upstream(chain, tuple(targets), frozenset(name for name in chain.stages if name in given))


@cache
def _upstream(chain: Chain, targets: tuple[str, ...], given: frozenset[str]) -> tuple[str, ...]:
    wanted: set[str] = set()
    queue = list(targets)
    while queue:
        name = queue.pop()
        if name in chain.stages and name not in wanted and name not in given:
            wanted.add(name)
            queue.extend(chain.stages[name].needs)
    return tuple(name for name in chain.stages if name in wanted)


def between(chain: Chain, target: str, given: Iterable[str]) -> tuple[str, ...]:
    """The stages that make ``target`` where the stages among ``given`` are there already, in order of computation."""
    there = set(given)
    wanted: set[str] = set()
    queue = [target]
    while queue:
        name = queue.pop()
        if name in chain.stages and name not in wanted and name not in there:
            wanted.add(name)
            queue.extend(chain.stages[name].needs)
    return tuple(name for name in chain.stages if name in wanted)


def downstream(chain: Chain, sources: Iterable[str]) -> tuple[str, ...]:
    """The stages that change when ``sources`` (stages or inputs) change, in order of computation."""
    touched = set(sources)
    for name, found in chain.stages.items():
        if touched.intersection(found.needs):
            touched.add(name)
    return tuple(name for name in chain.stages if name in touched)


def evaluate(
    chain: Chain,
    values: Mapping[str, Any],
    *,
    targets: Iterable[str] | None = None,
    replaced: Mapping[str, Callable[[Mapping[str, Any]], Any]] | None = None,
) -> dict[str, Any]:
    """All of ``values`` and every stage up to ``targets`` (all stages if None).

    A stage that is already among ``values`` is taken from there, and with ``targets`` what only it needs is
    not computed. ``replaced`` computes a stage from all values so far instead of by its own operation.
    """
    known = dict(values)
    for name in chain.stages if targets is None else upstream(chain, targets, given=known):
        if name in known:
            continue
        if replaced and name in replaced:
            known[name] = replaced[name](known)
        else:
            found = chain.stages[name]
            known[name] = found.operation.function(*[known[need] for need in found.needs])
    return known


def body_start(function: Callable[..., Any]) -> tuple[str, ast.FunctionDef]:
    """Source text and syntax tree of a function, dedented."""
    source = textwrap.dedent(inspect.getsource(function))
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return source, tree


def solution_body(function: Callable[..., Any]) -> str:
    """The statements after the docstring, with their comments: what a stub must not contain."""
    source, tree = body_start(function)
    lines = source.splitlines()
    first = tree.body[0]
    if ast.get_docstring(tree) is None:
        # Comments above the first statement belong to the body.
        before = tree.args.args[-1].end_lineno if tree.args.args else tree.lineno
        start = max(before or tree.lineno, tree.returns.end_lineno or 0 if tree.returns else 0)
        return textwrap.dedent("\n".join(lines[min(start, first.lineno - 1) :]))
    return textwrap.dedent("\n".join(lines[first.end_lineno or 0 :]))
