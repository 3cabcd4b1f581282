"""Causes that only further runs tell: state, chance, the future, other prompts. Tried where nothing else was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from headwork.marking.compare import is_close
from headwork.marking.diagnose_behaviour import Runs, diagnose_behaviour
from headwork.marking.plan import VALUES, Check, PartPlan, Plan
from headwork.model import Call, ComposePart, Diagnosis, Judgement, Limits, Outcome, Returned, Run, Verdict
from headwork.sandbox import Runner


def with_behaviour(
    judgements: Sequence[Judgement], plan: Plan, run: Run, cells: Sequence[str], runner: Runner, limits: Limits
) -> list[Judgement]:
    """The judgements; wrong code gets the cause that its behaviour shows, where it is unsteady or nothing was found.

    One more job is run for all of them together. Its values earn nothing and are shown nowhere.
    """
    # A stage that is worked by hand has the name of the function beside it.
    parts = {(part.exercise.slug, part.function, part.kind): part for part in plan.parts}
    trials = [
        trial
        for one in judgements
        if one.verdict is Verdict.WRONG and (part := parts.get((one.exercise, one.part, one.kind))) is not None
        if (trial := _trial(part, run, puzzling=one.diagnosis is None)) is not None
    ]
    if not trials:
        return list(judgements)
    outcomes = runner.run(cells, [call for trial in trials for call in trial.calls], limits).outcomes
    found: dict[tuple[str, str, str], Diagnosis] = {}
    at = 0
    for trial in trials:
        cause = diagnose_behaviour(trial.runs(outcomes[at : at + len(trial.calls)]))
        at += len(trial.calls)
        if cause is not None:
            found[trial.part.exercise.slug, trial.part.function, trial.part.kind] = cause
    return [
        replace(one, diagnosis=found[key]) if (key := (one.exercise, one.part, one.kind)) in found else one
        for one in judgements
    ]


def _trial(part: PartPlan, run: Run, *, puzzling: bool) -> _Trial | _Unsteady | None:
    first, again = (_value(run.outcomes[check.call]) for check in part.repeated)
    if first is not None and again is not None and not is_close(first, again):
        return _Unsteady(part, first, again)
    return _Trial(part) if puzzling else None


class _Unsteady:
    """The same call in another process, for a function that gave two things for one input."""

    def __init__(self, part: PartPlan, first: Any, again: Any) -> None:
        self.part = part
        check = part.repeated[0]
        self.calls = [_call_of(part, check.values, check)]
        self._first, self._again = first, again

    def runs(self, outcomes: Sequence[Outcome]) -> Runs:
        """What the calls gave."""
        return Runs(first=self._first, again=self._again, fresh=_value(outcomes[0]))


def _names(part: PartPlan, check: Check) -> tuple[str, ...]:
    """The values that the function is called with, by their names in the chain."""
    return part.part.arguments if isinstance(part.part, ComposePart) else check.chain.stages[check.target].needs


def _call_of(part: PartPlan, values: Mapping[str, Any], check: Check) -> Call:
    arguments = tuple(values[name] for name in _names(part, check))
    return Call(function=part.function, arguments=arguments, expected_bytes=int(check.reference.nbytes))


class _Trial:
    """The further calls for one part, on the inputs of a hidden check."""

    def __init__(self, part: PartPlan) -> None:
        self.part = part
        self.check = next(check for check in part.checks if check.aspect == VALUES and not check.own)
        stage = self.check.chain.stages[self.check.target]
        self.names = _names(part, self.check)
        self.parameters = part.part.arguments if isinstance(part.part, ComposePart) else stage.operation.needs
        self.calls = [_call_of(part, self.check.values, self.check)] * 2
        self.changed_from = int(self.check.values.get("T", 0)) // 2
        self._later = self._add(self._later_changed()) if isinstance(part.part, ComposePart) else None
        self._alone = [self._add(values) for values in self._prompts()]

    def _add(self, values: Mapping[str, Any] | None) -> int | None:
        if values is None:
            return None
        self.calls.append(_call_of(self.part, values, self.check))
        return len(self.calls) - 1

    def _later_changed(self) -> Mapping[str, Any] | None:
        """x with other features from the middle on; None where position order has no meaning."""
        values = self.check.values
        if "causal" not in self.names or "x" not in self.names or not self.changed_from:
            return None
        x = values["x"].copy()
        x[..., self.changed_from :, :] += 1.0
        return {**values, "x": x}

    def _prompts(self) -> list[Mapping[str, Any]]:
        """Every prompt of the batch alone; nothing where no argument has a batch axis."""
        values, axes = self.check.values, self.check.chain.axes
        batched = [name for name in self.names if axes.get(name, "").split()[:1] == ["B"]]
        if not batched or axes.get(self.check.target, "").split()[:1] != ["B"]:
            return []
        sizes = len(values[batched[0]])
        return [{**values, **{name: values[name][b : b + 1] for name in batched}} for b in range(sizes)]

    def runs(self, outcomes: Sequence[Outcome]) -> Runs:
        """What the calls gave."""
        value: Callable[[int | None], Any] = lambda at: _value(outcomes[at]) if at is not None else None  # noqa: E731
        alone: list[Any] = [value(at) for at in self._alone]
        first = outcomes[0]
        changed = first.changed_arguments if isinstance(first, Returned) else ()
        together = all(one is not None for one in alone) and len({np.shape(one) for one in alone}) == 1
        return Runs(
            changed_arguments=tuple(self.parameters[at] for at in changed),
            first=value(0),
            again=value(1),
            later_changed=value(self._later),
            changed_from=self.changed_from,
            alone=np.concatenate(alone) if alone and together and np.ndim(alone[0]) else None,
        )


def _value(outcome: Outcome) -> Any:
    return outcome.value if isinstance(outcome, Returned) else None
