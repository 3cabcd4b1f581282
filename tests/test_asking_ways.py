"""What each way of asking accepts, and what it says about what it does not."""

from fractions import Fraction

import numpy as np
import pytest
from asked_parts import asked, asked_as
from headwork.answers.asking import ChooseValue, Derive, Explain, Given, Order, Predict, Slip, TellApart, Watched
from headwork.answers.asking.letters import LETTERS, one_letter, several_letters
from headwork.answers.asking.mark import waiting_for_a_person
from headwork.model import ContentError, Verdict

ONE = Fraction(1)


def _letter_of(found, text):
    return LETTERS[found.question.options.index(text)]


# --- letters


@pytest.mark.parametrize("typed", ["b", "B", " b ", "b)", "(b)", "[B]", "b."])
def test_a_letter_is_read_however_it_is_dressed(typed):
    assert one_letter(typed, 4) == 1


@pytest.mark.parametrize("typed", ["e", "bb", "2", "", "b c", "ß"])
def test_what_is_no_letter_of_the_options_is_none(typed):
    assert one_letter(typed, 4) is None


@pytest.mark.parametrize("typed", ["a c", "A, C", "ac", "a;c", "(a) (c)", "a and c", "a) c)", "a\nc", "a -> c", "a→c"])
def test_several_letters_are_read_however_they_are_parted(typed):
    assert several_letters(typed, 4) == (0, 2)


@pytest.mark.parametrize("typed", ["none", "None.", "nothing", "-"])
def test_nothing_can_be_said(typed):
    assert several_letters(typed, 4) == ()


@pytest.mark.parametrize("typed", ["a a", "a z", "a 1", "?"])
def test_letters_that_are_not_there_or_twice_are_refused(typed):
    assert several_letters(typed, 4) is None


# --- derive


@pytest.mark.parametrize(
    ("exercise", "part", "typed"),
    [
        ("raw-scores", "entries", "n_heads B T^2"),
        ("raw-scores", "entries", "B*T*n_heads*T"),
        ("softmax-rows", "coupling", "-p0*p1"),
        ("softmax-rows", "coupling", "p_1^2 + p_1*p_2 - p_1"),
        ("jacobian", "own", "p_0*(p_1 + p_2)"),
        ("jacobian", "own", "p_0 - p_0^2"),
        ("jacobian", "back", r"p_0 (g_0 - (p_0 g_0 + p_1 g_1 + p_2 g_2))"),
        ("jacobian", "back", "p_0*p_1*(g_0 - g_1) + p_0*p_2*(g_0 - g_2)"),
        ("score-entries", "bytes", "2*4*n_heads*B*T^2"),
        ("score-entries", "new-row", "B*n_heads + B*n_heads*T"),
        ("scale", "variance", r"\sqrt{d_head^2}"),
        ("visibility", "window-start", "1 + t - w"),
    ],
)
def test_equal_expressions_are_right_however_they_are_written(exercise, part, typed):
    judgement = asked(exercise, part).mark(typed)
    assert (judgement.verdict, judgement.points) == (Verdict.RIGHT, judgement.maximum), judgement.summary


@pytest.mark.parametrize(
    ("exercise", "part", "typed", "title"),
    [
        ("scale", "variance", "sqrt(d_head)", "Gave the standard deviation"),
        ("raw-scores", "entries", "n_heads*T^2", "Counted one prompt"),
        ("jacobian", "other", "p_2*p_0", "Lost the sign"),
        ("jacobian", "back", "g_0*p_0", "Left out the mean"),
        ("visibility", "last-read", "n", "Let the prediction read its own answer"),
        ("score-entries", "doubled", "2", "Took the growth to be linear"),
    ],
)
def test_a_known_slip_is_named(exercise, part, typed, title):
    judgement = asked(exercise, part).mark(typed)
    assert judgement.verdict is Verdict.WRONG
    assert judgement.points == 0
    assert judgement.diagnosis.title == title


def test_a_weight_is_accepted_as_any_ratio_of_exponentials_that_is_equal():
    found = asked("jacobian", "last-weight")
    assert found.mark(f"1/(1/({found.key}))").verdict is Verdict.RIGHT
    assert found.mark(f"1 - (1 - ({found.key}))").verdict is Verdict.RIGHT
    assert found.mark(f"2*({found.key})").verdict is Verdict.WRONG


def test_a_decimal_is_not_an_exact_weight():
    assert asked("jacobian", "last-weight").mark("0.333").verdict is Verdict.WRONG


def test_the_right_value_in_another_form_earns_half():
    part = Derive(slug="half", points=ONE, question="?", answer="1/2", form="simplified")
    judgement = asked_as(part).mark("2/4")
    assert judgement.points == Fraction(1, 2)
    assert "another form" in judgement.summary


