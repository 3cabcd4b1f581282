"""Checks of composed functions: values with and without causal, other sizes, large scores, and no look ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from headwork.handout.asked import AskedFunction
from headwork.handout.public_check import LOOSE, Check, Tables, rows_are_shares
from headwork.handout.public_numbers import OTHER_SIZES, SIZES, literal, public_inputs, shown, shown_stages
from headwork.model import Chain
from headwork.stages import evaluate, upstream

_LARGE_X = (30, 100, 300, 1000)
_OVERFLOW = 800.0


def composed_checks(asked: AskedFunction, chain: Chain, target: str, numbers: Tables) -> list[Check]:
    """The checks of one composed function; its inputs and results go into ``numbers``."""
    table = chain.slug.upper()
    names = [parameter.name for parameter in asked.parameters]
    axes = chain.stages[target].axes
    checks: list[Check] = []
    for prefix, sizes, claim in (
        ("", SIZES, " ".join(asked.contract.split("\n\n")[0].split())),
        ("OTHER_", OTHER_SIZES, "Other sizes work as well."),
    ):
        values = _given(chain, names, sizes)
        entries = numbers.setdefault(prefix + table, {})
        entries.update({name: values[name] for name in (*sizes, *names) if name in values})
        for causal in (True, False) if "causal" in names else (None,):
            given = {**values, "causal": causal} if causal is not None else values
            key = f"{target} of {asked.name}" + (", not causal" if causal is False else "")
            entries[key] = shown(evaluate(chain, given, targets=[target])[target])
            arguments = _composed_arguments(names, prefix + table, causal)
            name = asked.name + ("_without_causal" if causal is False else "") + ("_with_other_sizes" * bool(prefix))
            checks.append(
                _composed_check(asked, name, claim, arguments, f'{prefix + table}["{key}"]', axes, prefix + table)
            )
    checks += _composed_laws(asked, chain, target, table, names)
    return checks


def _given(chain: Chain, names: Sequence[str], sizes: Mapping[str, int]) -> dict[str, Any]:
    """Inputs, and the stages that the function is given as arguments (a cache of keys, say)."""
    inputs = public_inputs(chain, sizes=sizes)
    stages = [name for name in names if name in chain.stages]
    made = shown_stages(chain, inputs, tuple(stages)) if stages else {}
    return {**inputs, **{name: made[name] for name in stages}}


def _composed_arguments(names: Sequence[str], table: str, causal: bool | None) -> list[str]:
    return [str(causal) if name == "causal" else f'{table}["{name}"]' for name in names]


def _composed_check(
    asked: AskedFunction,
    name: str,
    claim: str,
    arguments: Sequence[str],
    expected: str,
    axes: str,
    table: str,
    tolerance: str = "",
) -> Check:
    return Check(
        name=f"test_{name}",
        claim=claim,
        body=(
            f'seen = run("{asked.name}", {", ".join(arguments)})',
            f'same("{asked.name}", seen, {expected}, axes="{axes}", sizes={table}{tolerance})',
        ),
    )


def _composed_laws(asked: AskedFunction, chain: Chain, target: str, table: str, names: Sequence[str]) -> list[Check]:
    """Large inputs, and causality, wherever the right answer keeps them."""
    if "x" not in names:
        return []
    values = _given(chain, names, SIZES)
    axes = chain.stages[target].axes
    causal = True if "causal" in names else None
    checks: list[Check] = []
    factor = _overflowing_factor(chain, values, target)
    large = evaluate(chain, {**values, "x": values["x"] * factor}, targets=[target])[target]
    if np.isfinite(large).all():
        arguments = [
            text + (f" * {factor}" if name == "x" else "")
            for name, text in zip(names, _composed_arguments(names, table, causal), strict=True)
        ]
        checks.append(
            Check(
                name=f"test_{asked.name}_of_large_values",
                claim="Scores in the hundreds do not overflow.",
                body=(
                    f'seen = run("{asked.name}", {", ".join(arguments)})',
                    f"expected = {literal(shown(large))}",
                    f'same("{asked.name}", seen, expected, axes="{axes}", sizes={table}, tolerance={LOOSE})',
                ),
            )
        )
    if "causal" in names and "T" in axes.split() and _keeps_the_past(chain, values, target):
        checks.append(_past_check(asked, chain, target, table, names, axes.split().index("T")))
    return checks


def _overflowing_factor(chain: Chain, values: Mapping[str, Any], target: str) -> int:
    """How much larger x must be for exp() to overflow in one row and vanish in another."""
    for factor in _LARGE_X:
        known = evaluate(chain, {**values, "x": values["x"] * factor}, targets=[target])
        for found in (chain.stages[name] for name in upstream(chain, [target])):
            if len(found.needs) == 1 and rows_are_shares(known[found.name]):
                tops = np.max(known[found.needs[0]], axis=-1)
                if tops.max() > _OVERFLOW and np.ptp(tops) > _OVERFLOW:
                    return factor
    return _LARGE_X[0]


def _keeps_the_past(chain: Chain, values: Mapping[str, Any], target: str) -> bool:
    """Whether the right answer itself is unmoved by the last position (a gradient, for one, is not)."""
    changed = values["x"].copy()
    changed[:, -1] += 1.0
    before, after = (evaluate(chain, {**values, "x": x}, targets=[target])[target] for x in (values["x"], changed))
    early = (*[slice(None)] * chain.stages[target].axes.split().index("T"), slice(None, -1))
    return bool(np.array_equal(before[early], after[early]) or np.abs(before[early] - after[early]).max() < 1e-9)


def _past_check(asked: AskedFunction, chain: Chain, target: str, table: str, names: Sequence[str], axis: int) -> Check:
    changed = [
        "changed" if name == "x" else text
        for name, text in zip(names, _composed_arguments(names, table, True), strict=True)
    ]
    before = "[" + ":, " * axis + ":-1]"
    axes = chain.stages[target].axes
    return Check(
        name=f"test_{asked.name}_does_not_read_the_future",
        claim="With causal, changing the last position changes no earlier one.",
        body=(
            f'changed = {table}["x"].copy()',
            "changed[:, -1] += 1.0",
            f'first = run("{asked.name}", {", ".join(_composed_arguments(names, table, True))})',
            f'second = run("{asked.name}", {", ".join(changed)})',
            f'unchanged("{asked.name}", np.asarray(second){before}, np.asarray(first){before}, axes="{axes}")',
        ),
    )
