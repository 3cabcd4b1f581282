"""``test_public.py``: the checks a student runs, with numbers of their own and nothing of ours installed."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.handout.asked import AskedFunction, asked_functions
from headwork.handout.public_numbers import OTHER_SIZES, SIZES, literal, public_inputs, shown, shown_stages
from headwork.model import Chain, Exercise, Stage
from headwork.pages.environment import environment
from headwork.rooms import Content
from headwork.stages import evaluate

_LARGE = 300
_LARGE_X = 30
_LOOSE = 2e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One test function: its name, what it claims, and its statements."""

    name: str
    claim: str
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """One dictionary of the file: its name and entries, as source."""

    name: str
    sizes: Mapping[str, int]
    entries: Mapping[str, Any]


def public_test_py(exercises: Sequence[Exercise], content: Content) -> str:
    """The source of ``test_public.py``: per function the shape, the values and the laws it keeps."""
    functions = asked_functions(content, exercises)
    numbers: dict[str, dict[str, Any]] = {}
    checks: dict[str, list[Check]] = {}
    for asked in functions:
        made = checks.setdefault(asked.name, [])
        for slug in asked.chains:
            chain = content.chains[slug]
            if asked.target is None:
                made += _operation_checks(asked, chain, numbers, first=slug == asked.chains[0])
            else:
                made += _composed_checks(asked, chain, asked.target, numbers)
    template = environment(content).get_template("test_public.py.j2")
    return template.render(
        functions=functions,
        checks=checks,
        numbers={name: {key: _indented(value) for key, value in entries.items()} for name, entries in numbers.items()},
    )


def _indented(value: Any) -> str:
    return textwrap.indent(literal(value), "    ").lstrip()


# --- operations -------------------------------------------------------------------------------


def _operation_checks(
    asked: AskedFunction, chain: Chain, numbers: dict[str, dict[str, Any]], *, first: bool
) -> list[Check]:
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


def _table(
    numbers: dict[str, dict[str, Any]], table: str, chain: Chain, stage: Stage, sizes: Mapping[str, int]
) -> dict[str, Any]:
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
    result = np.asarray(values[stage.name])
    if result.dtype == bool or result.ndim < 2 or (result < 0).any() or abs(result.sum(axis=-1) - 1).max() > 1e-4:
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
                    f'same("{asked.name}", seen, expected, axes="{stage.axes}", sizes={table}, tolerance={_LOOSE})',
                ),
            )
        )
    return checks


# --- composed functions -----------------------------------------------------------------------


def _composed_checks(
    asked: AskedFunction, chain: Chain, target: str, numbers: dict[str, dict[str, Any]]
) -> list[Check]:
    table = chain.slug.upper()
    names = [parameter.name for parameter in asked.parameters]
    axes = chain.stages[target].axes
    checks: list[Check] = []
    for prefix, sizes, claim in (
        ("", SIZES, " ".join(asked.contract.split("\n\n")[0].split())),
        ("OTHER_", OTHER_SIZES, "Other sizes work as well."),
    ):
        values = public_inputs(chain, sizes=sizes)
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
    values = public_inputs(chain, sizes=SIZES)
    axes = chain.stages[target].axes
    causal = True if "causal" in names else None
    checks: list[Check] = []
    large = evaluate(chain, {**values, "x": values["x"] * _LARGE_X}, targets=[target])[target]
    if np.isfinite(large).all():
        arguments = [
            text + (f" * {_LARGE_X}" if name == "x" else "")
            for name, text in zip(names, _composed_arguments(names, table, causal), strict=True)
        ]
        checks.append(
            Check(
                name=f"test_{asked.name}_of_large_values",
                claim="Scores in the hundreds do not overflow.",
                body=(
                    f'seen = run("{asked.name}", {", ".join(arguments)})',
                    f"expected = {literal(shown(large))}",
                    f'same("{asked.name}", seen, expected, axes="{axes}", sizes={table}, tolerance={_LOOSE})',
                ),
            )
        )
    if "causal" in names and "T" in axes.split():
        checks.append(_past_check(asked, chain, target, table, names, axes.split().index("T")))
    return checks


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
