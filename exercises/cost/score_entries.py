"""Count the scores

Attention compares every position with every other one, in every head, for every prompt. Count with B prompts of
T positions, n_heads heads of width d_head, one layer. A dense causal implementation still builds the whole square.

When a model writes, it keeps the keys and values of what it has read (the cache), so that a new position brings one
query and computes one row.

**By counting:** give exact expressions in the names given.
"""

from fractions import Fraction

from headwork.answers.asking import ChooseSentence, Derive, Slip
from headwork.model import Exercise

SIZES = {"B": "positive", "T": "positive", "n_heads": "positive", "d_head": "positive"}

exercise = Exercise(
    unit=8,
    hand_chain="prefix",
    shows_numbers=False,
    parts=(
        Derive(
            slug="entries",
            points=Fraction(1),
            question="How many scores does the layer hold?",
            answer="B*n_heads*T^2",
            symbols=SIZES,
            slips=(
                Slip(
                    answer="B*n_heads*T*(T+1)/2",
                    title="Left out the hidden half",
                    why="A dense implementation computes the whole square and hides half of it afterwards.",
                ),
                Slip(answer="B*T^2", title="Counted one head", why="Every head has scores of its own."),
                Slip(answer="n_heads*T^2", title="Counted one prompt", why="Every prompt has scores of its own."),
                Slip(
                    answer="B*n_heads*T^2*d_head",
                    title="Counted products instead of scores",
                    why="A score is a sum of d_head products, but it is one number.",
                ),
            ),
        ),
        Derive(
            slug="bytes",
            points=Fraction(1),
            question="Scores and weights are both kept, 4 bytes a number. How many bytes is that?",
            answer="8*B*n_heads*T^2",
            symbols=SIZES,
            slips=(
                Slip(
                    answer="4*B*n_heads*T^2", title="Counted one of the two", why="There are as many weights as scores."
                ),
                Slip(answer="2*B*n_heads*T^2", title="Counted numbers, not bytes", why="Each number takes 4 bytes."),
            ),
        ),
        Derive(
            slug="doubled",
            points=Fraction(1),
            question="The prompts become twice as long. By which factor does the number of scores grow?",
            answer="4",
            slips=(Slip(answer="2", title="Took the growth to be linear", why="Both sides of the square double."),),
        ),
        Derive(
            slug="multiplications",
            points=Fraction(1),
            question="How many multiplications do the scores take?",
            answer="B*n_heads*T^2*d_head",
            symbols=SIZES,
            slips=(
                Slip(
                    answer="B*n_heads*T^2",
                    title="Counted the scores",
                    why="Every score is a dot product of d_head terms.",
                ),
            ),
        ),
        Derive(
            slug="cache",
            points=Fraction(1),
            question="How many numbers does the cache of the layer hold once T positions have been read?",
            answer="2*B*n_heads*T*d_head",
            symbols=SIZES,
            slips=(
                Slip(answer="B*n_heads*T*d_head", title="Kept one of the two", why="Keys and values are both kept."),
                Slip(answer="3*B*n_heads*T*d_head", title="Kept queries too", why="A past query is never asked again."),
                Slip(
                    answer="B*n_heads*T^2",
                    title="Kept the scores",
                    why="A new position makes a new row of scores; the old rows are done with.",
                ),
            ),
        ),
        Derive(
            slug="new-row",
            points=Fraction(1),
            question="With the cache in place one new position is appended after T positions. How many new scores does it need?",
            answer="B*n_heads*(T+1)",
            symbols=SIZES,
            slips=(
                Slip(answer="B*n_heads*T", title="Left out the new position itself", why="It reads itself as well."),
                Slip(
                    answer="B*n_heads*(T+1)^2",
                    title="Computed the whole square again",
                    why="Earlier rows do not change when the text grows, so they are not needed again.",
                ),
            ),
        ),
        ChooseSentence(
            slug="avoids",
            points=Fraction(1),
            question="What does the cache avoid computing again?",
            right="The keys and values of the positions that were read before.",
            wrong={
                "The queries of the positions that were read before.": "They would not be needed anyway: only the new "
                "position asks.",
                "The scores of the new position.": "They are new, and have to be computed.",
                "The softmax of the last row.": "The new row has a softmax of its own.",
            },
        ),
    ),
)
