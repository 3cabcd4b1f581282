"""Wrong values are named by their cause, and right ones by none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from diagnosed import drawn, observed, same_effect, wrong_answer
from headwork.marking.diagnose import diagnose
from headwork.marking.diagnose_behaviour import Runs, diagnose_behaviour
from headwork.marking.diagnose_candidates import candidates, carried, steps_of
from headwork.marking.diagnose_side_by_side import ends_of, ways_to
from headwork.mistakes import applicable, applied, needs_large_scores, shows_on
from headwork.model import Chain, Diagnosis, Mistake
from headwork.rooms import load_content
from headwork.stages import evaluate, upstream

CONTENT = load_content()
MULTI_HEAD = CONTENT.chains["multi_head"]
# Smaller numbers of draws than in bench/diagnosis.py, which prints the full figures.
ENDS = {
    "attention": "heads",
    "multi_head": "out",
    "stacked_heads": "out",
    "cross": "heads",
    "decoding": "heads",
    "gradients": "d_x",
}


def mistake(slug: str) -> Mistake:
    return CONTENT.mistakes[slug]


def on_the_way(chain: Chain, target: str, values: dict[str, Any]) -> list[Mistake]:
    way = set(upstream(chain, [target]))
    return [
        one
        for one in CONTENT.mistakes_of(chain)
        if applicable(chain, one)
        and way & set(applied(chain, one))
        and shows_on(one, values)
        and not needs_large_scores(one)
    ]


def named(target: str, student: Any, *, seed: int = 1, **more: Any) -> Diagnosis | None:
    """What is said about an array in the place of a stage of multi-head attention."""
    return diagnose(CONTENT, [observed(MULTI_HEAD, target, drawn(MULTI_HEAD, seed), student, **more)])


@pytest.mark.parametrize("slug", CONTENT.chains)
def test_a_mistake_in_one_operation_is_named(slug: str):
    chain, right, wrong = CONTENT.chains[slug], 0, list[str]()
    values = drawn(chain, 1)
    for stage in chain.stages.values():
        reach = frozenset(stage.needs)
        for one in CONTENT.mistakes_of(chain):
            if not applicable(chain, one, reach, stage=stage.name) or not shows_on(one, values):
                continue
            answer = wrong_answer(chain, values, (one,), stage.name, only=stage.name)
            if answer is None:
                continue
            found = diagnose(CONTENT, [observed(chain, stage.name, values, answer, in_reach=reach)])
            if found and same_effect(CONTENT, chain, found, (one,), stage.name, 1, only=stage.name):
                right += 1
            else:
                wrong.append(f"{stage.name} {one.slug} -> {found and found.title}")
    assert right >= 0.98 * (right + len(wrong)), wrong


@pytest.mark.parametrize("slug", ENDS)
def test_a_mistake_in_a_composed_function_is_named(slug: str):
    chain, target, right, wrong = CONTENT.chains[slug], ENDS[slug], 0, list[str]()
    values = drawn(chain, 2)
    for one in on_the_way(chain, target, values)[::3]:
        answer = wrong_answer(chain, values, (one,), target)
        if answer is None:
            continue
        found = diagnose(CONTENT, [observed(chain, target, values, answer)])
        if found and same_effect(CONTENT, chain, found, (one,), target, 2):
            right += 1
        else:
            wrong.append(f"{one.slug} -> {found and found.title}")
    assert right >= 0.97 * (right + len(wrong)), wrong


@pytest.mark.parametrize("slug", ENDS)
def test_two_mistakes_at_different_stages_are_named(slug: str):
    chain, target, right, wrong = CONTENT.chains[slug], ENDS[slug], 0, list[str]()
    choose = np.random.default_rng(3)  # noqa: TID251 - any fixed choice does
    values = drawn(chain, 3)
    able = on_the_way(chain, target, values)
    while right + len(wrong) < 8:
        one, other = (able[place] for place in choose.choice(len(able), 2, replace=False))
        if set(applied(chain, one)) & set(applied(chain, other)):
            continue
        answer = wrong_answer(chain, values, (one, other), target)
        if answer is None or np.isfinite(answer).sum() < 6:
            continue
        found = diagnose(CONTENT, [observed(chain, target, values, answer)])
        if found and same_effect(CONTENT, chain, found, (one, other), target, 3):
            right += 1
        else:
            wrong.append(f"{one.slug} and {other.slug} -> {found and found.title}")
    assert right >= 0.85 * (right + len(wrong)) - 1, wrong


@pytest.mark.parametrize("slug", ENDS)
@np.errstate(all="ignore")
def test_values_side_by_side_end_as_each_does_alone(slug: str):
    chain, target = CONTENT.chains[slug], ENDS[slug]
    observation = observed(chain, target, drawn(chain, 5), None)
    tried = [
        carried(steps_of(observation), observation.values, one.replaced) for one in candidates(CONTENT, observation)
    ]
    bases = [known for known in tried if known is not None]
    for stage, way in ways_to(chain, target).items():
        right = np.asarray(observation.values[stage])
        fitting = [
            known
            for known in bases
            if np.shape(known[stage]) == right.shape
            and all(np.shape(known[name]) == np.shape(value) for name, value in observation.values.items())
        ]
        # Each base goes on with the stage as another one has it.
        made = [np.asarray(known[stage]) for known in (*fitting[1:], *fitting[:1])]
        ends = ends_of(fitting, stage, made, way.steps, target)
        for known, value, end in zip(fitting, made, ends, strict=True):
            alone = evaluate(chain, {name: known[name] for name in known if name not in way.names} | {stage: value})
            assert end is not None
            np.testing.assert_allclose(end, alone[target], rtol=1e-12, err_msg=stage)


@pytest.mark.parametrize("slug", ENDS)
def test_nothing_is_named_in_right_answers(slug: str):
    chain, values = CONTENT.chains[slug], drawn(CONTENT.chains[slug], 4)
    for stage in chain.stages.values():
        answers = [
            values[stage.name],
            np.asarray(values[stage.name], np.float32),
            np.asarray(values[stage.name]).tolist(),
        ]
        for answer in answers:
            assert diagnose(CONTENT, [observed(chain, stage.name, values, answer)]) is None


def test_a_mistake_has_to_explain_the_right_values_too():
    causal, free = drawn(MULTI_HEAD, 1), drawn(MULTI_HEAD, 1, causal=False)
    student = wrong_answer(MULTI_HEAD, causal, (mistake("visible/everything-visible"),), "out")
    reach = frozenset({"T", "causal"})
    answer = wrong_answer(MULTI_HEAD, causal, (mistake("visible/causal-always"),), "visible", only="visible")
    assert student is not None
    found = diagnose(
        CONTENT,
        [
            observed(MULTI_HEAD, "visible", causal, answer, in_reach=reach),
            observed(MULTI_HEAD, "visible", free, answer, in_reach=reach),
        ],
    )
    assert found is not None
    assert found.mistakes == ("visible/causal-always",)


def test_a_finite_fill_does_not_hide_a_row_that_sees_nothing():
    values = drawn(MULTI_HEAD, 1)
    strict = np.tri(values["T"], k=-1, dtype=bool)
    replaced = {"visible": lambda known: strict, "logits": lambda known: np.where(strict, known["scaled"], -1e9)}
    inputs = {name: values[name] for name in MULTI_HEAD.sources}
    found = named("out", evaluate(MULTI_HEAD, inputs, replaced=replaced)["out"])
    assert found is not None
    assert found.mistakes == ("visible/own-position-hidden",)


def test_a_mistake_on_top_of_an_earlier_one_is_named():
    values = drawn(MULTI_HEAD, 1)
    own = dict(values)
    own["scaled"] = values["scores"] / values["d_head"]
    own = evaluate(
        MULTI_HEAD,
        {name: value for name, value in own.items() if name in (*MULTI_HEAD.sources, "scaled", "visible", "d_head")},
        targets=["weights"],
    )
    student = applied(MULTI_HEAD, mistake("weights/powers-of-two"))["weights"](own)
    found = diagnose(CONTENT, [observed(MULTI_HEAD, "weights", own, student)])
    assert found is not None
    assert found.mistakes == ("weights/powers-of-two",)


def test_overflow_is_named_where_ordinary_scores_are_right():
    ordinary, large = drawn(MULTI_HEAD, 1), drawn(MULTI_HEAD, 1, large=True)
    reach = frozenset({"logits"})
    with np.errstate(all="ignore"):
        answer = applied(MULTI_HEAD, mistake("weights/maximum-not-subtracted"))["weights"](large)
    found = diagnose(
        CONTENT,
        [
            observed(MULTI_HEAD, "weights", ordinary, ordinary["weights"], in_reach=reach),
            observed(MULTI_HEAD, "weights", large, answer, in_reach=reach, large=True),
        ],
    )
    assert found is not None
    assert found.mistakes == ("weights/maximum-not-subtracted",)


def test_a_failure_with_large_scores_only_is_said_to_be_one():
    ordinary, large = drawn(MULTI_HEAD, 1), drawn(MULTI_HEAD, 1, large=True)
    student = np.full_like(large["out"], np.nan)
    student[0] = large["out"][0]
    found = diagnose(
        CONTENT,
        [
            observed(MULTI_HEAD, "out", ordinary, ordinary["out"]),
            observed(MULTI_HEAD, "out", large, student, large=True),
        ],
    )
    assert found is not None
    assert found.kind == "behaviour"
    assert "only when scores are in the hundreds" in found.title


def out() -> Any:
    return drawn(MULTI_HEAD, 1)["out"]


def other_row(student: Any) -> Any:
    student = student.copy()
    student[:, 2] += np.arange(student.shape[-1])
    return student


def broken_row(student: Any) -> Any:
    student = student.copy()
    student[:, 0] = np.nan
    return student


RELATIONS = {
    "Turned the sign round in every cell": lambda right: -right,
    "Gave 2.449 times the right value in every cell, which is sqrt(d_head) for d_head = 6": lambda right: (
        right * np.sqrt(6)
    ),
    "Gave 1.3 times the right value in every cell": lambda right: right * 1.3,
    "Gave the right numbers with the axes (B, d_model, T) instead of (B, T, d_model)": lambda right: right.swapaxes(
        1, 2
    ),
    "Shifted the positions by 1": lambda right: np.roll(right, 1, axis=1),
    "Put the features in reverse order": lambda right: right[..., ::-1],
    "Got every position right except position 2": other_row,
    "Gave values that are NaN at position 0 only": broken_row,
    "Rounded the result to 2 decimals": lambda right: right.round(2),
    "Kept only about three digits": lambda right: right.astype(np.float16),
    "Gave every prompt the same values": lambda right: np.repeat(right.mean(0, keepdims=True), len(right), axis=0),
    "Added the same number in every cell": lambda right: right + 0.25,
}


@pytest.mark.parametrize("title", RELATIONS)
def test_a_relation_is_told(title: str):
    found = named("out", RELATIONS[title](out()))
    assert found is not None
    assert found.title == title
    assert found.kind in ("relation", "shape")


def test_one_wrong_cell_is_left_to_the_caller():
    student = out()
    student[1, 2, 1] += 1
    assert named("out", student) is None


def test_unrelated_numbers_are_not_named():
    rng = np.random.default_rng(0)  # noqa: TID251 - any numbers do
    assert named("out", rng.normal(size=out().shape)) is None


SHAPES = {
    "Gave (B, T, n_heads, d_head) where (B, T, n_heads*d_head) was asked: the heads are not joined": (
        "concat", ("B", "T", "n_heads", "d_head"),
    ),
    "Gave (B, n_heads, d_head, T) where (B, n_heads, T, d_head) was asked: T and d_head are swapped": (
        "q_heads", ("B", "n_heads", "d_head", "T"),
    ),
    "Gave (B, T) where (B, T, d_model) was asked: the axis d_model is gone": ("out", ("B", "T")),
    "Gave (B, T, n_heads*d_head) where (B, T, d_model) was asked: the axis d_model has the length of n_heads*d_head": (
        "out", ("B", "T", "n_heads*d_head"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", SHAPES)
def test_a_wrong_shape_is_told_by_the_names_of_its_axes(title: str):
    target, axes = SHAPES[title]
    values = drawn(MULTI_HEAD, 1)
    lengths = {**values, "n_heads*d_head": values["n_heads"] * values["d_head"]}
    found = named(
        target, np.zeros([lengths[axis] for axis in axes]), in_reach=frozenset(MULTI_HEAD.stages[target].needs)
    )
    assert found is not None
    assert found.title == title


def by_hand(target: str, student: Any, values: dict[str, Any], decimals: int = 3) -> Diagnosis | None:
    tolerance = 0.5 * 10.0**-decimals
    return diagnose(CONTENT, [observed(CONTENT.chains["attention"], target, values, student, tolerance=tolerance)])


def one_prompt(seed: int = 2) -> dict[str, Any]:
    chain = CONTENT.chains["attention"]
    values = drawn(chain, seed)
    return evaluate(chain, {**{name: values[name] for name in (*chain.sources, "d_model")}, "x": values["x"][0]})


def test_a_mistake_by_hand_is_named_within_what_rounding_leaves():
    values = one_prompt()
    student = (values["scores"] / values["d_head"]).round(3)
    found = by_hand("scaled", student, values)
    assert found is not None
    assert found.mistakes == ("scaled/divided-by-d-head",)


def test_a_rounded_right_answer_by_hand_is_not_named():
    values = one_prompt()
    assert by_hand("weights", values["weights"].round(3), values) is None


def test_rounding_too_early_by_hand_is_named():
    values = one_prompt()
    early = evaluate(
        CONTENT.chains["attention"],
        {name: values[name] for name in ("v", "visible", "T", "causal", "d_head")}
        | {"scaled": values["scaled"].round(1)},
        targets=["heads"],
    )["heads"]
    found = by_hand("heads", early.round(3), values)
    assert found is not None
    assert found.title == "Rounded scaled to 1 decimals and computed on with that"


FIRST = np.arange(24.0).reshape(2, 4, 3)


BEHAVIOUR = {
    "Changed the array q that was passed in": Runs(changed_arguments=("q",), first=FIRST),
    "Remembered something from one call to the next": Runs(first=FIRST, again=FIRST + 1, fresh=FIRST),
    "Gave different numbers for the same input": Runs(first=FIRST, again=FIRST + 1, fresh=FIRST + 2),
    "Let positions before 2 depend on position 2 and later": Runs(first=FIRST, later_changed=FIRST + 1, changed_from=2),
    "Gave every prompt of the batch the values of the first": Runs(first=np.stack([FIRST[0]] * 2), alone=FIRST),
    "Gave a prompt other values in a batch than alone": Runs(first=FIRST * 2, alone=FIRST),
}


@pytest.mark.parametrize("title", BEHAVIOUR)
def test_behaviour_is_told_from_repeated_runs(title: str):
    found = diagnose_behaviour(BEHAVIOUR[title])
    assert found is not None
    assert found.title == title


def test_a_function_of_its_arguments_has_no_behaviour_to_tell():
    changed = FIRST.copy()
    changed[:, 2:] += 1
    assert (
        diagnose_behaviour(
            Runs(first=FIRST, again=FIRST, fresh=FIRST, later_changed=changed, changed_from=2, alone=FIRST)
        )
        is None
    )


@pytest.mark.parametrize("kind", ["mistake", "pair"])
def test_no_diagnosis_shows_a_value(kind: str):
    made = {"mistake": ("heads/keys-mixed",), "pair": ("scaled/not-scaled", "concat/heads-in-reverse")}[kind]
    values = drawn(MULTI_HEAD, 1)
    answer = wrong_answer(MULTI_HEAD, values, [mistake(slug) for slug in made], "out")
    found = named("out", answer)
    assert found is not None
    assert found.kind == kind
    shown = f"{values['out'].flat[0]:.3g}"
    assert shown not in " ".join((found.title, found.why, found.look, found.hint))
