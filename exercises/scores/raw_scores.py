"""Score every query against every key

The score of query $t$ and key $s$ is their dot product: large where the two point the same way.
Row $t$ of the scores belongs to the position that asks, column $s$ to the position it looks at.

$$ \\text{scores}_{t,s} = q_t \\cdot k_s $$

**In code:** write `scores`. Queries and keys may come from sequences of different lengths.

**By hand:** give all {{ T }} by {{ T }} scores of your numbers, before any scaling or masking. Round nothing.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=3,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    parts=(
        CodePart(operation="scores", points=Fraction(2)),
        TracePart(stages=("scores",), points=Fraction(2)),
    ),
)
