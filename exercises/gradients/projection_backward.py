"""Back to the weights and the input

One projection serves every position of every prompt, so its gradient is a sum over all of them. The input went into
queries, keys and values, and gets back the sum of three paths; the value path does not pass through the scores.

**In code:** write `d_projection`, `back_projected` and `d_x`, and `attention_backward` for the gradient with respect to
$x$ from beginning to end.
"""

from fractions import Fraction

from headwork.model import CodePart, ComposePart, Exercise

exercise = Exercise(
    unit=9,
    code_chains=("gradients",),
    parts=(
        CodePart(operation="d_projection", points=Fraction(1)),
        CodePart(operation="back_projected", points=Fraction(1)),
        CodePart(operation="d_x", points=Fraction(1)),
        ComposePart(
            name="attention_backward",
            chain="gradients",
            target="d_x",
            arguments=("x", "w_q", "w_k", "w_v", "upstream", "causal"),
            points=Fraction(4),
        ),
    ),
)
