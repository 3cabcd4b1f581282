"""What the exercises ask for: functions to write and fields to fill in, read off their parts."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from headwork.model import Chain, CodePart, ComposePart, ContentError, Exercise, Instance, Operation, TracePart
from headwork.rooms import Content
from headwork.stages import between


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of an asked function: its axes, or its kind ("int", "bool", "float") where it has none."""

    name: str
    axes: str = ""
    kind: str = "array"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedFunction:
    """One function to write. Exercises that ask for the same one share it."""

    name: str
    parameters: tuple[Parameter, ...]
    axes: str
    contract: str
    points: Fraction
    exercises: tuple[str, ...]
    chains: tuple[str, ...]
    target: str | None = None
    """The stage that a composed function ends in; None for an operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedField:
    """One answer to type: a stage worked by hand, or another way of asking."""

    exercise: str
    name: str
    axes: str = ""
    decimals: int | None = None
    points: Fraction
    question: str = ""
    how: str = ""
    """What to type, where it is not a matrix: "one letter", "a sentence"."""
    options: tuple[str, ...] = ()
    """Of a choice, in the order of their letters."""
    listing: tuple[str, ...] = ()
    """Lines of code that the question speaks of."""


def chains_of(content: Content, exercise: Exercise) -> tuple[Chain, ...]:
    """The chains that an exercise draws from, the code chains first.

    Raises ContentError where one is not in ``solutions/``.
    """
    slugs = dict.fromkeys((*exercise.code_chains, *((exercise.hand_chain,) if exercise.hand_chain else ())))
    slugs.update(dict.fromkeys(part.chain for part in exercise.parts if isinstance(part, ComposePart)))
    for slug in slugs:
        if slug not in content.chains:
            raise ContentError(f'{exercise.path}: chain "{slug}" is not in solutions/')
    return tuple(content.chains[slug] for slug in slugs)


def asked_functions(content: Content, exercises: Iterable[Exercise]) -> tuple[AskedFunction, ...]:
    """The functions that these exercises ask for, operations before composed ones, each once.

    Raises ContentError where two exercises ask for different functions of one name.
    """
    found: dict[str, AskedFunction] = {}
    for exercise in exercises:
        for part in exercise.parts:
            if isinstance(part, CodePart):
                asked = _operation_asked(part, exercise, chains_of(content, exercise))
            elif isinstance(part, ComposePart):
                asked = _composed_asked(part, exercise, content)
            else:
                continue
            known = found.get(asked.name)
            found[asked.name] = _joined(known, asked, exercise) if known else asked
    return tuple(sorted(found.values(), key=lambda asked: asked.target is not None))


def _joined(known: AskedFunction, asked: AskedFunction, exercise: Exercise) -> AskedFunction:
    if (known.parameters, known.axes, known.contract) != (asked.parameters, asked.axes, asked.contract):
        raise ContentError(
            f'{exercise.path}: function "{asked.name}" is asked for in another form by exercise {known.exercises[0]}'
        )
    return replace(
        known,
        points=known.points + asked.points,
        exercises=tuple(dict.fromkeys((*known.exercises, *asked.exercises))),
        chains=tuple(dict.fromkeys((*known.chains, *asked.chains))),
    )


def _operation_asked(part: CodePart, exercise: Exercise, chains: Sequence[Chain]) -> AskedFunction:
    applying = [
        (chain, found.operation)
        for chain in chains
        for found in chain.stages.values()
        if found.operation.name == part.operation
    ]
    if not applying:
        known = sorted({found.operation.name for chain in chains for found in chain.stages.values()})
        raise ContentError(
            f'{exercise.path}: operation "{part.operation}" is in none of its chains; they have {", ".join(known)}'
        )
    operation = applying[0][1]
    return AskedFunction(
        name=operation.name,
        parameters=parameters_of(operation),
        axes=operation.axes,
        contract=operation.contract,
        points=part.points,
        exercises=(exercise.slug,),
        chains=tuple(dict.fromkeys(chain.slug for chain, _ in applying)),
    )


def parameters_of(operation: Operation) -> tuple[Parameter, ...]:
    """The parameters of an operation, in order."""
    return tuple(_parameter(operation, name) for name in operation.needs)


def _parameter(operation: Operation, name: str) -> Parameter:
    axes = operation.needs_axes.get(name, "")
    if axes:
        return Parameter(name=name, axes=axes)
    annotation = inspect.signature(operation.function).parameters[name].annotation
    return Parameter(name=name, kind=getattr(annotation, "__name__", str(annotation)))


def _composed_asked(part: ComposePart, exercise: Exercise, content: Content) -> AskedFunction:
    chain = content.chains.get(part.chain)
    if chain is None or part.target not in chain.stages:
        raise ContentError(f'{exercise.path}: {part.name}: stage "{part.target}" of chain "{part.chain}" is not there')
    parameters = tuple(_source(chain, name) for name in part.arguments)
    missing = _needed_sources(chain, part) - {*part.arguments, *_sizes_of(parameters)}
    if missing:
        raise ContentError(f"{exercise.path}: {part.name}: cannot be computed without {', '.join(sorted(missing))}")
    way = ", ".join(name for name in between(chain, part.target, part.arguments) if name != part.target)
    contract = f"{chain.title.rstrip('.')}: everything from {part.arguments[0]} to {part.target}.\n\n" + (
        f"The stages on the way: {way}." if way else ""
    )
    return AskedFunction(
        name=part.name,
        parameters=parameters,
        axes=chain.stages[part.target].axes,
        contract=contract.strip(),
        points=part.points,
        exercises=(exercise.slug,),
        chains=(chain.slug,),
        target=part.target,
    )


def _needed_sources(chain: Chain, part: ComposePart) -> set[str]:
    stages = between(chain, part.target, part.arguments)
    return {need for name in stages for need in chain.stages[name].needs if need not in chain.stages}


def _sizes_of(parameters: Iterable[Parameter]) -> set[str]:
    """Sizes that can be read off the axes of the arguments."""
    names = {axis for parameter in parameters for axis in parameter.axes.split()}
    fused = {size for axis in names if "*" in axis for size in axis.split("*")}
    return names | fused


def _source(chain: Chain, name: str) -> Parameter:
    if name in chain.axes:
        return Parameter(name=name, axes=chain.axes[name])
    for found in chain.stages.values():
        for parameter, need in zip(found.operation.needs, found.needs, strict=True):
            if need == name:
                return _parameter(found.operation, parameter)
    kind = "bool" if name == "causal" else "int"
    return Parameter(name=name, kind=kind)


def asked_fields(content: Content, exercises: Iterable[Exercise]) -> tuple[AskedField, ...]:
    """The answers to type, exercise by exercise, in the order of the parts."""
    fields: list[AskedField] = []
    for exercise in exercises:
        chain = content.chains[exercise.hand_chain] if exercise.hand_chain else None
        for part in exercise.parts:
            if isinstance(part, TracePart):
                fields += _traced(part, exercise, chain)
            elif not isinstance(part, CodePart | ComposePart):
                question = str(getattr(part, "question", ""))
                fields.append(AskedField(exercise=exercise.slug, name=part.slug, points=part.points, question=question))
    return tuple(fields)


def with_question(field: AskedField, content: Content, exercise: Exercise, instance: Instance) -> AskedField:
    """A field of another way of asking as one student sees it: numbers filled in, options drawn."""
    from headwork.answers.asking import options_seed, questions_for

    part = next((one for one in exercise.parts if getattr(one, "slug", None) == field.name), None)
    if part is None or isinstance(part, CodePart | ComposePart | TracePart):
        return field
    (asked,) = questions_for(part, content, exercise, instance, options_seed(exercise, instance))
    return replace(field, question=asked.text, how=asked.how, options=asked.options, listing=asked.listing)


def _traced(part: TracePart, exercise: Exercise, chain: Chain | None) -> list[AskedField]:
    if chain is None:
        raise ContentError(f"{exercise.path}: stages are to be traced by hand, but there is no hand_chain")
    for name in part.stages:
        if name not in chain.stages:
            raise ContentError(f'{exercise.path}: stage "{name}" is not in chain "{chain.slug}"')
    return [
        AskedField(
            exercise=exercise.slug,
            name=name,
            axes=chain.stages[name].axes,
            decimals=part.decimals,
            points=part.points,
        )
        for name in part.stages
    ]
