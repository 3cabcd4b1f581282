"""Reports made by hand for tests of pages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from headwork.model import Cell, Diagnosis, Judgement, Report, Status, Verdict

ATTACK = (
    '</title><script>alert("x")</script><img src=//evil.example/a onerror=alert(1)>{{ 7*7 }} \u202eevil\u202c \x1b[31m'
)

NOT_SCALED = Diagnosis(
    kind="mistake",
    title="Divided by d_head instead of its square root",
    mistakes=("scaled/divided-by-d-head",),
    why="The spread of a dot product grows with the root of its length.",
    look="Look at the denominator.",
    hint="How does the spread grow?",
)


def judged(part: str, verdict: Verdict, points: str, maximum: str = "1", **rest: Any) -> Judgement:
    given: dict[str, Any] = {"exercise": "scale", "kind": "code", "summary": f"{part}: {verdict.value}", **rest}
    return Judgement(part=part, verdict=verdict, points=Fraction(points), maximum=Fraction(maximum), **given)


def report_of(*judgements: Judgement, student: str = "ada", status: Status = Status.GRADED, **rest: Any) -> Report:
    return Report(
        assignment="hw1",
        student=student,
        status=status,
        judgements=judgements,
        total=sum((judgement.points for judgement in judgements), Fraction(0)),
        maximum=sum((judgement.maximum for judgement in judgements), Fraction(0)),
        **rest,
    )


MIXED = report_of(
    judged("project", Verdict.RIGHT, "1", exercise="project", axes="B T d_head", wanted_shape=(2, 5, 3)),
    judged("multi_head_attention", Verdict.FOLLOWS, "2", "2", exercise="multi-head-attention", follows=("scaled",)),
    judged("logits", Verdict.NOT_RUN, "0", exercise="causal-mask"),
    judged(
        "scaled",
        Verdict.WRONG,
        "1/3",
        summary="scaled: wrong values; the shape is right (B=2, T=5)",
        axes="B T T",
        seen_shape=(2, 5, 4),
        wanted_shape=(2, 5, 5),
        cell=Cell(where="b=0 t=3 s=1", student="-4.313", reference="-2.49"),
        diagnosis=NOT_SCALED,
        messages=("It is right without causal.",),
    ),
    judged(
        "scaled",
        Verdict.WRONG,
        "1/2",
        kind="hand",
        axes="B T T",
        shown={
            "student": [["0.8", "-inf"], ["0.41", "1/3"]],
            "reference": [["0.8", "-inf"], ["0.4", "0.333"]],
            "cells": [["right", "right"], ["rounded early", "right"]],
        },
        read_as={"scaled": "[[0.8, -inf], [0.41, 1/3]]"},
    ),
    messages=("input() was called.",),
    notices=("for staff only",),
)

HOSTILE = report_of(
    judged(
        ATTACK,
        Verdict.CRASHED,
        "0",
        exercise=ATTACK,
        kind=ATTACK,
        summary=f"{ATTACK}: it raised {ATTACK}",
        messages=(ATTACK,),
        axes=ATTACK,
        seen_shape=(1, 2),
        wanted_shape=(2, 1),
        cell=Cell(where=ATTACK, student=ATTACK, reference=ATTACK),
        diagnosis=Diagnosis(kind="mistake", title=ATTACK, why=ATTACK, look=ATTACK, hint=ATTACK, mistakes=(ATTACK,)),
        follows=(ATTACK,),
        shown={"student": [[ATTACK, "1"]], "cells": [[ATTACK, ATTACK]]},
        read_as={ATTACK: ATTACK},
    ),
    judged("derive", Verdict.WRONG, "0", kind="derive", shown={"reference": ATTACK}),
    student=f"=1+1{ATTACK}",
    status=Status.GRADED_WITH_NOTICE,
    messages=(ATTACK,),
    notices=(ATTACK,),
    reason=ATTACK,
)
