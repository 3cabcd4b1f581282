"""Sentences about outcomes: where, what was seen, what was wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from headwork.marking.compare import Comparison
from headwork.marking.plan import Check, PartPlan
from headwork.model import Cell, Killed, Missing, NotRun, Outcome, Raised, Returned, TimedOut, Unusable


def title_of(plan: PartPlan) -> str:
    """The name that stands before every sentence about a part."""
    return plan.function


def axes_of(check: Check) -> tuple[str, ...]:
    """Names of the axes of what a check asks for; leading axes by their place where the chain does not name them."""
    names = check.chain.axes.get(check.target, "").split()
    missing = check.reference.ndim - len(names)
    if missing < 0:
        # Own numbers have no batch axis: the last names are the ones that count.
        return tuple(names[-check.reference.ndim :]) if check.reference.ndim else ()
    return (*(f"axis {i}" for i in range(missing)), *names)


def axes_text(shape: tuple[int, ...]) -> str:
    """A bare shape in words."""
    return "a single number" if not shape else f"({', '.join(map(str, shape))})"


def shape_text(check: Check, shape: tuple[int, ...]) -> str:
    """A shape with the names of its axes: (B=2, n_heads=3, T=5)."""
    return "(" + ", ".join(f"{name}={size}" for name, size in zip(axes_of(check), shape, strict=True)) + ")"


def index_text(check: Check, index: tuple[int, ...]) -> str:
    """Where a cell is: "b=0 head=1 t=3 s=1"."""
    short = {"B": "b", "n_heads": "head", "T": "t", "T_q": "t", "T_k": "s", "d_head": "feature", "d_model": "feature"}
    names: list[str] = []
    for axis in axes_of(check):
        name = short.get(axis, "feature" if "d_" in axis else axis)
        names.append("s" if name in names and name == "t" else name)
    return " ".join(f"{name}={at}" for name, at in zip(names, index, strict=True))


def figure(number: float, beside: float | None = None) -> str:
    """Four digits, or as many more as it takes to tell it from ``beside``."""
    for digits in range(4, 18):
        text = f"{number:.{digits}g}"
        if beside is None or text != f"{beside:.{digits}g}":
            return text
    return repr(number)


def cell_of(check: Check, student: Any, comparison: Comparison, *, released: bool) -> Cell | None:
    """The worst cell. Numbers only where the inputs are the student's own and the right ones give no hand answer away."""
    if comparison.worst is None or student is None:
        return None
    wanted, seen = float(check.reference[comparison.worst]), float(student[comparison.worst])
    where = index_text(check, comparison.worst)
    if not check.own:
        return Cell(where=where, student="", reference="")
    if check.by_hand and not released:
        return Cell(where=where, student=figure(seen), reference="")
    return Cell(where=where, student=figure(seen, wanted), reference=figure(wanted, seen))


def sentence_for(check: Check, outcome: Outcome, comparison: Comparison | None) -> str:
    """What happened, without a number of a hidden draw and without text that the student's code chose."""
    match outcome:
        case Returned():
            return _values_sentence(check, comparison)
        case Raised(exception=name, line=line):
            at = f" in line {line}" if line else ""
            # The class name is the student's to choose; it is escaped where it is shown.
            return f"it raised {name[:60]}{at}{_on(check)}"
        case Unusable(seen=seen):
            return f"numbers expected, got {seen}"
        case TimedOut(seconds=seconds):
            return f"it ran longer than {seconds:g} s{_on(check)} and was stopped"
        case Killed(reason=reason):
            return f"it ended the run ({reason}){_on(check)}"
        case Missing(reason=reason):
            return reason
        case NotRun():
            return "it was not run, since a value it needs did not come back"


def _values_sentence(check: Check, comparison: Comparison | None) -> str:
    kind = comparison.kind if comparison else "values"
    if kind == "shape":
        return "wrong shape"
    if kind == "finite":
        return f"not finite where it should be, or finite where it should not{_on(check)}; the shape is right"
    if kind == "numbers":
        return "not real numbers"
    return f"wrong values{_on(check)}; the shape is right {shape_text(check, check.reference.shape)}"


def _on(check: Check) -> str:
    if check.own:
        return " on your own numbers"
    return {"values": "", "without causal": " without causal", "large scores": " on far-off scores (hundreds)"}[
        check.aspect
    ]


def is_trivial(value: Any) -> bool:
    """A value that makes every later stage easy: not finite, or the same number everywhere."""
    array = np.asarray(value, np.float64)
    finite = array[np.isfinite(array)]
    return finite.size == 0 or bool(np.ptp(finite) <= 1e-12)
