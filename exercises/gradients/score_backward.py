"""Back through scale and scores

The scale divides on the way back as it did on the way there. A score is a product of two factors, and each gets the
gradient times the other.

**In code:** write `d_scores`, `d_q` and `d_k`. Check them against finite differences.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=9,
    code_chains=("gradients",),
    parts=(
        CodePart(operation="d_scores", points=Fraction(1)),
        CodePart(operation="d_q", points=Fraction(1)),
        CodePart(operation="d_k", points=Fraction(1)),
    ),
)
