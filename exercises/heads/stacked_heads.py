"""A stack of heads instead of one wide projection

The same computation with the projections stored head by head: `w_q[h]` has shape (d_model, d_head). No split is needed;
every head reads the whole of $x$, and the heads are merged as before.

**In code:** write `project_heads`, and `stacked_attention` for the whole computation.
"""

from fractions import Fraction

from headwork.model import CodePart, ComposePart, Exercise

exercise = Exercise(
    unit=7,
    code_chains=("stacked_heads",),
    parts=(
        CodePart(operation="project_heads", points=Fraction(1)),
        ComposePart(
            name="stacked_attention",
            chain="stacked_heads",
            target="out",
            arguments=("x", "w_q", "w_k", "w_v", "w_o", "causal"),
            points=Fraction(3),
        ),
    ),
)