def test_an_unknown_name_is_pointed_at():
    judgement = asked("scale", "variance").mark("2*d_model")
    assert judgement.verdict is Verdict.UNREADABLE
    assert "d_model" in judgement.messages[0]


def test_an_expression_without_a_value_is_unreadable_and_says_why():
    judgement = asked("score-entries", "doubled").mark("1/(2-2)")
    assert judgement.verdict is Verdict.UNREADABLE
    assert "divides by zero" in judgement.summary


def test_an_answer_of_the_content_that_is_not_of_the_grammar_is_the_authors_error():
    part = Derive(
        slug="odd", points=ONE, question="?", answer="2*nonsense", slips=(Slip(answer="1", title="t", why="w"),)
    )
    with pytest.raises(ContentError, match="nonsense"):
        _ = asked_as(part).question


# --- choose


def test_the_value_itself_can_be_typed_instead_of_its_letter():
    found = asked("same-last-word", "weights-b")
    right = found.question.options[LETTERS.index(found.key)]
    assert found.mark(right.replace(",", " ")).verdict is Verdict.RIGHT


def test_typing_a_mistakes_value_names_the_mistake():
    found = asked("same-last-word", "weights-b")
    wrong = next(text for letter, text in zip(LETTERS, found.question.options, strict=False) if letter != found.key)
    judgement = found.mark(wrong)
    assert judgement.verdict is Verdict.WRONG
    assert judgement.diagnosis.mistakes


def test_preferred_mistakes_come_first():
    part = ChooseValue(slug="v", points=ONE, question="?", of="scaled", at=(-1,), prefer=("scaled/divided-by-d-head",))
    found = asked_as(part, "scale")
    named = {found.mark(letter).diagnosis.mistakes[0] for letter in "abcd" if letter != found.key}
    assert "scaled/divided-by-d-head" in named


# --- predict


def test_every_item_of_a_prediction_counts():
    found = asked("causal-mask", "future")
    assert found.mark("none").points == Fraction(3, 5)
    assert found.mark(found.key).points == 1


def test_a_prediction_says_which_items_to_look_at_again():
    found = asked("causal-mask", "future")
    letter = _letter_of(found, "the query of the last position")
    judgement = found.mark(" ".join(found.key.replace(letter, "").split()))
    assert judgement.messages == (f"Look again at {letter}.",)


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_last_query_stays_and_the_first_key_changes_with_another_first_word(seed):
    found = asked("mix-values", "other-first-word", seed)
    said = found.key.split()
    assert _letter_of(found, "the query of the last position") not in said
    assert _letter_of(found, "the output of the last position") in said


def _nothing(values):
    return {}


def _swallowed(values):
    # Readable inputs are never negative, so on them this changes nothing; on other numbers it does.
    return {"x": np.abs(values["x"])}


def test_nothing_changes_where_nothing_is_changed():
    part = Predict(
        slug="p",
        points=ONE,
        question="?",
        change=_nothing,
        watched=(Watched(text="q", of="q"), Watched(text="v", of="v")),
    )
    found = asked_as(part)
    assert found.key == "none"
    assert found.mark("none").verdict is Verdict.RIGHT


def test_where_own_numbers_hide_a_change_either_prediction_counts():
    part = Predict(slug="p", points=ONE, question="?", change=_swallowed, watched=(Watched(text="q", of="q"),))
    found = asked_as(part)
    assert found.mark("none").points == found.mark("a").points == 1


def test_a_watched_value_that_is_not_there_is_the_authors_error():
    part = Predict(slug="p", points=ONE, question="?", change=_nothing, watched=(Watched(text="?", of="atention"),))
    with pytest.raises(ContentError, match="atention"):
        _ = asked_as(part).question


# --- witness


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("4", Verdict.RIGHT),
        ("9", Verdict.WRONG),
        ("4.5", Verdict.WRONG),
        ("0", Verdict.WRONG),
        ("9999999999", Verdict.WRONG),
    ],
)
def test_the_width_that_hides_a_mistake_is_four(typed, verdict):
    assert asked("scale", "looks-right").mark(typed).verdict is verdict


@pytest.mark.parametrize("typed", ["-8 0\n0 0", "[[-9, 1, 2], [0, 0, 0], [1, 1, 1]]", "scaled = [[-20, 0], [0, 0]]"])
def test_scores_near_minus_ten_break_the_claim(typed):
    assert asked("causal-mask", "minus-ten").mark(typed).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("0 0\n0 0", Verdict.WRONG),
        ("-5000 0\n0 0", Verdict.WRONG),
        ("0 0 0\n0 0 0", Verdict.WRONG),
        ("0 0\n0", Verdict.UNREADABLE),
        ("1", Verdict.WRONG),
        ("\n".join(["0 " * 20] * 20), Verdict.WRONG),
    ],
)
def test_inputs_that_break_nothing_or_do_not_fit_earn_nothing(typed, verdict):
    judgement = asked("causal-mask", "minus-ten").mark(typed)
    assert (judgement.verdict, judgement.points) == (verdict, 0)


