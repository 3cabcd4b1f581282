"""Score every query against every key

The score of query $t$ and key $s$ is their dot product: large where the two point the same way.
Row $t$ of the scores belongs to the position that asks, column $s$ to the position it looks at.

$$ \\text{scores}_{t,s} = q_t \\cdot k_s $$

**In code:** write `scores`. Queries and keys may come from sequences of different lengths.

**By hand:** give all {{ T }} by {{ T }} scores of your numbers, before any scaling or masking. Round nothing.
"""

from fractions import Fraction

from headwork.answers.asking import Derive, Slip
from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=3,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    parts=(
        CodePart(operation="scores", points=Fraction(2)),
        TracePart(stages=("scores",), points=Fraction(2)),
        Derive(
            slug="entries",
            points=Fraction(1),
            question="How many scores does a layer compute for B prompts of T positions with n_heads heads?",
            answer="B*n_heads*T^2",
            symbols={"B": "positive", "T": "positive", "n_heads": "positive", "d_head": "positive"},
            slips=(
                Slip(
                    answer="B*n_heads*T",
                    title="Counted one score per position",
                    why="Every position asks every position, so a head has a square of scores.",
                ),
                Slip(
                    answer="B*T^2",
                    title="Counted one head",
                    why="Every head has scores of its own.",
                ),
                Slip(
                    answer="n_heads*T^2",
                    title="Counted one prompt",
                    why="Prompts are computed side by side, each with scores of its own.",
                ),
                Slip(
                    answer="B*n_heads*T^2*d_head",
                    title="Counted the products instead of the scores",
                    why="A score is the sum of d_head products, but it is one number.",
                ),
                Slip(
                    answer="B*n_heads*T*(T+1)/2",
                    title="Left out the hidden scores",
                    why="The mask comes after the scores: a dense implementation computes the whole square first.",
                ),
            ),
        ),
    ),
)
