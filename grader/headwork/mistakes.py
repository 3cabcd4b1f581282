"""How a known mistake stands in for the stages of a chain.

A mistake's file is named after what it replaces: an operation (then every stage that applies it is
replaced) or one stage. Its parameters are bound, per stage,

1. to the operation's own parameters, through what the stage binds them to;
2. else to the value that the chain's operations know by that name, where there is only one: ``k``
   is ``k_heads`` where the scores are made of ``k_heads``;
3. else to the chain's value of that name.

A trailing underscore reaches past 1 and 2: in a stage made by ``project(x="context", w="w_k")``
the parameter ``x`` is the context, and ``x_`` is the chain's x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias, TypeVar

from headwork.conditions import large_scores
from headwork.model import Chain, Diagnosis, Mistake, Stage
from headwork.stages import SIZES, evaluate, upstream

Replacement: TypeAlias = Callable[[Mapping[str, Any]], Any]
Condition: TypeAlias = Callable[[Mapping[str, Any]], bool]
Wrong = TypeVar("Wrong", bound=Callable[..., Any])

GIVEN = (*SIZES, "causal")
"""Values that an instance always carries, whether or not a stage of its chain needs them."""


@cache
def stages_of(chain: Chain, mistake: Mistake) -> tuple[str, ...]:
    """The stages of ``chain`` that the mistake replaces, in order of computation."""
    applying = tuple(found.name for found in chain.stages.values() if found.operation.name == mistake.target)
    if applying:
        return applying
    return (mistake.target,) if mistake.target in chain.stages else ()


def reads(chain: Chain, mistake: Mistake, stage: Stage) -> tuple[str, ...]:
    """The names, in the chain, of the values that the mistake's parameters stand for at ``stage``."""
    own = dict(zip(stage.operation.needs, stage.needs, strict=True))
    return tuple(own[need] if need in own else _known_as(chain, need) for need in mistake.needs)


def _known_as(chain: Chain, name: str) -> str:
    if name.endswith("_"):
        return name.rstrip("_")
    bound = {
        value
        for found in chain.stages.values()
        for parameter, value in zip(found.operation.needs, found.needs, strict=True)
        if parameter == name
    }
    return bound.pop() if len(bound) == 1 else name


@cache
def applied(chain: Chain, mistake: Mistake) -> Mapping[str, Replacement]:
    """What to pass to ``evaluate(..., replaced=)``: a function of all values so far, per replaced stage."""
    return {
        name: _replacement(chain, mistake.function, reads(chain, mistake, chain.stages[name]))
        for name in stages_of(chain, mistake)
    }


@cache
def applicable(
    chain: Chain, mistake: Mistake, in_reach: frozenset[str] | None = None, *, stage: str | None = None
) -> bool:
    """Whether the mistake can have been made in ``chain`` by code that can read the values ``in_reach``.

    ``None`` stands for everything (a composed function, hand work). With ``stage`` only that stage
    counts, as for an operation that is run on its own: ``in_reach`` are then the stage's needs.
    """
    replaced = stages_of(chain, mistake)
    wanted = replaced if stage is None else tuple(name for name in replaced if name == stage)
    return bool(wanted) and all(_reachable(chain, mistake, name, in_reach) for name in wanted)


def shows_on(mistake: Mistake, values: Mapping[str, Any]) -> bool:
    """Whether the mistake can show at all on these values of a chain (reference stages included).

    A mask mistake needs ``causal``, an overflow needs large scores; most mistakes always show.
    """
    return mistake.shows_when is None or bool(mistake.shows_when(values))


def declared_alike(one: Mistake, other: Mistake) -> bool:
    """Whether either of the two names the other as giving the same values."""
    return other.slug in one.alike or one.slug in other.alike


def needs_large_scores(mistake: Mistake) -> bool:
    """Whether the mistake shows only where exp() overflows or vanishes."""
    return mistake.shows_when is large_scores


def shows_when(*conditions: Condition) -> Callable[[Wrong], Wrong]:
    """Say on which values of a chain a mistake shows, where all conditions hold (decorates a wrong stage)."""

    def all_hold(values: Mapping[str, Any]) -> bool:
        return all(condition(values) for condition in conditions)

    def mark(function: Wrong) -> Wrong:
        setattr(function, "shows_when", conditions[0] if len(conditions) == 1 else all_hold)  # noqa: B010 - functions have no declared attributes
        return function

    return mark


def alike(others: Mapping[str, str] | None = None, /, **reasons: str) -> Callable[[Wrong], Wrong]:
    """Name mistakes that may give the same values, each with the reason why.

    Those of the same file by the name of the function, others by slug, and "the right answer" where the
    mistake may cancel further down the chain.
    """

    def mark(function: Wrong) -> Wrong:
        setattr(function, "alike", {**(others or {}), **reasons})  # noqa: B010 - functions have no declared attributes
        return function

    return mark


def diagnosis_of(mistake: Mistake) -> Diagnosis:
    """A known mistake as a diagnosis."""
    return Diagnosis(
        kind="mistake",
        title=mistake.title,
        mistakes=(mistake.slug,),
        why=mistake.why,
        look=mistake.look,
        hint=mistake.hint,
    )


def _reachable(chain: Chain, mistake: Mistake, name: str, in_reach: frozenset[str] | None) -> bool:
    sizes = sizes_of(chain)
    for read in reads(chain, mistake, chain.stages[name]):
        if in_reach is not None and read not in in_reach:
            return False
        if read in chain.stages:
            if name in upstream(chain, (read,)):
                return False
        elif read not in chain.sources and read not in sizes:
            return False
    return True


@cache
def sizes_of(chain: Chain) -> frozenset[str]:
    """The sizes that the axes of the chain speak of, and ``causal`` where a stage needs it."""
    named = {size for axes in chain.axes.values() for axis in axes.split() for size in axis.split("*")}
    return frozenset(name for name in GIVEN if name in named or name in chain.sources)


def _replacement(chain: Chain, function: Callable[..., Any], names: tuple[str, ...]) -> Replacement:
    def replaced(known: Mapping[str, Any]) -> Any:
        missing = [name for name in names if name not in known]
        values = evaluate(chain, known, targets=missing) if missing else known
        return function(*[values[name] for name in names])

    return replaced
