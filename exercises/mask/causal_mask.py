"""Hide the future

Position $t$ predicts the word after it, so it may read positions $0$ to $t$ and nothing later; otherwise it would read
its own answer. The mask says what is visible, not how much it weighs.

$$ \\text{logits}_{t,s} = \\begin{cases} \\text{scaled}_{t,s} & s \\le t \\\\ -\\infty & s > t \\end{cases} $$

**In code:** write `visible`, booleans that are True where a position may be read (everywhere, if `causal` is false),
and `logits`, which uses any such matrix.

**By hand:** give the logits of your numbers; write `-inf` for a hidden cell.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=4,
    code_chains=("multi_head",),
    hand_chain="attention",
    parts=(
        CodePart(operation="visible", points=Fraction(1)),
        CodePart(operation="logits", points=Fraction(2)),
        TracePart(stages=("logits",), points=Fraction(1)),
    ),
)
