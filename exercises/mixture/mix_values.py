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

from headwork.answers.asking import ChooseValue, Predict, Watched
from headwork.answers.asking.predict import first_word_replaced
from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=6,
    code_chains=("multi_head", "cross"),
    hand_chain="attention",
    parts=(
        CodePart(operation="heads", points=Fraction(2)),
        TracePart(stages=("heads",), points=Fraction(2)),
        Predict(
            slug="other-first-word",
            points=Fraction(1),
            question="Before you compute: the first word changes, so that **{{ prompt_a }}** becomes **{{ prompt_b }}** "
            "(x becomes x_b). Which of these change?",
            change=first_word_replaced,
            watched=(
                Watched(text="the query of the last position", of="q", at=(-1,)),
                Watched(text="the key of the last position", of="k", at=(-1,)),
                Watched(text="the key of the first position", of="k", at=(0,)),
                Watched(text="the value of the first position", of="v", at=(0,)),
                Watched(text="the weights of the first position", of="weights", at=(0,)),
                Watched(text="the weights of the last position", of="weights", at=(-1,)),
                Watched(text="the output of the last position", of="heads", at=(-1,)),
            ),
        ),
        ChooseValue(
            slug="last-output-b",
            points=Fraction(1),
            question="Now compute: which is the output of the head at the last position of **{{ prompt_b }}** (x_b)?",
            of="heads",
            at=(-1,),
            change=first_word_replaced,
        ),
    ),
)
