"""Project the positions

The prompt **{{ prompt_a }}** has {{ T }} positions. Row $t$ of $x$ holds the {{ d_model }} features of position $t$:
an embedding, or what an earlier layer made of it, never a token number.
Queries, keys and values are three different views of that one $x$, each with a projection of its own:

$$ q = x\\,W_Q, \\qquad k = x\\,W_K, \\qquad v = x\\,W_V $$

Every position goes through the same three matrices.

**In code:** write `project`, which serves all three. Leading axes (prompts, heads) are computed side by side.

**By hand:** give $q$, $k$ and $v$ for your numbers, exactly. Roots and logarithms may stand as they are.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=2,
    code_chains=("multi_head",),
    hand_chain="attention",
    parts=(
        CodePart(operation="project", points=Fraction(2)),
        TracePart(stages=("q", "k", "v"), points=Fraction(1)),
    ),
)
