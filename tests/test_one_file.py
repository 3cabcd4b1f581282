"""An exercise is one file and a mistake is one file: nothing else is touched, and the same checks hold them."""

import pytest
from headwork.assignment import ad_hoc
from headwork.checking import check_content
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.model import CourseError
from headwork.rooms import load_content

MISTAKE = '''"""Wrong scales of a course's own."""

from typing import Any


def divided_by_seven_heads(scores: Any, d_head: int) -> Any:
    """Divided by seven times the square root of d_head.

    The weights come out nearly even, whatever the scores say.

    Look for a number that the contract does not name.

    Where does the seven come from?
    """
    return scores / (7 * d_head**0.5)
'''
CLASHING = MISTAKE.replace("scores / (7 * d_head**0.5)", "scores / d_head**0.5")
EXERCISE = '''"""Scale once more

Divide the scores of **{{ prompt_a }}** by the root of {{ d_head }}.
"""

from fractions import Fraction

from headwork.model import CodePart, Exercise

exercise = Exercise(
    unit=3,
    code_chains=("multi_head",),
    hand_chain="attention",
    parts=(CodePart(operation="scaled", points=Fraction(1)),),
)
'''


def room(tmp_path, **files):
    for name, text in files.items():
        folder = tmp_path / ("exercises/course" if name == "scale_once_more" else "solutions/mistakes")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    return tmp_path


def lines(folder, slug):
    return {line.text: line.ok for line in check_content([folder], seeds=2) if line.text.startswith(f"{slug}:")}


@pytest.mark.slow
def test_one_file_adds_an_exercise_that_is_checked(tmp_path):
    folder = room(tmp_path, scale_once_more=EXERCISE)
    assert "scale-once-more" in load_content([folder]).exercises
    found = lines(folder, "scale-once-more")
    assert found
    assert all(found.values()), found


def test_one_file_adds_a_mistake_to_those_of_its_stage(tmp_path):
    content = load_content([room(tmp_path, scaled=MISTAKE)])
    assert {"scaled/divided-by-seven-heads", "scaled/not-scaled"} <= set(content.mistakes)
    sheet = draw_sheet(
        content, ad_hoc("hw", [content.exercises["scale"]]), secret=seed_from_integer(1), student="ada"
    )  # fmt: skip
    measured = {distance.mistake for certificate in sheet.certificates for distance in certificate.distances}
    assert "scaled/divided-by-seven-heads" in measured


def test_a_mistake_that_is_right_is_found_out(tmp_path):
    content = load_content([room(tmp_path, scaled=CLASHING)])
    with pytest.raises(CourseError, match="scaled/divided-by-seven-heads"):
        draw_sheet(content, ad_hoc("hw", [content.exercises["scale"]]), secret=seed_from_integer(1), student="ada")
