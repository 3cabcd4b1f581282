"""Average the visible prefix

The prompt **{{ prompt_a }}** has {{ T }} positions. Before any position learns to look for something, it can read
everything it may see in equal shares: position $t$ reads positions $0$ to $t$, each with weight $\\frac{1}{t+1}$.

$$ \\text{averages}_t = \\frac{1}{t+1} \\sum_{s \\le t} x_s $$

No query and no key is asked: these weights do not depend on the words. Attention will change the weights, and nothing
else about this sum.

**In code:** write `uniform`, the shares, and `averages`. The shares follow any matrix of visible cells.

**By hand:** give the shares and the averages of your numbers.
"""

from fractions import Fraction

from headwork.answers.asking import ChooseSentence, Predict, Watched
from headwork.answers.asking.predict import first_word_replaced
from headwork.model import CodePart, Exercise, TracePart

exercise = Exercise(
    unit=1,
    code_chains=("prefix",),
    hand_chain="prefix",
    parts=(
        CodePart(operation="uniform", points=Fraction(2)),
        CodePart(operation="averages", points=Fraction(1)),
        TracePart(stages=("uniform", "averages"), points=Fraction(1)),
        Predict(
            slug="other-first-word",
            points=Fraction(1),
            question="Before you compute: **{{ prompt_a }}** becomes **{{ prompt_b }}** (x becomes x_b). "
            "Which of these change?",
            change=first_word_replaced,
            watched=(
                Watched(text="the shares of the first position", of="uniform", at=(0,)),
                Watched(text="the shares of the last position", of="uniform", at=(-1,)),
                Watched(text="the average at the first position", of="averages", at=(0,)),
                Watched(text="the average at the last position", of="averages", at=(-1,)),
            ),
        ),
        ChooseSentence(
            slug="depends-on",
            points=Fraction(1),
            question="On what do the shares of position $t$ depend?",
            right="On $t$ alone.",
            wrong={
                "On the word at position $t$.": "Every word gets the same shares here; only queries make them depend on it.",
                "On how well the words fit together.": "Nothing is compared here: that is what queries and keys are for.",
                "On the length T of the prompt.": "Position $t$ reads $t+1$ positions, however many come after it.",
            },
        ),
    ),
)
