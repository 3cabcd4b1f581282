"""Checks of single operations: shape and values, leading axes, other sizes, and the laws of shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from headwork.handout.asked import AskedFunction
from headwork.handout.public_check import LOOSE, Check, Tables, rows_are_shares
from headwork.handout.public_numbers import OTHER_SIZES, SIZES, literal, public_inputs, shown, shown_stages
from headwork.model import Chain, Stage

_LARGE = 300


def operation_checks(asked: AskedFunction, chain: Chain, numbers: Tables, *, first: bool) -> list[Check]:
    """The checks of one operation in one chain, all of them in the ``first``; its values go into ``numbers``."""
    stage = next(found for found in chain.stages.values() if found.operation.name == asked.name)
    table = chain.slug.upper()
    values = _table(numbers, table, chain, stage, SIZES)
    if not first:
        return [_values_check(asked, stage, table, f"{asked.name}_in_{chain.slug}")]
    other = f"OTHER_{table}"
    _table(numbers, other, chain, stage, OTHER_SIZES)
    checks: list[Check] = []
    lead = _lead(asked, stage, values)
    if lead:
        checks.append(_values_check(asked, stage, table, asked.name, lead=lead))
        claim = "Leading axes are computed side by side."
        checks.append(_values_check(asked, stage, table, f"{asked.name}_with_leading_axes", claim=claim))
    else:
        checks.append(_values_check(asked, stage, table, asked.name))
    if "causal" in stage.needs:
        checks.append(_switched_check(asked, stage, table, values))
    claim = "Other sizes work as well."
    checks.append(_values_check(asked, stage, other, f"{asked.name}_with_other_sizes", claim=claim))
    return checks + _row_checks(asked, stage, table, values)


def _table(numbers: Tables, table: str, chain: Chain, stage: Stage, sizes: Mapping[str, int]) -> dict[str, Any]:
    """All values of the chain up to ``stage``; the inputs and result of ``stage`` go into the file."""
    values = shown_stages(chain, public_inputs(chain, sizes=sizes), (stage.name,))
    entries = numbers.setdefault(table, {})
    entries.update({name: values[name] for name in sizes if name in chain.sources or name in _axes_of(chain, stage)})
    entries.update({name: values[name] for name in (*stage.needs, stage.name)})
    return values


def _axes_of(chain: Chain, stage: Stage) -> set[str]:
    patterns = [stage.axes, *(chain.axes.get(need, "") for need in stage.needs)]
    return {size for pattern in patterns for axis in pattern.split() for size in axis.split("*")}


def _lead(asked: AskedFunction, stage: Stage, values: Mapping[str, Any]) -> int:
    """How many leading axes the stage's value has beyond the pattern of the function."""
    if "..." not in asked.axes:
        return 0
    return np.ndim(values[stage.name]) - (len(asked.axes.split()) - 1)


def _arguments(asked: AskedFunction, stage: Stage, table: str, lead: int) -> list[str]:
    cut = f"[{', '.join('0' * lead)}]" if lead else ""
    return [
        f'{table}["{need}"]' + (cut if "..." in parameter.axes else "")
        for parameter, need in zip(asked.parameters, stage.needs, strict=True)
    ]


def _values_check(
    asked: AskedFunction, stage: Stage, table: str, name: str, *, lead: int = 0, claim: str = ""
) -> Check:
    cut = f"[{', '.join('0' * lead)}]" if lead else ""
    axes = asked.axes.replace("...", "").strip() if lead else stage.axes
    return Check(
        name=f"test_{name}",
        claim=claim or " ".join(asked.contract.split("\n\n")[0].split()),
        body=(
            f'seen = run("{asked.name}", {", ".join(_arguments(asked, stage, table, lead))})',
            f'same("{asked.name}", seen, {table}["{stage.name}"]{cut}, axes="{axes}", sizes={table})',
        ),
    )


def _switched_check(asked: AskedFunction, stage: Stage, table: str, values: Mapping[str, Any]) -> Check:
    arguments = [
        "False" if need == "causal" else text
        for need, text in zip(stage.needs, _arguments(asked, stage, table, 0), strict=True)
    ]
    wanted = stage.operation.function(*[False if need == "causal" else values[need] for need in stage.needs])
    return Check(
        name=f"test_{asked.name}_without_causal",
        claim="Without causal nothing is hidden.",
        body=(
            f'seen = run("{asked.name}", {", ".join(arguments)})',
            f"expected = {literal(shown(wanted))}",
            f'same("{asked.name}", seen, expected, axes="{stage.axes}", sizes={table})',
        ),
    )


def _row_checks(asked: AskedFunction, stage: Stage, table: str, values: Mapping[str, Any]) -> list[Check]:
    """Laws of a result whose rows are shares: they sum to one, hidden entries get nothing, and nothing overflows."""
    if not rows_are_shares(values[stage.name]):
        return []
    arguments = ", ".join(_arguments(asked, stage, table, 0))
    checks = [
        Check(
            name=f"test_{asked.name}_rows_sum_to_one",
            claim="Every row is at least 0 and sums to 1.",
            body=(f'rows_sum_to_one("{asked.name}", run("{asked.name}", {arguments}), axes="{stage.axes}")',),
        )
    ]
    hiding = [need for need in stage.needs if np.isneginf(np.asarray(values[need], dtype=np.float64)).any()]
    if hiding:
        checks.append(
            Check(
                name=f"test_{asked.name}_of_hidden_entries_are_zero",
                claim="Where the logits are minus infinity the weight is exactly 0.",
                body=(
                    f"hidden = np.isneginf({table}[{hiding[0]!r}])".replace("'", '"'),
                    f'nothing_at("{asked.name}", run("{asked.name}", {arguments}), hidden, axes="{stage.axes}")',
                ),
            )
        )
    if len(stage.needs) == 1:
        need = stage.needs[0]
        wanted = stage.operation.function(values[need] * _LARGE)
        checks.append(
            Check(
                name=f"test_{asked.name}_of_large_values",
                claim="Values in the hundreds and thousands do not overflow.",
                body=(
                    f'seen = run("{asked.name}", {table}["{need}"] * {_LARGE})',
                    f"expected = {literal(shown(wanted))}",
                    f'same("{asked.name}", seen, expected, axes="{stage.axes}", sizes={table}, tolerance={LOOSE})',
                ),
            )
        )
    return checks
