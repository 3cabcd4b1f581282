"""Keep what does not change

While a text is written, the keys and values of the positions before stay as they are. A cache keeps them, so that a new
position costs one projection and one row of scores instead of the whole text again.

**In code:** write `appended`, the cache with new rows behind it, and `visible_from_cache`, the mask of `T_new` new
positions behind `T_past` cached ones. The cache that you were given must not change.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=8,
    code_chains=("decoding",),
    parts=(
        CodePart(operation="appended", points=Fraction(1)),
        CodePart(operation="visible_from_cache", points=Fraction(2)),
    ),
)
