"""Hand-worked stages: one slip costs one stage, and nothing trivial earns a later one."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from headwork.draw.readable import readable_inputs
from headwork.draw.stream import Stream
from headwork.marking.hand import HandPolicy, mark_trace
from headwork.model import Instance, Judgement, Parameters, TracePart, Verdict
from headwork.rooms import load_content
from headwork.stages import downstream, evaluate

CONTENT = load_content()
CHAIN = CONTENT.chains["attention"]
STAGES = ("q", "k", "v", "scores", "scaled", "logits", "weights", "heads")
PART = TracePart(stages=STAGES, points=Fraction(2), decimals=3)
SEEDS = range(6)


def instance_of(seed: int, numbers: str = "tenths") -> Instance:
    for child in range(200):
        drawn = readable_inputs(Stream(f"hand {seed} {child}".encode()), numbers, Parameters())
        if drawn is not None:
            return Instance(chain="attention", values=drawn[0], exact=drawn[1])
    raise AssertionError("no readable numbers")


def typed_text(array: Any, decimals: int = 4) -> str:
    rows = np.asarray(array, dtype=np.float64)
    return "\n".join(" ".join("-inf" if v == -np.inf else f"{v:.{decimals}f}" for v in row) for row in rows)


def worked(instance: Instance, slips: Mapping[str, Any] | None = None) -> dict[str, Any]:
    with np.errstate(all="ignore"):
        return evaluate(CHAIN, instance.values, replaced=dict(slips or {}))


def marked(instance: Instance, typed: Mapping[str, str], **policy: Any) -> dict[str, Judgement]:
    judgements = mark_trace(
        content=CONTENT,
        exercise_slug="trace",
        chain=CHAIN,
        instance=instance,
        part=PART,
        typed=typed,
        policy=HandPolicy(**policy),
    )
    return {judgement.part: judgement for judgement in judgements}


def slipped(stage: str, amount: float) -> dict[str, Any]:
    """A stage with one visible cell off; the right way of working it otherwise."""
    operation = CHAIN.stages[stage]

    def with_slip(values: Mapping[str, Any]) -> Any:
        right = operation.operation.function(*[values[need] for need in operation.needs])
        right = np.array(right, dtype=np.float64)
        right[-1, 0] += amount
        return right

    return {stage: with_slip}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("numbers", ["tenths", "ln2"])
def test_a_right_trace_earns_everything(seed: int, numbers: str) -> None:
    instance = instance_of(seed, numbers)
    values = worked(instance)
    judged = marked(instance, {stage: typed_text(values[stage], 3) for stage in STAGES})
    assert {judgement.verdict for judgement in judged.values()} == {Verdict.RIGHT}
    assert sum(judgement.points for judgement in judged.values()) == 2 * len(STAGES)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("decimals", [3, 6])
def test_one_slip_costs_one_stage(seed: int, stage: str, decimals: int) -> None:
    instance = instance_of(seed)
    amount = 0.05 if stage == "weights" else 0.7
    values = worked(instance, slipped(stage, amount))
    judged = marked(instance, {name: typed_text(values[name], decimals) for name in STAGES}, credit="all")
    lost = {name for name, judgement in judged.items() if judgement.points < judgement.maximum}
    assert lost == {stage}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stage", STAGES)
def test_a_slip_costs_one_stage_when_every_stage_is_worked_from_the_rounded_one(seed: int, stage: str) -> None:
    instance = instance_of(seed)
    values: dict[str, Any] = dict(instance.values)
    replaced = slipped(stage, 0.05 if stage == "weights" else 0.7)
    for name in CHAIN.stages:
        with np.errstate(all="ignore"):
            made = evaluate(CHAIN, values, targets=[name], replaced=replaced)[name]
        values[name] = made if made.dtype == bool else np.round(made, 4)
    judged = marked(instance, {name: typed_text(values[name]) for name in STAGES}, credit="all", early_rounding="full")
    lost = {name for name, judgement in judged.items() if judgement.points < judgement.maximum}
    assert lost == {stage}


@pytest.mark.parametrize("stage", STAGES[:-1])
def test_the_judgement_says_whose_values_were_used(stage: str) -> None:
    instance = instance_of(1)
    values = worked(instance, slipped(stage, 0.05 if stage == "weights" else 0.7))
    judged = marked(instance, {name: typed_text(values[name]) for name in STAGES})
    following = [name for name in downstream(CHAIN, [stage]) if judged[name].verdict is Verdict.FOLLOWS]
    assert following
    assert all(judged[name].follows and "your own" in judged[name].summary for name in following)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("left", ["", "1 2 3 what?", "1 2"])
def test_a_stage_without_a_usable_answer_stops_nothing(stage: str, left: str) -> None:
    instance = instance_of(2)
    values = worked(instance)
    typed = {name: typed_text(values[name]) for name in STAGES} | {stage: left}
    judged = marked(instance, typed)
    assert {name for name, judgement in judged.items() if judgement.verdict is not Verdict.RIGHT} == {stage}


def test_a_later_stage_follows_through_a_blank_one() -> None:
    instance = instance_of(3)
    values = worked(instance, slipped("scores", 0.7))
    typed = {name: typed_text(values[name]) for name in STAGES} | {"scaled": "", "logits": ""}
    judged = marked(instance, typed)
    assert judged["weights"].verdict is Verdict.FOLLOWS
    assert judged["weights"].follows == ("scores",)


def test_half_follow_through_earns_half() -> None:
    instance = instance_of(4)
    values = worked(instance, slipped("scores", 0.7))
    judged = marked(instance, {name: typed_text(values[name]) for name in STAGES}, credit="all", follow_through="half")
    assert judged["scaled"].points == Fraction(1)


def test_no_follow_through_earns_nothing() -> None:
    instance = instance_of(4)
    values = worked(instance, slipped("scores", 0.7))
    judged = marked(instance, {name: typed_text(values[name]) for name in STAGES}, credit="all", follow_through="none")
    assert judged["scaled"].verdict is Verdict.WRONG
    assert judged["scaled"].points == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_zeros_early_on_earn_nothing_later(seed: int) -> None:
    instance = instance_of(seed)
    values = worked(instance, {"scores": lambda known: np.zeros((known["T"], known["T"]))})
    judged = marked(instance, {name: typed_text(values[name]) for name in STAGES}, credit="all")
    assert judged["scaled"].points == judged["weights"].points == 0
    assert "same number over and over" in " ".join(judged["weights"].messages)


# --- rounding -----------------------------------------------------------------------------------


LARGE = {
    "x": np.array([[1.0, 2.0], [3.0, 5.0]]),
    "w_q": np.eye(2),
    "w_k": np.eye(2),
    "w_v": np.diag([1000.0, 4000.0]),
    "d_head": 2,
    "T": 2,
    "causal": False,
}


def rounded_on_the_way(decimals: int) -> dict[str, str]:
    values: dict[str, Any] = dict(LARGE)
    for name in CHAIN.stages:
        made = evaluate(CHAIN, values, targets=[name])[name]
        values[name] = made if made.dtype == bool else np.round(made, decimals)
    return {"heads": typed_text(values["heads"], 3)}


@pytest.mark.parametrize(("policy", "points"), [("full", 2), ("part", 1), ("none", 0)])
def test_rounding_too_early_is_an_outcome_of_its_own(policy: str, points: int) -> None:
    instance = Instance(chain="attention", values=LARGE)
    judged = marked(instance, rounded_on_the_way(3), early_rounding=policy, credit="all")
    assert judged["heads"].points == points
    assert "rounded too early" in judged["heads"].summary


def test_rounding_to_fewer_digits_than_asked_on_the_way_is_wrong() -> None:
    instance = Instance(chain="attention", values=LARGE)
    judged = marked(instance, rounded_on_the_way(1), credit="all", early_rounding="full")
    assert judged["heads"].points == 0


def test_too_few_digits_are_told() -> None:
    instance = instance_of(5)
    values = worked(instance)
    judged = marked(instance, {"weights": typed_text(values["weights"], 2)})
    assert judged["weights"].verdict is Verdict.WRONG
    assert judged["weights"].summary == "weights: too few digits; give at least 3 decimals"


# --- cells, shapes, words -----------------------------------------------------------------------


def test_blank_cells_are_wrong_cells() -> None:
    instance = instance_of(6)
    values = worked(instance)
    text = typed_text(values["heads"]).replace("\n", " \n").split(" ")
    text[0] = "_"
    judged = marked(instance, {"heads": " ".join(text)})
    size = values["heads"].size
    assert judged["heads"].points == Fraction(2) * Fraction(size - 1, size)


@pytest.mark.parametrize(("credit", "share"), [("proportional", "5/6"), ("rows", "2/3"), ("all", "0")])
def test_cells_count_as_declared(credit: str, share: str) -> None:
    instance = Instance(chain="attention", values={"x": [[1.0, 2.0], [0.0, 3.0], [4.0, 1.0]], "w_v": np.eye(2)})
    (judgement,) = mark_trace(
        content=CONTENT,
        exercise_slug="trace",
        chain=CHAIN,
        instance=instance,
        part=TracePart(stages=("v",), points=Fraction(1)),
        typed={"v": "1 2; 0 3; 4 7"},
        policy=HandPolicy(credit=credit),  # type: ignore[arg-type]
    )
    assert judgement.points == Fraction(share)
    assert judgement.shown["cells"] == [["right", "right"], ["right", "right"], ["right", "wrong"]]


def test_a_transposed_square_is_named() -> None:
    instance = instance_of(7)
    values = worked(instance)
    judged = marked(instance, {"scores": typed_text(values["scores"].T)})
    assert judged["scores"].diagnosis is not None
    assert judged["scores"].diagnosis.title == "The matrix is transposed"


def test_a_transposed_shape_is_named() -> None:
    instance = instance_of(8)
    values = worked(instance)
    judged = marked(instance, {"q": typed_text(values["q"].T)})
    assert "transposed" in judged["q"].summary
    assert judged["q"].seen_shape == values["q"].T.shape


def test_two_numbers_are_never_shown_alike() -> None:
    instance = instance_of(1)
    values = worked(instance)
    near = np.array(values["heads"])
    near[0, 0] += 0.0006
    judged = marked(instance, {"heads": typed_text(near)})
    cell = judged["heads"].cell
    assert cell is not None
    assert float(cell.student) != float(cell.reference)


def test_right_values_stay_hidden_until_they_are_released() -> None:
    instance = instance_of(2)
    values = worked(instance)
    judged = marked(instance, {"heads": typed_text(values["heads"] + 1)}, show_reference=False)
    assert "expected" not in " ".join(judged["heads"].messages)
    assert "reference" not in judged["heads"].shown


def test_a_large_negative_number_hides_a_cell_as_well_as_infinity() -> None:
    instance = instance_of(3)
    values = worked(instance)
    text = typed_text(values["logits"]).replace("-inf", "-1e9")
    assert marked(instance, {"logits": text})["logits"].verdict is Verdict.RIGHT


def test_exact_answers_are_right() -> None:
    instance = Instance(
        chain="attention",
        values={"scaled": [[0.8, 0.4]], "visible": [[True, True]]},
        exact={"scaled": [["4/5", "2/5"]]},
    )
    (judgement,) = mark_trace(
        content=CONTENT,
        exercise_slug="trace",
        chain=CHAIN,
        instance=instance,
        part=TracePart(stages=("weights",), points=Fraction(1)),
        typed={"weights": "1/(1+e^(-2/5)), 1/(1+e^(2/5))"},
        policy=HandPolicy(),
    )
    assert judgement.verdict is Verdict.RIGHT
    assert judgement.read_as == {"weights": "[[1/(1 + e^(-2/5)), 1/(1 + e^(2/5))]]"}


# --- the case -----------------------------------------------------------------------------------

CASE = Path(__file__).parent / "cases" / "D05-follow-through"
NAMES = {"a": "scaled", "b": "weights", "c": "heads"}


def case_marks(student: str) -> list[Judgement]:
    given = json.loads((CASE / "instance.json").read_text("utf-8"))
    with open(CASE / "answers.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["student"] == student]
    values = {"q": given["Q"], "k": given["K"], "v": given["V"], "d_head": given["d_k"], "T": 2, "causal": False}
    return list(
        mark_trace(
            content=CONTENT,
            exercise_slug="trace",
            chain=CHAIN,
            instance=Instance(chain="attention", values=values),
            part=TracePart(stages=("scaled", "weights", "heads"), points=Fraction(2), decimals=3),
            typed={NAMES[row["part"]]: row["answer"] for row in rows},
            policy=HandPolicy(credit="all"),
        )
    )


EXPECT = json.loads((CASE / "case.json").read_text("utf-8"))["expect"]


@pytest.mark.parametrize("student", EXPECT["points"])
def test_the_case_is_marked_as_it_says(student: str) -> None:
    judgements = case_marks(student)
    assert [judgement.points for judgement in judgements] == EXPECT["points"][student]
    told = any("your own" in judgement.summary and judgement.follows for judgement in judgements)
    assert told == (student in EXPECT["told_own_values"])


def test_a_full_trace_is_marked_quickly() -> None:
    instance = instance_of(0)
    values = worked(instance, slipped("scores", 0.7))
    typed = {name: typed_text(values[name]) for name in STAGES}
    marked(instance, typed)
    times = []
    for _ in range(9):
        start = time.process_time()
        marked(instance, typed)
        times.append(time.process_time() - start)
    assert sorted(times)[4] < 0.06  # 15 ms on one free core
