"""How weights answer to logits

A row of logits $z_0, z_1, z_2$ has the weights $p_0, p_1, p_2$, which sum to 1. Raising one logit raises its own
weight and takes from the others; how much is the Jacobian of the softmax, and a gradient $g$ with respect to the
weights comes back to the logits through it:

$$ \\frac{\\partial L}{\\partial z_i} = \\sum_j g_j \\frac{\\partial p_j}{\\partial z_i} $$

**By derivation:** give exact expressions in the names given. Write p_0 or p0.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
from headwork.answers.asking import BreakClaim, Derive, Given, Scene, Slip
from headwork.model import Exercise

WEIGHTS = {"p_0": "positive", "p_1": "positive", "p_2": "positive"}
GRADIENTS = {"g_0": "real", "g_1": "real", "g_2": "real"}
SUM = {"p_2": "1 - p_0 - p_1"}


def _spelled(number: float) -> str:
    """A logit of readable numbers: a fraction, or a multiple of the logarithm that they were drawn in."""
    for unit, text in ((1.0, ""), (log(2), "*ln(2)"), (log(3), "*ln(3)")):
        near = Fraction(number / unit).limit_denominator(60)
        if abs(float(near) * unit - number) < 1e-9:
            return f"({near}){text}"
    return repr(number)


def _last_weight(scene: Scene) -> str:
    row = [f"e^({_spelled(logit)})" for logit in scene.values["logits"][-1].tolist()]
    return f"{row[-1]}/({' + '.join(row)})"


def _columns(scene: Scene) -> str:
    column = [f"e^({_spelled(logit)})" for logit in scene.values["scaled"][:, -1].tolist()]
    return f"{column[-1]}/({' + '.join(column)})"


def _answers_somewhere(values: Mapping[str, Any]) -> bool:
    row = values["row"].ravel()
    powers = np.exp(row - row.max())
    weights = powers / powers.sum()
    return bool(np.abs(np.diag(weights) - np.outer(weights, weights)).max() >= 0.01)


exercise = Exercise(
    unit=5,
    hand_chain="attention",
    parts=(
        Derive(
            slug="last-weight",
            points=Fraction(1),
            question="Work the logits of the last position of **{{ prompt_a }}**. Give the weight that this position "
            "gives to itself, exactly: a ratio of exponentials.",
            answer=_last_weight,
            slips=(
                Slip(
                    answer=_columns,
                    title="Summed down the column",
                    why="The weights of one position lie in its row, and that row sums to 1.",
                ),
            ),
        ),
        Derive(
            slug="own",
            points=Fraction(1),
            question="What is the derivative of `p_0` with respect to its own logit $z_0$?",
            answer="p_0*(1 - p_0)",
            symbols=WEIGHTS,
            given=SUM,
            slips=(
                Slip(
                    answer="p_0",
                    title="Left out the denominator",
                    why="Raising the logit also raises the sum that everything is divided by.",
                ),
                Slip(
                    answer="1 - p_0", title="Took the logarithm's derivative", why="That is the derivative of ln p_0."
                ),
            ),
        ),
        Derive(
            slug="other",
            points=Fraction(1),
            question="What is the derivative of `p_2` with respect to $z_0$?",
            answer="-p_0*p_2",
            symbols=WEIGHTS,
            given=SUM,
            slips=(
                Slip(
                    answer="p_0*p_2",
                    title="Lost the sign",
                    why="What one position gains the others lose.",
                ),
                Slip(answer="0", title="Took the weights to be independent", why="They share one denominator."),
            ),
        ),
        Derive(
            slug="back",
            points=Fraction(2),
            question="A loss has the gradient `g_0`, `g_1`, `g_2` with respect to the weights. What is its derivative with respect "
            "to the logit $z_0$?",
            answer="p_0*(g_0 - p_0*g_0 - p_1*g_1 - p_2*g_2)",
            symbols={**WEIGHTS, **GRADIENTS},
            given=SUM,
            slips=(
                Slip(
                    answer="p_0*(1-p_0)*g_0",
                    title="Used the diagonal of the Jacobian only",
                    why="The logit reaches the loss through all weights of the row.",
                    look="Add the terms of p_1 and p_2.",
                ),
                Slip(
                    answer="p_0*g_0",
                    title="Left out the mean",
                    why="Raising one logit takes weight from the others, hence the row's weighted mean of g.",
                ),
                Slip(
                    answer="p_0*(g_0 - (g_0+g_1+g_2)/3)",
                    title="Subtracted a plain mean",
                    why="The mean is weighted by the row's own weights.",
                ),
            ),
        ),
        BreakClaim(
            slug="saturated",
            points=Fraction(1),
            question="Claim: some entry of the Jacobian is always at least 0.01. Give one row of logits for which the claim "
            "fails: a row that hardly learns.",
            claim=_answers_somewhere,
            given=(Given(name="row", axes="one T", least=1, most=8),),
            example="20 0 0",
        ),
    ),
)
