"""Wrong use of the mask."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from headwork.conditions import batched, something_hidden
from headwork.mistakes import shows_when
from headwork.model import Array


def _scores_near_minus_ten(values: Mapping[str, Any]) -> bool:
    hidden = np.exp(-10.0) * (~values["visible"]).sum(axis=-1)
    seen = np.exp(np.where(values["visible"], values["scaled"], -np.inf)).sum(axis=-1)
    return bool((hidden / seen).max() > 2e-3)


@shows_when(something_hidden)
def mask_not_applied(scaled: Array) -> Array:
    """Left the hidden cells as they were.

    Without the mask a position reads its future. A filled copy that is never assigned has the same effect: the
    functions that fill return a new array.

    Check that the masked array is the one that is returned.

    Which variable holds the masked scores?
    """
    return scaled


def visible_cells_hidden(scaled: Array, visible: Array) -> Array:
    """Put minus infinity on the visible cells.

    True means that the position may be read. Turned round, only the hidden scores survive, and a row that sees
    everything keeps none.

    Swap the two choices, or negate the mask.

    What does True at [t, s] say here?
    """
    return np.where(visible, -np.inf, scaled)


@shows_when(something_hidden)
def mask_transposed(scaled: Array, visible: Array) -> Array:
    """Applied the mask transposed.

    Rows of the mask are the positions that read, as in the scores. Transposed, a position sees its future
    instead of its past.

    Line up the axes: [t, s] of the mask belongs to [t, s] of the scores.

    Which positions are visible in row 0 of the result?
    """
    return np.where(np.swapaxes(visible, -1, -2), scaled, -np.inf)


@shows_when(something_hidden)
def hidden_cells_set_to_zero(scaled: Array, visible: Array) -> Array:
    """Set the hidden scores to 0 before the softmax.

    exp(0) is 1: a score of zero is a perfectly ordinary one and gets a weight, often more than a visible
    negative score. Multiplying by the mask does the same.

    Only minus infinity, or a number far below all scores, ends up at weight 0.

    What is the weight of a cell whose logit is 0?
    """
    return np.where(visible, scaled, 0.0)


@shows_when(something_hidden)
def hidden_cells_set_to_minus_one(scaled: Array, visible: Array) -> Array:
    """Set the hidden scores to -1.

    -1 is a score like any other, and exp(-1) is more than a third. The hidden positions keep a share of the
    weight.

    Use minus infinity.

    What is the weight of a cell whose logit is -1 in a row of zeros?
    """
    return np.where(visible, scaled, -1.0)


@shows_when(something_hidden, _scores_near_minus_ten)
def hidden_cells_set_to_minus_ten(scaled: Array, visible: Array) -> Array:
    """Set the hidden scores to a number too close to the real ones, -10.

    exp(-10) is small but not zero, and a row whose own scores are near -10 gives the hidden positions a full
    share.

    Use minus infinity, or the smallest number of the type.

    Is there a row of scores for which -10 is not small?
    """
    return np.where(visible, scaled, -10.0)


@shows_when(something_hidden)
def hidden_cells_set_to_plus_infinity(scaled: Array, visible: Array) -> Array:
    """Set the hidden scores to plus infinity.

    exp of plus infinity is infinite, and infinite over infinite is not a number. The sign decides whether a cell
    vanishes or takes over.

    Use minus infinity.

    What is exp(x) for a very large and for a very negative x?
    """
    return np.where(visible, scaled, np.inf)


@shows_when(something_hidden)
def large_number_added_to_hidden_cells(scaled: Array, visible: Array) -> Array:
    """Added a large positive number to the hidden scores.

    The softmax follows the largest logit, so all the weight goes to the hidden positions. The number has to be
    subtracted.

    Check the sign in front of the mask term.

    Which cell of row 0 gets the most weight?
    """
    return np.where(visible, scaled, scaled + 1e9)


@shows_when(something_hidden)
def mask_added_as_a_number(scaled: Array, visible: Array) -> Array:
    """Added the booleans to the scores.

    True counts as 1 and False as 0, so that visible cells gain 1 and hidden ones stay. Hidden cells still take
    part in the softmax.

    An additive mask has 0 where a position is visible and minus infinity where it is not.

    What is scaled + True?
    """
    return scaled + visible


def minus_infinity_times_zero(scaled: Array, visible: Array) -> Array:
    """Multiplied minus infinity by the mask, which made 0 times infinity.

    0 * inf is not a number, and the visible cells, whose factor is 0, become NaN.

    Choose between two values with np.where instead of multiplying.

    What is 0.0 * np.inf?
    """
    return scaled + (1.0 - visible) * -np.inf


@shows_when(batched, something_hidden)
def only_the_first_prompt_masked(scaled: Array, visible: Array) -> Array:
    """Masked only the first prompt of the batch.

    One mask holds for every prompt and every head; it broadcasts over the leading axes. An index on the batch
    axis leaves the others open.

    Apply the (T, T) mask to the whole array.

    May a position of the second prompt read its future?
    """
    masked = scaled.copy()
    first = np.where(visible, scaled[0], -np.inf) if scaled.ndim > 2 else np.where(visible, scaled, -np.inf)
    masked[0 if scaled.ndim > 2 else ...] = first
    return masked


@shows_when(something_hidden)
def first_row_of_the_mask_for_all(scaled: Array, visible: Array) -> Array:
    """Used the first row of the mask for all positions.

    Row t of the mask belongs to position t. With the first row for all, every position reads position 0 and
    nothing else.

    Use the mask with both axes, (T, T).

    Which row of the mask belongs to the last position?
    """
    return np.where(visible[:1], scaled, -np.inf)
