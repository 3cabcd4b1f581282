"""Turn each row into weights

Every row of logits becomes weights that are at least 0 and sum to 1. A hidden position gets exactly 0.

$$ \\text{weights}_{t,s} = \\frac{e^{\\text{logits}_{t,s}}}{\\sum_{j} e^{\\text{logits}_{t,j}}} $$

**In code:** write `weights`. Logits may be in the thousands; adding a constant to a row changes nothing.

**By hand:** give the weights of your numbers, exactly or to three decimals. Round only at the end.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=5,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    large_scores=True,
    parts=(
        CodePart(operation="weights", points=Fraction(3)),
        TracePart(stages=("weights",), points=Fraction(2)),
    ),
)
