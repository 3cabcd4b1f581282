"""Project the heads back

The concatenated heads have {{ n_heads }} times {{ d_head }} features; the residual stream has {{ d_model }}.
$W_O$ maps one to the other and, doing so, mixes what the heads found:

$$ \\text{out} = \\text{concat}\\; W_O $$

Permuting the heads together with the matching rows of $W_O$ changes nothing.

**In code:** write `out`.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=7,
    code_chains=("multi_head",),
    parts=(CodePart(operation="out", points=Fraction(1)),),
)
