"""A chain worked in exact numbers or in 60 digits, by the operations of ``solutions/exact*.py``.

Values are nested lists. What they hold is one kind of number throughout: SymPy numbers for an exact
second opinion, or 60-digit reals for marking, which is some hundred times faster.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from headwork.model import Chain, Instance
from headwork.rooms import Content
from headwork.stages import evaluate

from .reader import Invalid, read
from .tokens import Grammar
from .value import digits, real, worth


def exact_operations(content: Content, chain: Chain) -> Mapping[str, Callable[..., Any]]:
    """The exact operations beside the chain's own, by name: those of ``solutions/exact*.py``."""
    package = next(iter(chain.stages.values())).operation.function.__module__.rpartition(".")[0]
    return _operations_in(package, content.folders)


@lru_cache(maxsize=8)
def _operations_in(package: str, folders: tuple[Path, ...]) -> Mapping[str, Callable[..., Any]]:
    stems = sorted({path.stem for folder in folders for path in (folder / "solutions").glob("exact*.py")})
    modules = [importlib.import_module(f"{package}.{stem}") for stem in stems]
    return {
        name: member
        for module in modules
        for name, member in vars(module).items()
        if inspect.isfunction(member) and not name.startswith("_") and member.__module__ == module.__name__
    }


def evaluate_exact(
    content: Content,
    chain: Chain,
    exact_values: Mapping[str, Any],
    targets: Iterable[str] | None = None,
    overridden: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All values and every stage up to ``targets``; ``overridden`` stages are taken as given.

    An operation without an exact counterpart is worked in floats (and stays as precise as those are).
    """
    operations = exact_operations(content, chain)
    replaced = {
        name: _applied(operations.get(found.operation.name) or _in_floats(found.operation.function), found.needs)
        for name, found in chain.stages.items()
    }
    return evaluate(chain, {**exact_values, **(overridden or {})}, targets=targets, replaced=replaced)


def _applied(function: Callable[..., Any], needs: tuple[str, ...]) -> Callable[[Mapping[str, Any]], Any]:
    return lambda values: function(*[values[need] for need in needs])


def _in_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    def worked(*arguments: Any) -> Any:
        return lifted(function(*[_lowered(argument) for argument in arguments]))

    return worked


def _lowered(value: Any) -> Any:
    import numpy as np

    if isinstance(value, list):
        array = np.array(value, dtype=object)
        return array.astype(bool if isinstance(array.flat[0], bool) else float)
    return value


def lifted(value: Any) -> Any:
    """Floats (an array, a list or one) as nested lists of 60-digit reals; integers and booleans stay."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [lifted(each) for each in cast("list[Any]", value)]
    return real(value) if isinstance(value, float) else value


def spelled_values(instance: Instance) -> dict[str, Any]:
    """The inputs of an instance in 60 digits: as spelled where they are, else from the floats."""
    known = {name: lifted(value) for name, value in instance.values.items()}
    return {**known, **{name: spelled(value) for name, value in instance.exact.items()}}


def spelled(value: Any) -> Any:
    """Nested text of the answer grammar in 60 digits."""
    if isinstance(value, str):
        return _number(value)
    if isinstance(value, list | tuple):
        return [spelled(each) for each in cast("list[Any]", value)]
    return value if isinstance(value, bool) else digits().mpf(value)


@lru_cache(maxsize=4096)
def _number(text: str) -> Any:
    reading = read(text, Grammar(infinity=True))
    if isinstance(reading, Invalid):
        raise ValueError(f"an input of the instance: {reading.pointed()}")
    return worth(reading.tree)
