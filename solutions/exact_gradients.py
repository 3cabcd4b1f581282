"""The gradients of one attention head once more, in exact numbers: a second opinion

Values are nested lists with any leading axes and numbers of SymPy, as in ``exact``. Every function is written
from a definition with indices, or from the full Jacobian, rather than from the matrix formula.
"""

from collections.abc import Callable
from typing import Any

Nested = list[Any]


def d_v(weights: Nested, upstream: Nested) -> Nested:
    """Entry s, j: the sum over t of weights[t][s] upstream[t][j]."""
    if _is_batch(weights):
        return _each(d_v, weights, upstream)
    return [
        [sum(weights[t][s] * upstream[t][j] for t in range(len(weights))) for j in range(len(upstream[0]))]
        for s in range(len(weights[0]))
    ]


def d_weights(upstream: Nested, v: Nested) -> Nested:
    """Entry t, s: the sum over j of upstream[t][j] v[s][j]."""
    if _is_batch(upstream):
        return _each(d_weights, upstream, v)
    return [[_dot(row, value) for value in v] for row in upstream]


def d_logits(weights: Nested, d_weights: Nested) -> Nested:
    """Each row times its Jacobian: d p_i / d z_j = p_i (1 if i = j else 0) - p_i p_j."""
    if _is_batch(weights):
        return _each(d_logits, weights, d_weights)
    return [_through_softmax(p, g) for p, g in zip(weights, d_weights, strict=True)]


def d_scores(d_logits: Nested, d_head: int) -> Nested:
    """Every entry over the square root of d_head."""
    import sympy

    if _is_batch(d_logits):
        return [d_scores(part, d_head) for part in d_logits]
    return [[entry / sympy.sqrt(d_head) for entry in row] for row in d_logits]


def d_q(d_scores: Nested, k: Nested) -> Nested:
    """Row t: the sum over s of d_scores[t][s] times key s."""
    if _is_batch(d_scores):
        return _each(d_q, d_scores, k)
    return [[sum(row[s] * k[s][j] for s in range(len(k))) for j in range(len(k[0]))] for row in d_scores]


def d_k(d_scores: Nested, q: Nested) -> Nested:
    """Row s: the sum over t of d_scores[t][s] times query t."""
    if _is_batch(d_scores):
        return _each(d_k, d_scores, q)
    return [
        [sum(d_scores[t][s] * q[t][j] for t in range(len(q))) for j in range(len(q[0]))]
        for s in range(len(d_scores[0]))
    ]


def d_projection(x: Nested, d_projected: Nested) -> Nested:
    """Entry i, j: the sum over all positions of all prompts of x[..][i] d_projected[..][j]."""
    if _is_batch(x):
        parts = _each(d_projection, x, d_projected)
        return [[sum(part[i][j] for part in parts) for j in range(len(parts[0][0]))] for i in range(len(parts[0]))]
    return [
        [sum(row[i] * g[j] for row, g in zip(x, d_projected, strict=True)) for j in range(len(d_projected[0]))]
        for i in range(len(x[0]))
    ]


def back_projected(d_projected: Nested, w: Nested) -> Nested:
    """Entry t, i: the sum over j of d_projected[t][j] w[i][j]."""
    if _is_batch(d_projected):
        return [back_projected(part, w) for part in d_projected]
    return [[_dot(row, column) for column in w] for row in d_projected]


def d_x(d_x_through_q: Nested, d_x_through_k: Nested, d_x_through_v: Nested) -> Nested:
    """Entry by entry, the sum of the three paths."""
    if _is_batch(d_x_through_q):
        return _each(d_x, d_x_through_q, d_x_through_k, d_x_through_v)
    return [
        [sum(entries) for entries in zip(*rows, strict=True)]
        for rows in zip(d_x_through_q, d_x_through_k, d_x_through_v, strict=True)
    ]


def _through_softmax(p: Nested, g: Nested) -> Nested:
    size = range(len(p))
    return [sum((p[i] * (1 if i == j else 0) - p[i] * p[j]) * g[i] for i in size) for j in size]


def _dot(a: Nested, b: Nested) -> Any:
    return sum(one * other for one, other in zip(a, b, strict=True))


def _is_batch(value: Nested) -> bool:
    return isinstance(value[0][0], list)


def _each(operation: Callable[..., Any], *parts: Nested) -> Nested:
    return [operation(*part) for part in zip(*parts, strict=True)]
