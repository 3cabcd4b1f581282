"""What a position may read

A causal model reads from left to right. Counted from 0, position $t$ may read itself and everything before it.
Tokens are also counted from 1, and the model predicts the *next* token: both ways of counting are in use, and one
off is a leak or a loss.

A *fixed window* of {{ d_head + 1 }} is narrower: a position then reads itself and the {{ d_head }} positions before it,
and nothing further back can reach its output, whatever the weights are.

**By reasoning:** answer with expressions in the names given, or with letters.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from headwork.answers.asking import BreakClaim, ChooseSentence, Derive, Given, Slip
from headwork.model import Exercise


def _nearest_two_count_most(values: Mapping[str, Any]) -> bool:
    row = values["row"].ravel()
    shares = np.exp(row - row.max())
    return bool(shares[-2:].sum() >= shares.sum() / 2)


exercise = Exercise(
    unit=1,
    hand_chain="prefix",
    shows_numbers=False,
    parts=(
        Derive(
            slug="how-many",
            points=Fraction(1),
            question="Positions are counted from 0. How many positions may position t read under the causal mask?",
            answer="t + 1",
            symbols={"t": "positive"},
            slips=(
                Slip(
                    answer="t",
                    title="Left out the position itself",
                    why="A position reads itself too; position 0 would otherwise read nothing.",
                ),
            ),
        ),
        Derive(
            slug="last-read",
            points=Fraction(1),
            question="Tokens are counted from 1. Up to which token may the prediction of token n read?",
            answer="n - 1",
            symbols={"n": "positive"},
            slips=(
                Slip(
                    answer="n",
                    title="Let the prediction read its own answer",
                    why="Token n is what is to be predicted, so it must not be read.",
                ),
                Slip(
                    answer="n - 2",
                    title="Left out the token before",
                    why="Everything before token n may be read, and the last of that is token n - 1.",
                ),
            ),
        ),
        Derive(
            slug="window-start",
            points=Fraction(1),
            question="Positions are counted from 0. With a window of w positions, the position itself among them, "
            "which is the first position that t reads (where t is at least w)?",
            answer="t - w + 1",
            symbols={"t": "positive", "w": "positive"},
            slips=(
                Slip(
                    answer="t - w",
                    title="Made the window one too long",
                    why="From t - w to t there are w + 1 positions.",
                ),
            ),
        ),
        BreakClaim(
            slug="far-back",
            points=Fraction(1),
            question="Claim: under attention the nearest two positions always get at least half of the weight. Give one "
            "row of logits, the last position's, for which the claim fails.",
            claim=_nearest_two_count_most,
            given=(Given(name="row", axes="one T", least=1, most=8),),
            example="3 0 0",
        ),
        ChooseSentence(
            slug="leak",
            points=Fraction(1),
            question="The input is **{{ prompt_a }}** and every position is to predict the next word. "
            "Position 0 reads position 1 as well. What goes wrong?",
            right="It reads the word that it is to predict.",
            wrong={
                "Nothing: more context helps.": "In training it helps to copy the answer, and the answer is not there "
                "when the model writes.",
                "It forgets its own word.": "Its own position stays visible; one more has been added.",
                "Its weights no longer sum to 1.": "A softmax row sums to 1, however many positions it reads.",
            },
        ),
    ),
)
