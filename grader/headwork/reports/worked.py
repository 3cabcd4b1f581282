"""Worked solutions: every stage of a student's own problem, exactly and in decimals, for after the deadline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.handout.prompt import given_matrices
from headwork.model import Chain, Instance, Problem, Stage
from headwork.pages.environment import environment
from headwork.pages.markdown import html_of
from headwork.pages.matrix import MatrixView, decimal_texts, matrix_view
from headwork.pages.tex import name_tex
from headwork.rooms import Content
from headwork.stages import evaluate

DECIMALS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One stage: its sentence and its value; ``decimal`` is None where the exact numbers are as short."""

    name: str
    text: str
    html: str
    exact: MatrixView | None
    decimal: MatrixView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedView:
    """One set of numbers, worked; ``titles`` are the exercises that share it."""

    titles: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    given: tuple[MatrixView, ...]
    steps: tuple[StepView, ...]


def worked_pages(content: Content, assignment: str, problems: Mapping[str, Problem]) -> dict[str, str]:
    """``worked.html`` and ``worked.md`` for the hand problems of a student; the same numbers are worked once.

    Empty where no problem has exact numbers: large dense draws are not for reading.
    """
    exact_ones = {slug: problem for slug, problem in problems.items() if problem.instance.exact}
    if not exact_ones:
        return {}
    views: list[WorkedView] = []
    for slugs in sharing(exact_ones):
        instance = problems[slugs[0]].instance
        chain = content.chains[instance.chain]
        with np.errstate(all="ignore"):
            floats = evaluate(chain, instance.values)
        exact = exact_texts(content, chain, instance)
        titles = tuple(
            content.exercises[slug].title.rstrip(".") if slug in content.exercises else slug for slug in slugs
        )
        views.append(worked_view(content, chain, instance, titles=titles, exact=exact, floats=floats))
    jinja = environment(content)
    context = {"assignment": assignment, "problems": views, "decimals": DECIMALS}
    return {name: jinja.get_template(f"{name}.j2").render(context) for name in ("worked.html", "worked.md")}


def sharing(problems: Mapping[str, Problem]) -> list[list[str]]:
    """Exercises in groups that have the same numbers."""
    from headwork.draw.digest import digest_of, inputs_of

    groups: dict[str, list[str]] = {}
    for slug, problem in problems.items():
        key = digest_of("", 0, problem.instance.chain, inputs_of(problem.instance))
        groups.setdefault(key, []).append(slug)
    return list(groups.values())


def worked_view(
    content: Content,
    chain: Chain,
    instance: Instance,
    *,
    titles: Sequence[str],
    exact: Mapping[str, Any],
    floats: Mapping[str, Any],
) -> WorkedView:
    """All stages of ``chain``: ``exact`` maps stages to nested text, ``floats`` to arrays."""
    steps = [
        _step(content, chain, found, instance, exact=exact.get(name), value=floats[name])
        for name, found in _reading_order(chain)
    ]
    return WorkedView(
        titles=tuple(titles), words=instance.words, given=given_matrices(content, instance), steps=tuple(steps)
    )


def _reading_order(chain: Chain) -> list[tuple[str, Stage]]:
    """The order of computation, but a stage made of sizes alone (the mask) stands where it is first used."""
    late = {
        name
        for name, found in chain.stages.items()
        if not any(n in chain.stages or n in chain.axes for n in found.needs)
    }
    ordered: dict[str, Stage] = {}
    for name, found in chain.stages.items():
        if name not in late:
            ordered.update({need: chain.stages[need] for need in found.needs if need in late and need not in ordered})
            ordered[name] = found
    return list({**ordered, **chain.stages}.items())


def _step(content: Content, chain: Chain, found: Stage, instance: Instance, *, exact: Any, value: Any) -> StepView:
    text = sentence(content, chain, found, instance)
    numbers = np.asarray(value)
    short = decimal_texts(numbers, DECIMALS)
    shades = None if numbers.dtype == bool else numbers

    def view(entries: Any) -> MatrixView:
        return matrix_view(found.name, entries, axes=found.axes, numbers=shades, words=instance.words, exact=True)

    return StepView(
        name=found.name,
        text=text,
        html=html_of(text, where=f"worked/{found.operation.name}.md.j2"),
        exact=view(exact) if exact is not None else None,
        decimal=view(short) if short != exact else None,
    )


def sentence(content: Content, chain: Chain, found: Stage, instance: Instance) -> str:
    """One sentence for one step, from ``templates/worked/``; the contract of the operation where none is written."""
    from jinja2 import TemplateNotFound

    try:
        template = environment(content).get_template(f"worked/{found.operation.name}.md.j2")
    except TemplateNotFound:
        return found.operation.contract.split("\n\n")[0]
    return template.render(
        symbol=name_tex(found.name),
        needs=[name_tex(need) for need in found.needs],
        sizes={name: value for name, value in instance.values.items() if np.ndim(value) == 0},
        axes=chain.axes,
    ).strip()


def exact_texts(content: Content, chain: Chain, instance: Instance) -> dict[str, Any]:
    """Every stage in exact numbers, as nested text of the answer grammar."""
    from headwork.answers.exact_chain import evaluate_exact

    spelled = {name: _each(_expression, value) for name, value in instance.exact.items()}
    plain = {
        name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in instance.values.items()
    }
    known = evaluate_exact(content, chain, {**plain, **spelled})
    return {name: _each(_text, known[name]) for name in chain.stages}


def _each(function: Any, nested: Any) -> Any:
    return [_each(function, entry) for entry in nested] if isinstance(nested, list) else function(nested)  # pyright: ignore[reportUnknownVariableType]


def _expression(text: Any) -> Any:
    from headwork.answers.proof import expression
    from headwork.answers.reader import Invalid, read
    from headwork.answers.tokens import Grammar

    reading = read(str(text), Grammar(infinity=True))
    if isinstance(reading, Invalid):
        raise ValueError(f"an input of the instance: {reading.pointed()}")
    return expression(reading.tree, {})


def _text(number: Any) -> str:
    return str(_over_one_denominator(number)).replace("oo", "inf").replace("**", "^")


def _over_one_denominator(number: Any) -> Any:
    """A sum of shares of one total as one fraction; anything else as it is."""
    import sympy

    if not getattr(number, "is_Add", False):
        return number
    terms: list[tuple[Any, ...]] = [sympy.Mul.make_args(term) for term in number.args]
    totals = [
        [factor for factor in factors if factor.is_Pow and factor.exp == -1 and factor.base.is_Add] for factors in terms
    ]
    shared = {tuple(total) for total in totals}
    if len(shared) != 1 or len(total := shared.pop()) != 1:
        return number
    above = [sympy.Mul(*[factor for factor in factors if factor != total[0]]) for factors in terms]
    return sympy.Mul(sympy.Add(*above), total[0], evaluate=False)
