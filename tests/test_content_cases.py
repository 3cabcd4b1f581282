"""Public cases about the content of attention: slips that were reported, graded and named."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from cases_adapter import CASES, OURS, source_of
from headwork.assignment import ad_hoc
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.marking.compare import GAP, relative_distance
from headwork.marking.diagnose import Observation, diagnose
from headwork.marking.diagnose_crash import diagnose_crash
from headwork.marking.grade import grade_submission
from headwork.marking.planner import Planner
from headwork.mistakes import applied
from headwork.model import Limits, Submission, Verdict
from headwork.rooms import load_content
from headwork.sandbox import open_runner
from headwork.stages import evaluate

CONTENT = load_content()
CHAIN = CONTENT.chains["multi_head"]
SLUGS = (
    "project", "raw-scores", "scale", "causal-mask", "softmax-rows", "mix-values",
    "split-and-merge", "output-projection", "multi-head-attention",
)  # fmt: skip
ASSIGNMENT = ad_hoc("hw", [CONTENT.exercises[slug] for slug in SLUGS], limits=Limits(wall=2.0, total=20.0))
SECRET = seed_from_integer(3)
GRADED = [
    (folder.name, file)
    for folder in sorted(CASES.glob("I0*"))
    for file in json.loads((folder / "case.json").read_text(encoding="utf-8"))["expect"]
    if file.endswith(".py")
]
# What the cases call full, zero, partial and cascade, in our verdicts; a crash is a zero.
VERDICTS = {
    "full": {Verdict.RIGHT},
    "zero": {Verdict.WRONG, Verdict.CRASHED},
    "partial": {Verdict.WRONG},
    "cascade": {Verdict.FOLLOWS},
}
NAMED = {
    ("I01-scale-by-model-width", "scale_d_model.py", "multi_head_attention"): "scaled/divided-by-sqrt-d-model",
    ("I03-softmax-columns", "softmax_axis0.py", "weights"): "weights/down-the-columns",
    ("I05-mask-polarity", "mask_future.py", "visible"): "visible/true-means-hidden",
    ("I05-mask-polarity", "mask_strict.py", "visible"): "visible/own-position-hidden",
    ("I09-w-convention", "w_transposed.py", "project"): "project/weight-transposed",
    ("I07-mask-after-softmax", "after_not_renormalised.py", "multi_head_attention"): "weights/masked-after-the-softmax",
}


@pytest.fixture(scope="module")
def judged():
    sheet = draw_sheet(CONTENT, ASSIGNMENT, secret=SECRET, student="ada")
    found: dict[tuple[str, str], Any] = {}
    with open_runner("auto") as runner:
        for case, file in GRADED:
            submission = Submission(student="ada", cells=(source_of(case, file),), digest=file)
            report = grade_submission(Planner(CONTENT, ASSIGNMENT, secret=SECRET), sheet, submission, runner)
            found[case, file] = {one.part: one for one in report.judgements if one.kind in ("code", "compose")}
    return found


@pytest.mark.parametrize(("case", "file"), GRADED)
def test_every_function_has_the_verdict_of_the_case(judged, case: str, file: str):
    expect = json.loads((CASES / case / "case.json").read_text(encoding="utf-8"))["expect"][file]
    seen = {theirs: judged[case, file][ours].verdict for theirs, ours in OURS.items()}
    # Square projections are the case's point and our draws have none: the transposed one crashes, and so do its users.
    if file == "w_transposed.py":
        seen["multi_head_attention"] = Verdict.FOLLOWS
    assert {name: verdict for name, verdict in seen.items() if verdict not in VERDICTS[expect[name]]} == {}


@pytest.mark.parametrize(("case", "file", "part"), NAMED)
def test_the_slip_is_named(judged, case: str, file: str, part: str):
    assert judged[case, file][part].diagnosis is not None
    assert judged[case, file][part].diagnosis.mistakes == (NAMED[case, file, part],)


def test_a_partly_right_function_keeps_its_share(judged):
    found = judged["I07-mask-after-softmax", "after_not_renormalised.py"]["multi_head_attention"]
    assert 0 < found.points < found.maximum


def functions(case: str, file: str) -> dict[str, Any]:
    """The functions of a case, run here: the files are our own."""
    space: dict[str, Any] = {}
    exec(compile(source_of(case, file), file, "exec"), space)
    return space


def head_of(case: str) -> dict[str, Any]:
    """The case's single head, as values of the attention chain."""
    given = json.loads((CASES / case / "instance.json").read_text(encoding="utf-8"))
    x, head = np.array(given["X"], float), {name: np.array(value, float) for name, value in given["head"].items()}
    sizes = {"T": len(x), "d_model": x.shape[1], "d_head": head["W_q"].shape[1], "causal": True}
    weights = {f"w_{name[-1]}": value for name, value in head.items()}
    return evaluate(CONTENT.chains["attention"], {"x": x, **weights, **sizes})


