"""Scale the scores

A dot product of {{ d_head }} independent terms of unit variance has variance {{ d_head }}, so its spread grows with
the width of the head. Dividing by the root of that width keeps the softmax from saturating:

$$ \\text{scaled} = \\frac{\\text{scores}}{\\sqrt{d_\\text{head}}} $$

**In code:** write `scaled`.

**By hand:** divide the unrounded scores. With your numbers $d_\\text{head} = {{ d_head }}$.
"""

from fractions import Fraction

from headwork.answers.asking import Derive, Given, Slip, TellApart
from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=3,
    code_chains=("multi_head",),
    hand_chain="attention",
    parts=(
        CodePart(operation="scaled", points=Fraction(1)),
        TracePart(stages=("scaled",), points=Fraction(1)),
        Derive(
            slug="variance",
            points=Fraction(1),
            question="All components of a query and a key are independent, with mean 0 and variance 1. "
            "What is the variance of their raw score $q \\cdot k$?",
            answer="d_head",
            symbols={"d_head": "positive"},
            slips=(
                Slip(
                    answer="sqrt(d_head)",
                    title="Gave the standard deviation",
                    why="The variance of a sum of independent terms is the sum of their variances; the spread is its root.",
                    look="How much does one product of the sum add to the variance?",
                ),
                Slip(
                    answer="1",
                    title="Gave the variance after scaling",
                    why="It is 1 once the score has been divided by the root of d_head. The question is about the raw score.",
                ),
                Slip(
                    answer="d_head^2",
                    title="Squared the number of terms",
                    why="Variances of independent terms add up; they would grow with the square only if all terms were equal.",
                ),
            ),
        ),
        TellApart(
            slug="looks-right",
            points=Fraction(1),
            question="Code that divides the scores by *half* of d_head passed a test. Give a width `d_head` at which "
            "it cannot be told from the right code.",
            stage="scaled",
            mistake="scaled/divided-by-half-of-d-head",
            given=(Given(name="d_head", most=1024),),
            example="4",
            alike=True,
        ),
    ),
)
