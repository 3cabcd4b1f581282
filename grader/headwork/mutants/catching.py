"""An input on which a wrong implementation shows: small where a small one does, and verified here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from headwork.draw.dense import dense_inputs
from headwork.draw.stream import Stream
from headwork.marking.compare import GAP, relative_distance
from headwork.mistakes import applied, reads
from headwork.model import Chain, Parameters
from headwork.mutants.implementations import Bench, Implementation
from headwork.stages import evaluate

_SEEDS = 3
_SMALL = Parameters(T=2, d_model=3, d_head=2, n_heads=2)
_MEDIUM = Parameters(T=3, d_model=4, d_head=5, n_heads=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch:
    """Arguments of a function, what is right for them, and what the wrong implementation gives."""

    function: str
    arguments: Mapping[str, Any]
    right: Any
    wrong: Any
    """None where it raises."""

    def call(self) -> str:
        """The call as one would write it."""
        given = ", ".join(f"{name}={_written(value)}" for name, value in self.arguments.items())
        return f"{self.function}({given})"

    def difference(self) -> str:
        """The worst cell, or that there is none to compare."""
        if self.wrong is None:
            return "the wrong one ends in an error"
        right, wrong = np.asarray(self.right), np.asarray(self.wrong)
        if right.shape != wrong.shape:
            return f"shape {right.shape} is right, the wrong one gives {wrong.shape}"
        with np.errstate(all="ignore"):
            off = np.abs(right.astype(float) - wrong.astype(float))
        unlike = np.isfinite(right.astype(float)) != np.isfinite(wrong.astype(float))
        off = np.where(unlike, np.inf, np.nan_to_num(off))
        at = tuple(int(i) for i in np.unravel_index(int(off.argmax()), off.shape))
        where = f"[{', '.join(map(str, at))}]" if at else ""
        return f"result{where} is {float(right[at]):.6g}, the wrong one gives {float(wrong[at]):.6g}"


def _written(value: Any) -> str:
    if _is_array(value):
        return f"np.array({_nested(value.tolist())})"
    return _nested(value.item() if isinstance(value, np.generic) else value)


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_nested(part) for part in cast(list[Any], value)) + "]"
    if isinstance(value, float):
        # What was rounded is short again; tenths are short with four digits.
        return f"{value:.4g}" if np.isfinite(value) else ("-np.inf" if value < 0 else "np.inf")
    return repr(value)


def catch_for(bench: Bench, wrong: Implementation) -> Catch | None:
    """An input that tells ``wrong`` from right, found by trying draws; None where none of them does."""
    chain = bench.content.chains[wrong.chain]
    for inputs in _draws(chain, wrong):
        with np.errstate(all="ignore"):
            found = _at_stage(chain, wrong, inputs) if wrong.stage else _composed(bench, chain, wrong, inputs)
        if found is not None:
            return found
    return None


def _draws(chain: Chain, wrong: Implementation) -> Iterator[dict[str, Any]]:
    flags = (True, False) if "causal" in chain.sources else (None,)
    for large in (False, True):
        for base in (_SMALL, _MEDIUM, Parameters()):
            for causal in flags:
                if large and "w_k" not in chain.sources:
                    continue
                for seed in range(_SEEDS):
                    stream = Stream(f"catch {wrong.slug} {seed}".encode())
                    parameters = Parameters(
                        T=base.T, d_model=base.d_model, d_head=base.d_head, n_heads=base.n_heads, causal=causal
                    )
                    yield dense_inputs(stream, chain, parameters, large=large)


def _at_stage(chain: Chain, wrong: Implementation, inputs: Mapping[str, Any]) -> Catch | None:
    assert wrong.mistake is not None
    stage = chain.stages[wrong.stage]
    values = evaluate(chain, inputs, targets=stage.needs)
    known = {name: _rounded(values[name]) for name in stage.needs}
    alone = _without_leading(
        stage.operation.needs_axes, dict(zip(stage.needs, stage.operation.needs, strict=True)), known
    )
    for given in (alone, known):
        try:
            right = stage.operation.function(*[_copied(given[name]) for name in stage.needs])
        except Exception:  # not every operation takes arrays without a batch
            continue
        try:
            made = wrong.mistake.function(*[_copied(given[name]) for name in reads(chain, wrong.mistake, stage)])
        except Exception:  # a wrong stage may fail in any way
            made = None
        if _apart(right, made):
            arguments = dict(zip(stage.operation.needs, (given[name] for name in stage.needs), strict=True))
            return Catch(function=wrong.function, arguments=arguments, right=right, wrong=made)
    return None


def _without_leading(
    axes: Mapping[str, str], parameters: Mapping[str, str], known: Mapping[str, Any]
) -> dict[str, Any]:
    """The first prompt alone, where the operation takes any leading axes."""
    found: dict[str, Any] = {}
    for name, value in known.items():
        pattern = axes.get(parameters[name], "")
        named = [axis for axis in pattern.split() if axis != "..."]
        while "..." in pattern and _is_array(value) and value.ndim > len(named):
            value = value[0]
        found[name] = value
    return found


def _composed(bench: Bench, chain: Chain, wrong: Implementation, inputs: Mapping[str, Any]) -> Catch | None:
    assert wrong.mistake is not None
    function = next(one for one in bench.functions if one.name == wrong.function)
    names = [parameter.name for parameter in function.parameters]
    target = function.target or ""
    values = evaluate(chain, inputs, targets=[target, *names])
    given = {name: values[name] for name in values if name not in chain.stages or name in names}
    try:
        made = evaluate(chain, given, targets=[target], replaced=applied(chain, wrong.mistake))[target]
    except Exception:  # a wrong stage may fail in any way
        made = None
    if not _apart(values[target], made):
        return None
    return Catch(
        function=wrong.function, arguments={name: values[name] for name in names}, right=values[target], wrong=made
    )


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _rounded(value: Any) -> Any:
    if _is_array(value) and value.dtype.kind == "f":
        return cast(Any, np.round(value, 2))
    return value


def _copied(value: Any) -> Any:
    return value.copy() if _is_array(value) else value


def _apart(right: Any, wrong: Any) -> bool:
    return wrong is None or relative_distance(np.asarray(right), np.asarray(wrong)) > 10 * GAP
