"""Implementations to hold a test against: right ones in several styles, and one per known mistake.

All of them are whole files, written out from the content without docstrings and comments, so that
nothing but their behaviour tells them apart. A mistake that fits into one function stands in that
function; one that needs more (keys projected with w_q) is made inside the composed functions.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from headwork.demo_class import STYLES
from headwork.draw.certify import stage_for
from headwork.handout.asked import AskedFunction, asked_functions
from headwork.mistakes import applicable, stages_of
from headwork.model import Chain, ContentError, Exercise, Mistake
from headwork.mutants.compositions import mistaken_composition
from headwork.rooms import Content, slug_of
from headwork.solution_file import self_contained_body, solution_source
from headwork.stages import between


@dataclass(frozen=True, slots=True, kw_only=True)
class Implementation:
    """One file of functions. ``mistake`` is what is wrong with it; None where it is right."""

    slug: str
    title: str
    source: str
    mistake: Mistake | None = None
    function: str = ""
    """The asked function in which the mistake shows."""
    chain: str = ""
    stage: str = ""
    """Of a mistake in an isolated function: the stage that stands for it; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bench:
    """What a test is about: functions, and the exercises that ask for them."""

    content: Content
    exercises: tuple[Exercise, ...]
    functions: tuple[AskedFunction, ...]
    """Those that the test speaks of."""

    @property
    def operations(self) -> Mapping[str, Chain]:
        """Operation -> a chain that has it: those under test, and those inside composed functions under test."""
        found: dict[str, Chain] = {}
        for function in self.functions:
            chain = self.content.chains[function.chains[0]]
            for name in self.inside(function) if function.target else ():
                found.setdefault(chain.stages[name].operation.name, chain)
            if not function.target:
                found[function.name] = chain
        return found

    def inside(self, function: AskedFunction) -> tuple[str, ...]:
        """The stages that a composed function makes."""
        chain = self.content.chains[function.chains[0]]
        return between(chain, function.target or "", [parameter.name for parameter in function.parameters])


def bench_for(content: Content, exercises: Sequence[Exercise], names: Iterable[str] | None = None) -> Bench:
    """A bench for the functions called ``names`` (all of the exercises', if None) and the exercises that ask for them."""
    wanted = None if names is None else set(names)
    found = tuple(asked for asked in asked_functions(content, exercises) if wanted is None or asked.name in wanted)
    needed = {slug for asked in found for slug in asked.exercises}
    return Bench(
        content=content,
        exercises=tuple(exercise for exercise in exercises if exercise.slug in needed),
        functions=found,
    )


def right_ones(bench: Bench) -> tuple[Implementation, ...]:
    """The reference first, then whatever else is right for the functions of the bench."""
    functions = reference_functions(bench)
    found = [Implementation(slug="reference", title="the reference", source=_file(functions, {}))]
    there = bench.operations

    def add(slug: str, title: str, bodies: Mapping[str, str]) -> None:
        used = {
            operation: _with_body(bench, operation, bodies[operation]) for operation in bodies if operation in there
        }
        if used:
            found.append(Implementation(slug=f"right/{slug}", title=title, source=_file(functions, used)))

    for name, bodies in STYLES.items():
        add(name, name, bodies)
    for operation, versions in also_right(bench.content).items():
        for name, (title, body) in versions.items():
            add(f"{slug_of(operation)}/{slug_of(name)}", title, {operation: body})
    return tuple(found)


def wrong_ones(bench: Bench) -> tuple[Implementation, ...]:
    """Every known mistake that can be made in the functions of the bench.

    One that no single operation can hold is made in every composed function that can: one each.
    """
    functions = reference_functions(bench)
    asked = {one.name for one in bench.functions}
    found: dict[str, Implementation] = {}
    composed: list[Implementation] = []
    for operation, chain in bench.operations.items():
        for mistake, stage in _isolated(bench.content, operation, chain):
            body = self_contained_body(mistake.function)
            wrong = Implementation(
                slug=mistake.slug,
                title=mistake.title,
                source=_file(functions, {operation: _with_body(bench, operation, body)}),
                mistake=mistake,
                function=operation if operation in asked else _composed_with(bench, operation),
                chain=chain.slug,
                stage=stage if operation in asked else "",
            )
            found.setdefault(mistake.slug, wrong)
    for function in bench.functions:
        if function.target:
            composed += _inside(bench, function, functions, skip=found)
    return (*found.values(), *composed)


