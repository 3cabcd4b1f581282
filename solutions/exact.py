"""The stages of attention once more, in exact numbers: a second opinion on the NumPy solutions

Values are nested lists with any leading axes. Their numbers are SymPy's, or reals of many digits that
know their own arithmetic (``x.context``); nothing is rounded and nothing is simplified here. Written
from the definitions and apart from the other files of this folder, so that both can be held together.
"""

from collections.abc import Callable
from typing import Any, cast

Number = Any
Nested = list[Any]


def project(x: Nested, w: Nested) -> Nested:
    """Every row of x times w: row t, column j is the sum over i of x[t][i] w[i][j]."""
    return _over_matrices(lambda rows: _times(rows, w), x)


def project_heads(x: Nested, w: Nested) -> Nested:
    """x[b] through every head's own w[h], as [b][h]."""
    return [[_times(rows, own) for own in w] for rows in x]


def split_heads(packed: Nested, n_heads: int) -> Nested:
    """Head h is columns h*d_head up to (h+1)*d_head."""
    d_head = len(packed[0][0]) // n_heads
    return [[[row[h * d_head : (h + 1) * d_head] for row in rows] for h in range(n_heads)] for rows in packed]


def scores(q: Nested, k: Nested) -> Nested:
    """Entry t, s is the dot product of query t and key s."""
    return _over_pairs(lambda asks, keys: [[_dot(ask, key) for key in keys] for ask in asks], q, k)


def scaled(scores: Nested, d_head: int) -> Nested:
    """Every score over the square root of d_head."""
    return _over_numbers(lambda score: score / _root(d_head, score), scores)


def visible(T: int, causal: bool) -> Nested:
    """True where the key position is not after the query position, or everywhere."""
    return [[s <= t or not causal for s in range(T)] for t in range(T)]


def logits(scaled: Nested, visible: Nested) -> Nested:
    """Minus infinity where a position is hidden."""

    def masked(rows: Nested) -> Nested:
        return [
            [number if seen else _minus_infinity(number) for number, seen in zip(row, sight, strict=True)]
            for row, sight in zip(rows, visible, strict=True)
        ]

    return _over_matrices(masked, scaled)


def weights(logits: Nested) -> Nested:
    """e to every number of a row, over the sum of these."""

    def normalised(rows: Nested) -> Nested:
        powers = [[_power_of_e(number) for number in row] for row in rows]
        return [[power / sum(row) for power in row] for row in powers]

    return _over_matrices(normalised, logits)


def heads(weights: Nested, v: Nested) -> Nested:
    """Row t is the sum over s of weights[t][s] times row s of v."""
    return _over_pairs(_times, weights, v)


def concat(heads: Nested) -> Nested:
    """Row t of the result is row t of head 0, then of head 1, and so on."""
    return [[[number for head in batch for number in head[t]] for t in range(len(batch[0]))] for batch in heads]


def out(concat: Nested, w_o: Nested) -> Nested:
    """Every row times w_o."""
    return project(concat, w_o)


def _dot(left: Nested, right: Nested) -> Number:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _times(left: Nested, right: Nested) -> Nested:
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def _is_matrix(value: Nested) -> bool:
    return not isinstance(value[0][0], list)


def _over_matrices(function: Callable[[Nested], Nested], value: Nested) -> Nested:
    return function(value) if _is_matrix(value) else [_over_matrices(function, part) for part in value]


def _over_pairs(function: Callable[[Nested, Nested], Nested], left: Nested, right: Nested) -> Nested:
    """The function over matrices side by side; leading axes are the same, or those of one side."""
    if _is_matrix(left) and _is_matrix(right):
        return function(left, right)
    if _is_matrix(left):
        return [_over_pairs(function, left, part) for part in right]
    if _is_matrix(right):
        return [_over_pairs(function, part, right) for part in left]
    return [_over_pairs(function, one, other) for one, other in zip(left, right, strict=True)]


def _over_numbers(function: Callable[[Number], Number], value: Any) -> Any:
    return (
        [_over_numbers(function, part) for part in cast(Nested, value)] if isinstance(value, list) else function(value)
    )


def _power_of_e(number: Number) -> Number:
    context = getattr(number, "context", None)
    if context is not None:
        return context.exp(number)
    import sympy

    return sympy.exp(number)


def _root(size: int, beside: Number) -> Number:
    context = getattr(beside, "context", None)
    if context is not None:
        return context.sqrt(size)
    import sympy

    return sympy.sqrt(size)


def _minus_infinity(beside: Number) -> Number:
    context = getattr(beside, "context", None)
    if context is not None:
        return -context.inf
    import sympy

    return -sympy.oo
