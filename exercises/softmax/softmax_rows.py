"""Turn each row into weights

Every row of logits becomes weights that are at least 0 and sum to 1. A hidden position gets exactly 0.

$$ \\text{weights}_{t,s} = \\frac{e^{\\text{logits}_{t,s}}}{\\sum_{j} e^{\\text{logits}_{t,j}}} $$

**In code:** write `weights`. Logits may be in the thousands; adding a constant to a row changes nothing.

**By hand:** give the weights of your numbers, exactly or to three decimals. Round only at the end.
"""

from fractions import Fraction

from headwork.answers.asking import ChooseSentence, Derive, Slip
from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=5,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    large_scores=True,
    parts=(
        CodePart(operation="weights", points=Fraction(3)),
        TracePart(stages=("weights",), points=Fraction(2)),
        Derive(
            slug="coupling",
            points=Fraction(1),
            question="A row has the weights `p_0`, `p_1` and `p_2`, made of the logits $z_0, z_1, z_2$. "
            "What is the derivative of `p_0` with respect to $z_1$, in terms of the weights?",
            answer="-p_0*p_1",
            symbols={"p_0": "positive", "p_1": "positive", "p_2": "positive"},
            given={"p_2": "1 - p_0 - p_1"},
            slips=(
                Slip(
                    answer="p_0*p_1",
                    title="Lost the sign",
                    why="What one position gains the others lose: raising another logit lowers this weight.",
                ),
                Slip(
                    answer="p_0*(1-p_0)",
                    title="Gave the derivative by the weight's own logit",
                    why="That is the entry on the diagonal of the Jacobian; this one is beside it.",
                ),
                Slip(
                    answer="0",
                    title="Took the weights of a row to be independent",
                    why="They share the sum in the denominator.",
                ),
            ),
        ),
        ChooseSentence(
            slug="shift",
            points=Fraction(1),
            question="A row of logits is changed. Which change leaves every weight of the row as it was?",
            right="Adding {{ T }} to every logit of the row.",
            wrong={
                "Multiplying every logit of the row by {{ T }}.": "That keeps the order of the weights and changes their "
                "spread: differences between logits grow.",
                "Adding {{ T }} to the largest logit of the row.": "Only what is the same for all cancels in the quotient.",
                "Replacing every logit by its absolute value.": "Signs matter: a logit of -1 gets less weight than one of 1.",
            },
        ),
    ),
)