def _isolated(content: Content, operation: str, chain: Chain) -> Iterator[tuple[Mistake, str]]:
    """Mistakes of an operation that read nothing but its own arguments, each with its stage."""
    stage = stage_for(chain, operation)
    reach = frozenset(chain.stages[stage].needs)
    for mistake in content.mistakes_of(chain):
        if mistake.target == operation and applicable(chain, mistake, reach, stage=stage):
            yield mistake, stage


def _composed_with(bench: Bench, operation: str) -> str:
    for function in bench.functions:
        chain = bench.content.chains[function.chains[0]]
        if function.target and any(chain.stages[name].operation.name == operation for name in bench.inside(function)):
            return function.name
    return ""


def _inside(
    bench: Bench, function: AskedFunction, functions: Mapping[str, str], *, skip: Mapping[str, object]
) -> Iterator[Implementation]:
    """Mistakes that only a composed function can hold."""
    chain = bench.content.chains[function.chains[0]]
    made = set(bench.inside(function))
    for mistake in bench.content.mistakes_of(chain):
        replaced = set(stages_of(chain, mistake))
        if mistake.slug in skip or not replaced & made or not applicable(chain, mistake):
            continue
        composed = mistaken_composition(function, chain, mistake)
        if composed is not None:
            yield Implementation(
                slug=mistake.slug,
                title=mistake.title,
                source=_file(functions, {function.name: _plain_text(composed)}),
                mistake=mistake,
                function=function.name,
                chain=chain.slug,
            )


def reference_functions(bench: Bench) -> dict[str, str]:
    """The reference as plain text, by function; the imports stand under the empty name."""
    tree = ast.parse(solution_source(bench.content, bench.exercises))
    found: dict[str, str] = {"": ""}
    for node in tree.body:
        text = _plain(node)
        if isinstance(node, ast.FunctionDef):
            found[node.name] = text
        else:
            found[""] += text + "\n"
    return found


def _file(functions: Mapping[str, str], instead: Mapping[str, str]) -> str:
    """A file of the reference's functions, with some in another form and in the same place."""
    return "\n\n\n".join({**functions, **instead}.values()) + "\n"


def _with_body(bench: Bench, operation: str, body: str) -> str:
    chain = bench.operations[operation]
    stage = chain.stages[stage_for(chain, operation)]
    return _plain_text(f"def {operation}({', '.join(stage.operation.needs)}):\n{textwrap.indent(body, '    ')}")


def _plain_text(source: str) -> str:
    return "\n\n\n".join(_plain(node) for node in ast.parse(source).body)


def _plain(tree: ast.stmt) -> str:
    """A statement of our own without comments and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def also_right(content: Content) -> dict[str, dict[str, tuple[str, str]]]:
    """Operation -> name -> (title, body): the files of ``solutions/also_right/``, named after their operation.

    Raises ContentError where a file is named after no operation, or a function has other parameters.
    """
    operations = {
        stage.operation.name: stage.operation for chain in content.chains.values() for stage in chain.stages.values()
    }
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for folder in reversed(content.folders):
        for path in sorted((folder / "solutions" / "also_right").glob("*.py")):
            if path.stem not in operations:
                raise ContentError(f'{path}: "{path.stem}" is no operation of solutions/')
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imports = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import)]
            for node in tree.body:
                if not isinstance(node, ast.FunctionDef):
                    continue
                needs = operations[path.stem].needs
                if tuple(argument.arg for argument in node.args.args) != needs:
                    raise ContentError(f"{path}: {node.name}: wanted the parameters {', '.join(needs)}")
                title = (ast.get_docstring(node) or node.name).splitlines()[0].rstrip(".")
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                text = "\n".join([*imports, *(ast.unparse(statement) for statement in body)])
                found.setdefault(path.stem, {})[node.name] = (title, text)
    return found
