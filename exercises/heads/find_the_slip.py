"""Find the slip in a listing

Somebody has written multi-head attention as one function, and one of its lines is wrong. The function runs; its shapes
are right; its numbers are not.

Read it stage by stage: what should the value be, which axis does it run over, and what does the line do instead?
"""

from fractions import Fraction

from headwork.answers.asking import Repair, Spot
from headwork.model import Exercise

INLINE = ("scores", "scaled", "logits", "weights", "heads", "concat")

exercise = Exercise(
    unit=7,
    code_chains=("multi_head",),
    parts=(
        Spot(
            slug="wrong-line",
            points=Fraction(1),
            question="One line of this function is wrong. Which one?",
            up_to="out",
            stages=INLINE,
        ),
        Repair(
            slug="repair",
            points=Fraction(1),
            question="What has to stand in its place?",
            up_to="out",
            stages=INLINE,
        ),
    ),
)
