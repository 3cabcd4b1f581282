"""Split into heads, and merge again

A fused projection computes all heads at once: its {{ n_heads }} times {{ d_head }} columns are the heads' columns side
by side. `split_heads` gives each head its own block and moves the head axis before the positions; `concat` puts the
heads' outputs back, in the same order, as if nothing had happened.

Neither is a plain reshape: the order in memory is not the order you want.

**In code:** write `split_heads` and `concat`. Their composition changes nothing.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=7,
    code_chains=("multi_head",),
    parts=(
        CodePart(operation="split_heads", points=Fraction(2)),
        CodePart(operation="concat", points=Fraction(2)),
    ),
)
