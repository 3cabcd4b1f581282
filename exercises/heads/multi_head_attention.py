"""Multi-head attention in one function

All of it, for a batch of prompts: project, split into heads, score, scale, mask, softmax, mix, merge, project back.
Every head reads the same $x$; no prompt sees another prompt's keys; without `causal` every position reads all.

**In code:** write `multi_head_attention`. You may call your other functions, or write it from scratch: only its numbers
count. If one of your functions is wrong and this one is right in itself, it keeps its marks.
"""

from fractions import Fraction

from headwork.answers.asking import Order
from headwork.model import ComposePart, Exercise

exercise = Exercise(
    unit=7,
    code_chains=("multi_head",),
    large_scores=True,
    parts=(
        ComposePart(
            name="multi_head_attention",
            chain="multi_head",
            target="out",
            arguments=("x", "w_q", "w_k", "w_v", "w_o", "n_heads", "causal"),
            points=Fraction(4),
        ),
        Order(
            slug="order",
            points=Fraction(1),
            question="Put these values in an order in which they can be computed.",
            stages=("out", "concat", "heads", "weights", "logits", "scaled", "scores", "q_heads"),
        ),
    ),
)
