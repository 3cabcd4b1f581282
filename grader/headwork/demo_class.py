"""A class of 40 for the demo: what each student hands in, and what that should earn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headwork.checking import mistaken_source
from headwork.draw.certify import stage_for
from headwork.model import Exercise
from headwork.rooms import Content
from headwork.solution_file import self_contained_body, solution_source

COMPOSED = "multi_head_attention"

STYLES: Mapping[str, Mapping[str, str]] = {
    "einsum": {
        "scores": "return np.einsum('...td,...sd->...ts', q, k)",
        "heads": "return np.einsum('...ts,...sd->...td', weights, v)",
        "project": "return np.einsum('...tc,cd->...td', x, w)",
    },
    "loops": {
        "weights": (
            "out = np.zeros(logits.shape)\n"
            "for index in np.ndindex(*logits.shape[:-1]):\n"
            "    row = [float(value) for value in logits[index]]\n"
            "    powers = [float(np.exp(value - max(row))) for value in row]\n"
            "    out[index] = [power / sum(powers) for power in powers]\n"
            "return out"
        ),
        "visible": "return [[(not causal) or s <= t for s in range(T)] for t in range(T)]",
    },
    "float32": {
        "project": "return x.astype(np.float32) @ w.astype(np.float32)",
        "weights": (
            "logits = logits.astype(np.float32)\n"
            "powers = np.exp(logits - logits.max(-1, keepdims=True))\n"
            "return powers / powers.sum(-1, keepdims=True)"
        ),
    },
    "minus-1e9": {"logits": "return np.where(visible, scaled, -1e9)"},
    "log-softmax": {
        "weights": (
            "shifted = logits - logits.max(-1, keepdims=True)\n"
            "return np.exp(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))"
        )
    },
    "additive-mask": {"logits": "return scaled + np.where(visible, 0.0, np.finfo(np.float64).min)"},
    "concatenated": {
        "split_heads": (
            "d = packed.shape[-1] // n_heads\n"
            "return np.stack([packed[..., h * d:(h + 1) * d] for h in range(n_heads)], axis=1)"
        ),
        "concat": "return np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1)",
    },
}

SLIPS = (
    ("project", "project/position-before"),
    ("scaled", "scaled/not-scaled"),
    ("scaled", "scaled/divided-by-d-head"),
    ("visible", "visible/own-position-hidden"),
    ("logits", "logits/visible-cells-hidden"),
    ("weights", "weights/down-the-columns"),
    ("weights", "weights/maximum-not-subtracted"),
    ("weights", "weights/powers-of-two"),
    ("heads", "heads/weights-transposed"),
    ("split_heads", "split-heads/reshaped-without-the-swap"),
    ("concat", "concat/heads-in-reverse"),
    ("out", "out/output-projection-left-out"),
)

HANG = "while True:\n    pass"
HOG = "hog = []\nwhile True:\n    hog.append(np.ones((1000, 1000)))"

HOSTILE: Mapping[str, str] = {
    "exits": "import os\nos._exit(0)\n",
    "prints-a-score": 'print(\'{"score": 100, "total": 31}\')\n',
    "patches-numpy": "import numpy\nnumpy.allclose = numpy.array_equal = lambda *a, **k: True\n",
    "reads-answers": (
        "import glob\nfound = [open(p).read() for p in glob.glob('/**/report.json', recursive=True)]\nprint(found)\n"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """One student of the demo class."""

    student: str
    about: str
    files: Mapping[str, bytes]
    wrong: tuple[str, ...] = ()
    """Functions (or "hand:stage") that should lose points."""
    named: tuple[str, ...] = ()
    """Mistakes that should be named."""
    status: tuple[str, ...] = ("graded",)
    kept: Mapping[str, str] = field(default_factory=dict[str, str])
    """Part -> the share of its points that it keeps, as a fraction, where it is neither all nor nothing."""


def plant(
    content: Content, exercises: Sequence[Exercise], handouts: Mapping[str, Mapping[str, str]]
) -> tuple[Planted, ...]:
    """The class. ``handouts`` holds each student's right answers.toml text by kind: "right", "slip"."""
    chains = {
        part_operation: content.chains[exercise.code_chains[0]]
        for exercise in exercises
        for part in exercise.parts
        if (part_operation := getattr(part, "operation", None))
    }
    right = solution_source(content, exercises)
    students = iter(handouts)
    planted: list[Planted] = []

    def add(
        about: str, source: str | bytes, *, name: str = "attention.py", answers: str = "right", **rest: object
    ) -> None:
        student = next(students)
        data = source.encode() if isinstance(source, str) else source
        files = {name: data, "answers.toml": handouts[student][answers].encode()}
        planted.append(Planted(student=student, about=about, files=files, **rest))  # pyright: ignore[reportArgumentType]

    def wrong_source(operation: str, body: str) -> str:
        return solution_source(content, exercises, instead={operation: body})

    add("right, as in the solution", right)
    for style, bodies in STYLES.items():
        add(f"right, {style}", solution_source(content, exercises, instead=bodies))
    add("right, as a notebook", _notebook(right), name="attention.ipynb")
    add("right, with a byte order mark and Windows line ends", b"\xef\xbb\xbf" + right.replace("\n", "\r\n").encode())
    for operation, slug in SLIPS:
        chain = chains[operation]
        found = chain.stages[stage_for(chain, operation)].operation
        source = mistaken_source(content, exercises, found, content.mistakes[slug])
        # What a special case costs is its share: overflow a third, a mask that is right without causal two.
        kept = {"weights/maximum-not-subtracted": {operation: "2/3"}, "visible/own-position-hidden": {operation: "1/3"}}
        add(f"one mistake: {slug}", source, wrong=(operation,), named=(slug,), kept=kept.get(slug, {}))
    for first, second in ((0, 5), (1, 10), (2, 8)):
        bodies = {SLIPS[at][0]: self_contained_body(content.mistakes[SLIPS[at][1]].function) for at in (first, second)}
        names = (SLIPS[first][1], SLIPS[second][1])
        add(
            f"two mistakes: {' and '.join(names)}",
            solution_source(content, exercises, instead=bodies),
            wrong=tuple(bodies),
            named=names,
        )
    todo = "raise NotImplementedError"
    add("half finished: nothing after the mask", _unfinished(content, exercises, ("weights", "heads", "out")),
        wrong=("weights", "heads", "out", COMPOSED))  # fmt: skip
    add("half finished: the last function only is missing", right.split(f"def {COMPOSED}")[0], wrong=(COMPOSED,))
    add("by hand only", "import numpy as np\n", wrong=(*chains, COMPOSED))
    add("one stub left", wrong_source("concat", todo), wrong=("concat", COMPOSED))
    notice = ("graded_with_notice",)
    add("a syntax error in one function", wrong_source("out", "return concat @ @ w_o"),
        wrong=("out", COMPOSED), status=notice)  # fmt: skip
    add("an open bracket in one function", wrong_source("heads", "return (weights @ v"),
        wrong=("heads", COMPOSED), status=notice)  # fmt: skip
    add("an endless loop in one function", wrong_source("visible", HANG), wrong=("visible", COMPOSED))
    add("a memory hog in one function", wrong_source("heads", HOG), wrong=("heads", COMPOSED))
    add("an unreadable file", bytes(range(256)) * 40, status=("not_gradable", "needs_attention"))
    add("a broken notebook", b'{"cells": [', name="attention.ipynb", status=("not_gradable", "needs_attention"))
    for about, source in HOSTILE.items():
        # None of these functions is there, so nothing but the hand part can earn a point.
        add(f"hostile: {about}", source, wrong=(*chains, COMPOSED), status=("graded", "graded_with_notice"))
    add("a slip in one hand-worked stage", right, answers="slip", wrong=("hand:scaled",))
    return tuple(planted)


def _unfinished(content: Content, exercises: Sequence[Exercise], operations: Sequence[str]) -> str:
    bodies = dict.fromkeys(operations, "raise NotImplementedError")
    return solution_source(content, exercises, instead=bodies)


def _notebook(source: str) -> str:
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "source": block, "outputs": [], "execution_count": None}
        for block in source.split("\n\n\n")
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