@pytest.mark.parametrize("typed", ["inf 0 0", "1 -inf", "1e7 0", "10^9 0 0", "e^19999 0", "nan 0"])
def test_no_infinite_or_huge_row_passes_for_a_saturated_one(typed):
    assert asked("jacobian", "saturated").mark(typed).points == 0


def _apart(**rest):
    given = (Given(name="q", axes="T d_head", most=3), Given(name="k", axes="T d_head", most=3))
    settings = {"mistake": "scores/queries-with-queries", "example": "", **rest}
    return asked_as(
        TellApart(slug="w", points=ONE, question="?", stage="scores", given=given, **settings), "raw-scores"
    )


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("q = 1 0\n0 1\nk = 2 0\n0 1", Verdict.RIGHT),
        ("k: [[2, 0]]\nq: [[1, 0]]", Verdict.RIGHT),
        ("q = 1 0\n0 1\nk = 1 0\n0 1", Verdict.WRONG),
        ("q = 1 0\nk = 1 0 0", Verdict.WRONG),
        ("1 0\n0 1", Verdict.UNREADABLE),
        ("q = 1 0", Verdict.UNREADABLE),
        ("q = 1\nq = 2\nk = 1", Verdict.UNREADABLE),
    ],
)
def test_two_inputs_tell_two_computations_apart(typed, verdict):
    assert _apart().mark(typed).verdict is verdict


def test_a_boundary_asks_for_the_opposite():
    assert _apart(alike=True).mark("q = 1 0\nk = 1 0").verdict is Verdict.RIGHT


def test_a_mistake_that_is_not_there_is_the_authors_error():
    with pytest.raises(ContentError, match="scores/nonesuch"):
        _ = _apart(mistake="scores/nonesuch").question


# --- order, spot, repair


def test_any_order_that_can_be_computed_is_right():
    part = Order(slug="o", points=ONE, question="?", stages=("q", "k", "v", "scores", "heads"))
    found = asked_as(part)
    for order in ("q k scores v heads", "v k q scores heads", "k,q,v,scores,heads"):
        assert found.mark(order).verdict is Verdict.RIGHT


def test_the_first_stage_that_comes_too_early_is_named():
    part = Order(slug="o", points=ONE, question="?", stages=("q", "k", "v", "scores", "heads"))
    assert "heads stands before scores" in asked_as(part).mark("q k v heads scores").summary


def test_stages_are_not_shown_in_a_right_order():
    found = asked("multi-head-attention", "order")
    assert found.mark(" ".join(LETTERS[: len(found.question.options)])).verdict is Verdict.WRONG


@pytest.mark.parametrize("seed", range(1, 7))
def test_one_line_of_the_listing_is_wrong_and_the_key_is_its_number(seed):
    found = asked("find-the-slip", "wrong-line", seed)
    lines = range(1, len(found.question.listing) + 1)
    right = [number for number in lines if found.mark(str(number)).verdict is Verdict.RIGHT]
    assert right == [int(found.key)]


def test_the_repair_belongs_to_the_line_that_is_wrong():
    for seed in range(1, 7):
        line = asked("find-the-slip", "wrong-line", seed)
        wrong = line.question.listing[int(line.key) - 1].split(" = ")[0].strip()
        options = asked("find-the-slip", "repair", seed).question.options
        # An option may take several lines; they all end in the value of the stage that is wrong.
        made = {option.strip("`").split("; ")[-1].split(" = ")[0] for option in options}
        assert len(made) == 1
        assert wrong in made or any(f"{wrong} = " in option for option in options)


def test_a_line_can_be_named_by_its_stage():
    found = asked("find-the-slip", "wrong-line")
    name = found.question.listing[int(found.key) - 1].split(" = ")[0].strip()
    assert found.mark(name).verdict is Verdict.RIGHT
    assert found.mark("q").verdict is Verdict.WRONG
    assert found.mark(f"line {found.key}").verdict is Verdict.RIGHT


# --- explain


def test_a_sentence_waits_for_a_person_and_keeps_its_text():
    judgement = asked("same-last-word", "why").mark("Because the first keys differ.")
    assert (judgement.verdict, judgement.points, judgement.maximum) == (Verdict.ATTENTION, 0, 2)
    assert judgement.read_as == {"why": "Because the first keys differ."}
    assert waiting_for_a_person([judgement]) == (judgement,)


def test_an_undecided_expression_is_not_a_sentence_that_waits():
    judgement = asked_as(Explain(slug="e", points=ONE, question="?", rubric=("r",))).mark("text")
    assert waiting_for_a_person([judgement]) == (judgement,)
    assert waiting_for_a_person([asked("scale", "variance").mark("d_head")]) == ()