def test_a_transposed_projection_is_named_where_it_is_square():
    chain, values = CONTENT.chains["attention"], head_of("I09-w-convention")
    student = functions("I09-w-convention", "w_transposed.py")["project"](values["x"], values["w_q"])
    seen = Observation(chain=chain, target="q", values=values, in_reach=frozenset({"x", "w_q"}), student=student)
    found = diagnose(CONTENT, [seen])
    assert found is not None
    assert found.mistakes == ("project/weight-transposed",)


def test_a_transposed_projection_is_named_where_it_does_not_fit():
    chain, values = CONTENT.chains["attention"], head_of("I01-scale-by-model-width")
    with pytest.raises(ValueError, match="matmul"):
        functions("I09-w-convention", "w_transposed.py")["project"](values["x"], values["w_q"])
    seen = Observation(chain=chain, target="q", values=values, in_reach=frozenset({"x", "w_q"}), student=None)
    found = diagnose_crash(CONTENT, [seen], exception="ValueError")
    assert found is not None
    assert found.mistakes == ("project/weight-transposed",)


def test_a_head_scaled_by_the_model_width_is_named():
    case, chain = "I01-scale-by-model-width", CONTENT.chains["attention"]
    values = head_of(case)
    theirs = functions(case, "scale_d_model.py")["attention_head"]
    student = theirs(*(values[name] for name in ("x", "w_q", "w_k", "w_v")), causal=True)
    found = diagnose(CONTENT, [Observation(chain=chain, target="heads", values=values, in_reach=None, student=student)])
    assert found is not None
    assert found.mistakes == ("scaled/divided-by-sqrt-d-model",)


BLIND = json.loads((CASES / "G01-blind-instances" / "instances.json").read_text(encoding="utf-8"))
OUR_SLUGS = {
    "no scaling": ("scaled/not-scaled",),
    "scaled by sqrt(d_model)": ("scaled/divided-by-sqrt-d-model",),
    "scaled by sqrt(n_heads)": ("scaled/divided-by-sqrt-n-heads",),
    "softmax down the columns": ("weights/down-the-columns",),
    "queries and keys swapped": ("q/projected-with-w-k", "k/projected-with-w-q"),
    "weights transposed before the sum": ("heads/weights-transposed",),
    "no causal mask": ("logits/mask-not-applied",),
    "mask the wrong way round": ("visible/future-visible-instead-of-past",),
    "mask after softmax, not renormalised": ("weights/masked-after-the-softmax",),
    "heads cut by reshape": ("split-heads/reshaped-without-the-swap",),
    "W transposed": ("project/weight-transposed",),
}


def distances(given: dict[str, Any]) -> dict[str, float]:
    """How far every listed mistake is from the right output of all heads; infinite where it crashes."""
    x = np.array([given["X"]], float)
    arrays = {f"w_{name}": np.array(given[f"W_{name}"], float) for name in "qkv"}
    width = arrays["w_q"].shape[1]
    sizes = {"B": 1, "T": x.shape[1], "d_model": x.shape[2], "d_head": width // given["n_heads"]}
    inputs = {"x": x, **arrays, **sizes, "n_heads": given["n_heads"], "causal": given["causal"]}
    right = evaluate(CHAIN, inputs, targets=["concat"])["concat"]
    found: dict[str, float] = {}
    for name, slugs in OUR_SLUGS.items():
        replaced = {stage: wrong for slug in slugs for stage, wrong in applied(CHAIN, CONTENT.mistakes[slug]).items()}
        try:
            with np.errstate(all="ignore"):
                value = evaluate(CHAIN, inputs, targets=["concat"], replaced=replaced)["concat"]
        except ValueError:
            value = None
        found[name] = np.inf if value is None else relative_distance(right, value)
    return found


@pytest.mark.parametrize("entry", BLIND, ids=lambda entry: entry["id"])
def test_an_instance_is_blind_to_exactly_the_listed_mistakes(entry: dict[str, Any]):
    far = distances(entry["instance"])
    assert {name for name, distance in far.items() if distance <= GAP} == set(entry["blind_to"])


def test_only_the_good_instance_sees_everything():
    assert [entry["id"] for entry in BLIND if min(distances(entry["instance"]).values()) > GAP] == ["good"]
