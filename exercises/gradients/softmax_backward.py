"""Back through values and softmax

A loss sends `upstream`, its gradient with respect to the head's output. The values get it back in the proportions of the
weights; the weights get it through the values; and the softmax ties a row together, so that raising one logit takes
weight from all the others.

**In code:** write `d_v`, `d_weights` and `d_logits`.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=9,
    code_chains=("gradients",),
    parts=(
        CodePart(operation="d_v", points=Fraction(1)),
        CodePart(operation="d_weights", points=Fraction(1)),
        CodePart(operation="d_logits", points=Fraction(2)),
    ),
)
