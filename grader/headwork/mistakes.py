"""How a known mistake stands in for the stages of a chain.

A mistake's file is named after what it replaces: an operation (then every stage that applies it is
replaced) or one stage. Its parameters are bound, per stage, first to the operation's own parameters
through what the stage binds them to, and else to the chain's value of that name. A trailing
underscore reaches past the operation: in a stage made by ``project(x="context", w="w_k")`` the
parameter ``x`` is the context, and ``x_`` is the chain's x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from headwork.model import Chain, Mistake, Stage
from headwork.stages import SIZES, evaluate, upstream

Replacement: TypeAlias = Callable[[Mapping[str, Any]], Any]

GIVEN = (*SIZES, "causal")
"""Values that an instance always carries, whether or not a stage of its chain needs them."""


def stages_of(chain: Chain, mistake: Mistake) -> tuple[str, ...]:
    """The stages of ``chain`` that the mistake replaces, in order of computation."""
    applying = tuple(found.name for found in chain.stages.values() if found.operation.name == mistake.target)
    if applying:
        return applying
    return (mistake.target,) if mistake.target in chain.stages else ()


def reads(mistake: Mistake, stage: Stage) -> tuple[str, ...]:
    """The names, in the chain, of the values that the mistake's parameters stand for at ``stage``."""
    bound = dict(zip(stage.operation.needs, stage.needs, strict=True))
    return tuple(bound.get(need, need.rstrip("_")) for need in mistake.needs)


def applied(chain: Chain, mistake: Mistake) -> dict[str, Replacement]:
    """What to pass to ``evaluate(..., replaced=)``: a function of all values so far, per replaced stage."""
    return {
        name: _replacement(chain, mistake.function, reads(mistake, chain.stages[name]))
        for name in stages_of(chain, mistake)
    }


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


def _reachable(chain: Chain, mistake: Mistake, name: str, in_reach: frozenset[str] | None) -> bool:
    sizes = sizes_of(chain)
    for read in reads(mistake, chain.stages[name]):
        if in_reach is not None and read not in in_reach:
            return False
        if read in chain.stages:
            if name in upstream(chain, (read,)):
                return False
        elif read not in chain.sources and read not in sizes:
            return False
    return True


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
