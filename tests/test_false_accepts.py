"""No rounding accepts a mistake: on drawn problems every known mistake is outside what "to 3 decimals" takes for right."""

import numpy as np
import pytest
from headwork.answers.decimals import Asked, Closeness, closeness
from headwork.answers.value import real
from headwork.assignment import ad_hoc
from headwork.draw.certify import hand_scope, in_scope
from headwork.draw.draw import draw_own
from headwork.draw.seeds import seed_from_integer
from headwork.mistakes import shows_on
from headwork.model import Parameters, TracePart
from headwork.rooms import load_content

CONTENT = load_content()
TRACED = [
    exercise
    for exercise in CONTENT.exercises.values()
    if exercise.hand_chain == "attention" and any(isinstance(part, TracePart) for part in exercise.parts)
]
ASKED = Asked(decimals=3)


def accepted(reference, typed):
    """Whether every cell of ``typed`` would be taken for the cell of ``reference``."""
    if reference.shape != typed.shape:
        return False
    pairs = zip(reference.ravel().tolist(), typed.ravel().tolist(), strict=True)
    for right, seen in pairs:
        if not (np.isfinite(right) and np.isfinite(seen)):
            if right != seen and not (np.isnan(right) and np.isnan(seen)):
                return False
        elif closeness(real(seen), real(right), ASKED, None) is not Closeness.RIGHT:
            return False
    return True


@pytest.mark.parametrize("numbers", ["tenths", "ln2", "ln3"])
@pytest.mark.parametrize("seed", range(8))
def test_no_known_mistake_is_accepted_as_right(numbers, seed):
    assert ad_hoc("hw", TRACED).own_groups
    drawn = draw_own(
        CONTENT, TRACED, seed=seed_from_integer(seed), parameters=Parameters(numbers=numbers)
    )  # fmt: skip
    chain = CONTENT.chains["attention"]
    parts = [part for exercise in TRACED for part in exercise.parts if isinstance(part, TracePart)]
    taken = []
    with np.errstate(all="ignore"):
        for candidate in in_scope(CONTENT, chain.slug, hand_scope(chain, parts)):
            if not shows_on(candidate.mistake, drawn.values):
                continue
            for stage in candidate.own:
                try:
                    made = np.asarray(candidate.replaced[stage](drawn.values), np.float64)
                except Exception:  # a wrong stage that fails is accepted by nobody
                    continue
                if accepted(np.asarray(drawn.values[stage], np.float64), made):
                    taken.append((candidate.mistake.slug, stage))
    assert taken == []
