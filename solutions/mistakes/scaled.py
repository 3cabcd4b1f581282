"""Wrong scaling of the scores."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from headwork.conditions import fractional
from headwork.mistakes import alike, shows_when
from headwork.model import Array


def _not_a_square(values: Mapping[str, Any]) -> bool:
    return int(np.sqrt(values["d_head"])) ** 2 != values["d_head"]


def _not_four(values: Mapping[str, Any]) -> bool:
    return int(values["d_head"]) != 4


def not_scaled(scores: Array) -> Array:
    """Left the scores unscaled.

    A dot product of d_head independent terms of unit variance has variance d_head, so its spread grows with the
    width of the head. Unscaled, the softmax of a wide head puts nearly all weight on one position.

    Divide by the square root of d_head.

    How large is the spread of q·k when every component has variance 1?
    """
    return scores


def divided_by_d_head(scores: Array, d_head: int) -> Array:
    """Divided by d_head instead of its square root.

    The variance of a dot product grows with d_head, its standard deviation with the square root of d_head.
    Dividing by d_head makes the scores too small and the weights too even; doing the root's division twice has
    the same effect.

    Look at the divisor: for d_head = 9 it is 3.

    Is it the variance or the standard deviation that should become 1?
    """
    return scores / d_head


@alike(divided_by_the_root_of_all_heads_widths="d_model is n_heads times d_head in some models")
def divided_by_sqrt_d_model(scores: Array, d_model: int) -> Array:
    """Divided by the square root of d_model.

    Each dot product of a head runs over d_head terms. d_model is the width of the input and says nothing about
    the spread of these scores; with several heads it makes them too small.

    Take the width of a query, which is d_head.

    How many products are summed in one score?
    """
    return scores / np.sqrt(d_model)


@alike(divided_by_sqrt_d_model="d_model is n_heads times d_head in some models")
def divided_by_the_root_of_all_heads_widths(scores: Array, d_head: int, n_heads: int) -> Array:
    """Divided by the square root of the width of all heads together.

    Before the split a query is n_heads * d_head wide, after it d_head. The dot products are taken after the
    split, one head at a time.

    Read the width off the split queries.

    How wide is the query of a single head?
    """
    return scores / np.sqrt(n_heads * d_head)


def divided_by_sqrt_of_the_length(scores: Array) -> Array:
    """Divided by the square root of the number of keys.

    The number of positions is how many scores a row has, not how many terms a score has. Scaled by it, the same
    pair of tokens gets another score in a longer prompt.

    Take the size of the feature axis, not of the position axis.

    Which axis of k does the dot product sum over?
    """
    return scores / np.sqrt(scores.shape[-1])


def divided_by_sqrt_n_heads(scores: Array, n_heads: int) -> Array:
    """Divided by the square root of the number of heads.

    Heads are computed side by side; how many there are does not change the spread of one head's scores. The
    width of the head does.

    Divide by the square root of d_head.

    What would change in one head's scores if there were twice as many heads?
    """
    return scores / np.sqrt(n_heads)


def multiplied_by_sqrt_d_head(scores: Array, d_head: int) -> Array:
    """Multiplied by the square root of d_head.

    The scaling undoes the growth of the dot product with the width of the head. Multiplying doubles it, and the
    softmax saturates.

    Divide where the product stands; watch for a factor d_head ** -0.5 that was written as a divisor.

    Should the scores of a wide head become larger or smaller?
    """
    return scores * np.sqrt(d_head)


@shows_when(_not_a_square)
@alike(
    not_scaled="the whole part of the root is 1 for d_head below 4",
    divided_by_sqrt_of_the_length="4 positions have the root 2",
    divided_by_sqrt_n_heads="4 heads have the root 2",
)
def divided_by_the_whole_part_of_the_root(scores: Array, d_head: int) -> Array:
    """Cut the square root of d_head down to a whole number.

    int() and integer division drop what is behind the point. The result is right for 4, 9, 16 and 64 and wrong
    for every other width.

    Keep the root as a floating point number.

    What is the divisor for d_head = 3?
    """
    return scores / int(np.sqrt(d_head))


@alike(divided_by_d_head="d_head may be 8")
def divided_by_a_fixed_eight(scores: Array) -> Array:
    """Divided by 8 whatever the width of the head.

    8 is the square root of 64, the width of a head in many published models. Another width needs another
    divisor.

    Compute the divisor from d_head.

    For which d_head is the divisor right?
    """
    return scores / 8.0


@shows_when(_not_four)
@alike(
    not_scaled="half of 2 is 1",
    divided_by_a_fixed_eight="half of 16 is 8",
    divided_by_sqrt_d_model="half of 6 is the root of 9",
    divided_by_sqrt_of_the_length="half of 6 is the root of 9",
)
def divided_by_half_of_d_head(scores: Array, d_head: int) -> Array:
    """Halved d_head instead of taking its square root.

    For d_head = 4 half and root agree, for every other width they do not. The spread of a dot product grows with
    the root.

    Look at the divisor: for d_head = 9 it is 3.

    For which d_head are the half and the square root the same?
    """
    return scores / (d_head / 2)


def divided_by_d_head_squared(scores: Array, d_head: int) -> Array:
    """Divided by the square of d_head.

    The root was asked, the square was taken: for d_head = 4 that is 16 instead of 2, and the scores nearly
    vanish.

    Look at the exponent of d_head in the divisor: one half.

    What is the divisor for d_head = 4?
    """
    return scores / d_head**2


@shows_when(fractional("scaled"))
@alike(kept_as_whole_numbers="the two differ only below zero")
def rounded_down(scores: Array, d_head: int) -> Array:
    """Rounded the quotient down to a whole number.

    The operator // drops the fraction. Scores that differ by less than 1 become equal, and with them their
    weights.

    Use a single slash.

    What is 3 // 2?
    """
    return scores // np.sqrt(d_head)


@shows_when(fractional("scaled"))
def kept_as_whole_numbers(scores: Array, d_head: int) -> Array:
    """Stored the scaled scores in an array of whole numbers.

    An array made like one of whole numbers, or with dtype int, drops the fraction of everything written into
    it.

    Give the array a floating point type.

    What is the dtype of the array that the quotients are written into?
    """
    return np.trunc(scores / np.sqrt(d_head))
