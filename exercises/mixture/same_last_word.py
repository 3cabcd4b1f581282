"""One last word, two outputs

The prompts **{{ prompt_a }}** and **{{ prompt_b }}** end in the same word. Work both in your head before you work one
on paper: what is equal, what is not, and where does the difference come in?

**By reasoning:** predict first, then choose, then say it in a sentence, which a person will read.
"""

from fractions import Fraction

from headwork.answers.asking import ChooseSentence, ChooseValue, Explain, Predict, Watched
from headwork.answers.asking.predict import first_word_replaced
from headwork.model import Exercise

exercise = Exercise(
    unit=6,
    hand_chain="attention",
    parts=(
        Predict(
            slug="what-changes",
            points=Fraction(2),
            question="**{{ prompt_a }}** becomes **{{ prompt_b }}** (x becomes x_b). Which of these change?",
            change=first_word_replaced,
            watched=(
                Watched(text="the query of the last position", of="q", at=(-1,)),
                Watched(text="the key of the first position", of="k", at=(0,)),
                Watched(text="the value of the first position", of="v", at=(0,)),
                Watched(text="the raw score of the last position for itself", of="scores", at=(-1, -1)),
                Watched(text="the weight that the last position gives to itself", of="weights", at=(-1, -1)),
                Watched(text="the weights of the first position", of="weights", at=(0,)),
                Watched(text="the output of the last position", of="heads", at=(-1,)),
            ),
        ),
        ChooseValue(
            slug="weights-b",
            points=Fraction(1),
            question="Which is the row of weights of the last position of **{{ prompt_b }}** (x_b)?",
            of="weights",
            at=(-1,),
            change=first_word_replaced,
        ),
        ChooseSentence(
            slug="cause",
            points=Fraction(1),
            question="The last position of **{{ prompt_a }}** gives most of its weight to one word. What follows from that alone?",
            right="That word's value has the largest share in what this head mixes here.",
            wrong={
                "The word is the cause of the model's prediction.": "A weight map shows where one head looks. What becomes of "
                "it depends on the values, the other heads and everything after.",
                "The other words could be left out without any change.": "Their weights are small, not 0, and their values "
                "may be large.",
                "The word has the largest value vector.": "Weights come from queries and keys; values play no part in them.",
            },
        ),
        Explain(
            slug="why",
            points=Fraction(2),
            question="In one sentence: why do two prompts with the same last word have different last outputs?",
            rubric=(
                "other first keys give other scores, and so other weights",
                "the first values differ too, so that equal weights would still mix other content",
                "says that the last query (and key and value) are the same",
            ),
        ),
    ),
)
