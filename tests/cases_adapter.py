"""Submissions of the public cases, with our names and conventions put on top of theirs.

Theirs work on one prompt, scale inside ``attention_scores``, and make all three projections in one function;
see ``tests/cases``. The bridge takes prompts and heads one by one and hands them to the case's own functions.
"""

from __future__ import annotations

from pathlib import Path

CASES = Path(__file__).resolve().parent / "cases"

BRIDGE = """

_theirs = dict(
    scores=attention_scores, softmax=softmax, mask=causal_mask, project=project_qkv, multi=multi_head_attention
)


def _each(function, *arrays):
    if arrays[0].ndim == 2:
        return function(*arrays)
    return np.stack([_each(function, *parts) for parts in zip(*arrays)])


def project(x, w):
    return _each(lambda rows: _theirs["project"](rows, w, w, w)[0], x)


def scores(q, k):
    return _each(_theirs["scores"], q, k) * np.sqrt(q.shape[-1])


def scaled(scores, d_head):
    return scores / np.sqrt(d_head)


def visible(T, causal):
    return _theirs["mask"](T) if causal else np.ones((T, T), dtype=bool)


def logits(scaled, visible):
    return np.where(visible, scaled, -np.inf)


def weights(logits):
    return _each(_theirs["softmax"], logits)


def heads(weights, v):
    return weights @ v


def split_heads(packed, n_heads):
    return np.stack(np.split(packed, n_heads, axis=-1), axis=1)


def concat(heads):
    return np.concatenate(list(np.moveaxis(heads, 1, 0)), axis=-1)


def out(concat, w_o):
    return concat @ w_o


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    return np.stack([_theirs["multi"](rows, w_q, w_k, w_v, w_o, n_heads, causal) for rows in x])
"""

OURS = {
    "project_qkv": "project",
    "attention_scores": "scores",
    "causal_mask": "visible",
    "softmax": "weights",
    "multi_head_attention": "multi_head_attention",
}
"""The functions of the cases that ours stand for."""


def source_of(case: str, file: str) -> str:
    """One file of a case as a submission to our exercises."""
    return (CASES / case / file).read_text(encoding="utf-8") + BRIDGE
