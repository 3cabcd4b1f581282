"""Homework three

Softmax, scores, mask and one head, as an older course asks for them.
"""

from fractions import Fraction

from headwork.model import CodePart, ComposePart, Exercise

exercise = Exercise(
    unit=3,
    code_chains=("hw3",),
    large_scores=True,
    parts=(
        CodePart(operation="softmax", points=Fraction(3)),
        CodePart(operation="attention_scores", points=Fraction(3)),
        CodePart(operation="causal_mask", points=Fraction(1)),
        ComposePart(
            name="attention_head",
            chain="hw3",
            target="head",
            arguments=("x", "w_q", "w_k", "w_v", "causal"),
            points=Fraction(4),
        ),
    ),
)
