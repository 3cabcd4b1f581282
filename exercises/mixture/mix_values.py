"""Mix the values

The output of a head at position $t$ is a mixture of the values, in the proportions of row $t$ of the weights.
The weights say where a position looks; the values say what it finds there.

$$ \\text{heads}_t = \\sum_s \\text{weights}_{t,s}\\, v_s $$

The prompts **{{ prompt_a }}** and **{{ prompt_b }}** end in the same word, and so their last queries are equal.
Their last outputs are not: other first words give other weights and other values.

**In code:** write `heads`.

**By hand:** give the output of the head for every position of **{{ prompt_a }}**, exactly or to three decimals.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=6,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    parts=(
        CodePart(operation="heads", points=Fraction(2)),
        TracePart(stages=("heads",), points=Fraction(2)),
    ),
)
