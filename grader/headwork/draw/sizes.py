"""Sizes that hide nothing: every axis has a length of its own."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

from headwork.draw.stream import Stream
from headwork.model import CourseError, Parameters

NUMBERS = ("tenths", "ln2", "ln3")
LIMITS = {"T": (2, 64), "d_model": (2, 128), "d_head": (1, 64), "n_heads": (1, 16)}

# T, d_model, d_head of hand problems, for scores in fifths and for scores in logarithms. All different, and so
# are the square roots that scores may be divided by.
HAND_SIZES = {
    "easy": ((2, 3, 4), (2, 3, 4)),
    "standard": ((3, 5, 2), (3, 5, 4)),
    "hard": ((4, 5, 3), (3, 5, 9)),
}


def check_parameters(parameters: Parameters, *, where: str) -> None:
    """Raise CourseError, naming the key, where a parameter can't be drawn for."""
    for name, (low, high) in LIMITS.items():
        number = getattr(parameters, name)
        if number is not None and not (isinstance(number, int) and low <= number <= high):
            raise CourseError(f"{where}: {name} = {number!r}; wanted a whole number from {low} to {high}")
    if parameters.difficulty not in HAND_SIZES:
        wanted = ", ".join(HAND_SIZES)
        raise CourseError(f"{where}: difficulty = {parameters.difficulty!r}; wanted one of {wanted}")
    if parameters.numbers not in (None, *NUMBERS):
        raise CourseError(f"{where}: numbers = {parameters.numbers!r}; wanted one of {', '.join(NUMBERS)}")
    causal, seed = cast(Any, parameters.causal), cast(Any, parameters.seed)
    if causal is not None and not isinstance(causal, bool):
        raise CourseError(f"{where}: causal = {causal!r}; wanted true or false")
    if seed is not None and not isinstance(seed, int):
        raise CourseError(f"{where}: seed = {seed!r}; wanted a whole number, or leave it out")


def parameters_from(table: dict[str, object], *, where: str) -> Parameters:
    """Parameters from a table of an assignment file; unknown keys are errors with a suggestion."""
    known = [field.name for field in dataclasses.fields(Parameters)]
    for key in table:
        if key not in known:
            import difflib

            near = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
            raise CourseError(f"{where}: unknown parameter {key!r}{hint}")
    parameters = Parameters(**table)  # pyright: ignore[reportArgumentType]  # checked on the next line
    check_parameters(parameters, where=where)
    return parameters


def code_sizes(stream: Stream, parameters: Parameters) -> dict[str, int]:
    """Sizes of a dense draw; the whole part of the root of d_head is never 1. B, T, T_q, T_k, d_model, d_head, n_heads all differ, where the course leaves them free.

    T_q and T_k are for two sequences of different lengths; T is for one.
    """
    d_head = parameters.d_head or stream.choice((5, 6, 7))
    taken = {d_head}

    def free(given: int | None, options: tuple[int, ...]) -> int:
        chosen = given or stream.choice([option for option in options if option not in taken] or options)
        taken.add(chosen)
        return chosen

    n_heads = free(parameters.n_heads, (2, 3))
    batch = free(None, (2, 3, 4))
    T = free(parameters.T, (4, 5, 6, 7, 8))
    other = free(None, (4, 5, 6, 7, 8))
    d_model = free(parameters.d_model, tuple(size for size in (7, 8, 9, 10, 11) if size != n_heads * d_head))
    widths = {"d_model": d_model, "d_head": d_head, "n_heads": n_heads}
    return {"B": batch, "T": T, "T_q": T, "T_k": other, "T_past": other, "T_new": T, **widths}


def hand_sizes(numbers: str, parameters: Parameters) -> dict[str, int]:
    """Sizes of a hand problem: one choice per difficulty, since every variant is to be equally hard."""
    T, d_model, d_head = HAND_SIZES[parameters.difficulty][numbers != "tenths"]
    sizes = {
        "T": parameters.T or T,
        "d_model": parameters.d_model or d_model,
        "d_head": parameters.d_head or d_head,
    }
    return {**sizes, "T_q": sizes["T"], "T_k": sizes["T"]}
