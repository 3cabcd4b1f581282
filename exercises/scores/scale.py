"""Scale the scores

A dot product of {{ d_head }} independent terms of unit variance has variance {{ d_head }}, so its spread grows with
the width of the head. Dividing by the root of that width keeps the softmax from saturating:

$$ \\text{scaled} = \\frac{\\text{scores}}{\\sqrt{d_\\text{head}}} $$

**In code:** write `scaled`.

**By hand:** divide the unrounded scores. With your numbers $d_\\text{head} = {{ d_head }}$.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=3,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    parts=(
        CodePart(operation="scaled", points=Fraction(1)),
        TracePart(stages=("scaled",), points=Fraction(1)),
    ),
)
