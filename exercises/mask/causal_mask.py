"""Hide the future

Position $t$ predicts the word after it, so it may read positions $0$ to $t$ and nothing later; otherwise it would read
its own answer. The mask says what is visible, not how much it weighs.

$$ \\text{logits}_{t,s} = \\begin{cases} \\text{scaled}_{t,s} & s \\le t \\\\ -\\infty & s > t \\end{cases} $$

**In code:** write `visible`, booleans that are True where a position may be read (everywhere, if `causal` is false),
and `logits`, which uses any such matrix.

**By hand:** give the logits of your numbers; write `-inf` for a hidden cell.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from headwork.answers.asking import BreakClaim, Given, Predict, Watched
from headwork.answers.asking.predict import last_position_doubled
from headwork.model import CodePart, Exercise, TracePart


def _minus_ten_is_enough(values: Mapping[str, Any]) -> bool:
    filled = np.exp(np.where(values["visible"], values["scaled"], -10.0))
    leaky = filled / filled.sum(axis=-1, keepdims=True)
    return bool(np.abs(leaky - values["weights"]).max() <= 1e-3)


def _moderate(values: Mapping[str, Any]) -> str:
    return "" if np.abs(values["scaled"]).max() <= 100 else "scores are between -100 and 100 here"


exercise = Exercise(
    unit=4,
    code_chains=("multi_head",),
    hand_chain="attention",
    parts=(
        CodePart(operation="visible", points=Fraction(1)),
        CodePart(operation="logits", points=Fraction(2)),
        TracePart(stages=("logits",), points=Fraction(1)),
        BreakClaim(
            slug="minus-ten",
            points=Fraction(1),
            question="Claim: filling hidden cells with -10 instead of $-\\infty$ changes no weight by more than 0.001. "
            "Give a small matrix of scaled scores, one row per line, for which the claim fails under the causal mask.",
            claim=_minus_ten_is_enough,
            given=(Given(name="scaled", axes="T T", least=2, most=4),),
            example="-8 0\n0 0",
            uses=("visible", "weights"),
            assumes=_moderate,
        ),
        Predict(
            slug="future",
            points=Fraction(1),
            question="Before you compute: the features of the last position of your prompt are doubled. Under the causal "
            "mask, which of these change?",
            change=last_position_doubled,
            watched=(
                Watched(text="the query of the last position", of="q", at=(-1,)),
                Watched(text="the key of the first position", of="k", at=(0,)),
                Watched(text="the weights of the first position", of="weights", at=(0,)),
                Watched(text="the output of the first position", of="heads", at=(0,)),
                Watched(text="the output of the last position", of="heads", at=(-1,)),
            ),
        ),
    ),
)
