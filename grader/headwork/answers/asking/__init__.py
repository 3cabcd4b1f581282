"""Ways of asking beside code and hand traces: one module per way, found by importing it in an exercise.

A way is a frozen dataclass with a slug, points and a question; it says what is asked of one student
(``asked``) and marks what came back (``judge``). Content writes ``from headwork.answers.asking import Derive``.
"""

from headwork.answers.asking.catch import CatchMistakes
from headwork.answers.asking.choose import ChooseSentence, ChooseValue
from headwork.answers.asking.derive import Derive, Slip
from headwork.answers.asking.explain import Explain
from headwork.answers.asking.mark import key_for, mark_asked, options_seed, questions_for
from headwork.answers.asking.order import Order
from headwork.answers.asking.predict import Predict, Watched
from headwork.answers.asking.scene import Finding, Question, Scene
from headwork.answers.asking.spot import Repair, Spot
from headwork.answers.asking.witness import BreakClaim, Given, TellApart

__all__ = [
    "BreakClaim",
    "CatchMistakes",
    "ChooseSentence",
    "ChooseValue",
    "Derive",
    "Explain",
    "Finding",
    "Given",
    "Order",
    "Predict",
    "Question",
    "Repair",
    "Scene",
    "Slip",
    "Spot",
    "TellApart",
    "Watched",
    "key_for",
    "mark_asked",
    "options_seed",
    "questions_for",
]
