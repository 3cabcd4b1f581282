"""Decode with a cache

`decode` is the step for new positions: their queries ask the cached keys and their own, under the mask of the cache.
`prefill_and_decode` reads the prompt `x_past` first. Both must give what attention over the whole text gives at the new
positions; the cache saves work and changes nothing.

**In code:** write `decode` and `prefill_and_decode` for one head.
"""

from fractions import Fraction

from headwork.model import ComposePart, Exercise

exercise = Exercise(
    unit=8,
    code_chains=("decoding",),
    parts=(
        ComposePart(
            name="decode",
            chain="decoding",
            target="heads",
            arguments=("x", "k_cache", "v_cache", "w_q", "w_k", "w_v"),
            points=Fraction(3),
        ),
        ComposePart(
            name="prefill_and_decode",
            chain="decoding",
            target="heads",
            arguments=("x_past", "x", "w_q", "w_k", "w_v"),
            points=Fraction(2),
        ),
    ),
)
