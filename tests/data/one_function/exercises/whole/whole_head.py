"""Attention in one function

Write `attention(Q, K, V)`.
"""

from fractions import Fraction

from headwork.answers.asking import Explain
from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=9,
    code_chains=("whole",),
    parts=(
        CodePart(operation="attention", points=Fraction(10)),
        Explain(
            slug="why-scale",
            points=Fraction(2),
            question="Why are the scores divided before the softmax?",
            rubric=("the spread grows with the width", "a saturated softmax looks at one position"),
        ),
    ),
)
