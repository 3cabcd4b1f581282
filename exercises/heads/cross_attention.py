"""Look into another sequence

In cross attention the queries come from $x$, the keys and values from a second sequence, `context`, of another length.
Nothing is masked: every query may read the whole context.

**In code:** write `cross_attention` for one head, from inputs to the mixture of values.
"""

from fractions import Fraction

from headwork.model import ComposePart, Exercise

exercise = Exercise(
    unit=7,
    code_chains=("cross",),
    parts=(
        ComposePart(
            name="cross_attention",
            chain="cross",
            target="heads",
            arguments=("x", "context", "w_q", "w_k", "w_v"),
            points=Fraction(3),
        ),
    ),
)
