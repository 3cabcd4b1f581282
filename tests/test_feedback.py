"""Records and feedback: one figure, the first wrong stage first, nothing hidden, nothing that runs."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from headwork.draw.seeds import seed_from_integer
from headwork.marking.grade import grade_submission
from headwork.marking.planner import Planner
from headwork.model import GraderFault, Report, Status, Submission, Verdict
from headwork.reports.feedback import feedback_pages
from headwork.reports.figures import points_number, show_points
from headwork.reports.record import SCHEMA, from_json, read_report, to_json, write_report
from headwork.reports.worked import worked_pages
from headwork.sandbox import open_runner
from hypothesis import given
from hypothesis import strategies as st
from made_reports import HOSTILE, MIXED, judged, report_of
from sheets import SECRET, assignment_of, content, sheet_of

CASES = Path(__file__).parent / "cases"
RIGHT = report_of(judged("scaled", Verdict.RIGHT, "2", "2"))
WAITING = report_of(status=Status.NEEDS_ATTENTION, reason="Two files changed: a.ipynb and b.ipynb.")
UNGRADABLE = report_of(status=Status.NOT_GRADABLE, reason="language R")
ALL = (MIXED, HOSTILE, RIGHT, WAITING, UNGRADABLE)


def pages_of(report: Report, **rest: int) -> tuple[str, str]:
    pages = feedback_pages(report, content(), **rest)
    return pages["feedback.html"], pages["feedback.md"]


class Visible(HTMLParser):
    """The tags of a page, their attributes, and its text in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._silent = tag in ("style", "title")

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._silent:
            self.text.append(" ".join(data.split()))


def seen(page: str) -> Visible:
    visible = Visible()
    visible.feed(page)
    return visible


# --- points -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (Fraction(4), "4"),
        (Fraction(11, 3), "3.67"),
        (Fraction(7, 10), "0.7"),
        (Fraction(1, 200), "0.01"),
        (Fraction(-1, 200), "-0.01"),
        (Fraction(-1, 1000), "0"),
        (Fraction(0), "0"),
        (Fraction(2, 3) + Fraction(1, 3), "1"),
        (Fraction(10**30 + 1, 10**30), "1"),
    ],
)
def test_points_are_rounded_once_and_short(points: Fraction, text: str) -> None:
    assert show_points(points) == text


@given(st.fractions(min_value=-1000, max_value=1000))
def test_a_shown_figure_is_within_half_a_hundredth(points: Fraction) -> None:
    assert abs(Fraction(show_points(points)) - points) <= Fraction(1, 200)
    assert str(points_number(points)) == show_points(points)


# --- the record -------------------------------------------------------------------------------


@pytest.mark.parametrize("report", ALL)
def test_a_record_keeps_its_schema(report: Report) -> None:
    jsonschema.validate(to_json(report), json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("report", ALL)
def test_a_record_comes_back_as_it_was(report: Report, tmp_path: Path) -> None:
    write_report(tmp_path / "deep" / "report.json", report)
    assert read_report(tmp_path / "deep" / "report.json") == report
    assert from_json(json.loads(json.dumps(to_json(report)))) == report


def test_a_record_has_a_line_for_every_judgement_whatever_its_texts_hold(tmp_path: Path) -> None:
    odd = replace(MIXED.judgements[0], summary='a }, {"exercise": b', messages=('}, {"exercise": ',))
    report = replace(MIXED, judgements=(odd, *MIXED.judgements))
    write_report(tmp_path / "report.json", report)
    assert read_report(tmp_path / "report.json") == report
    lines = (tmp_path / "report.json").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('  {"exercise": ') for line in lines) == len(report.judgements)


def test_points_of_a_record_are_exact_beside_a_figure() -> None:
    assert to_json(MIXED)["total"] == {"exact": "23/6", "figure": 3.83}


def test_writing_leaves_no_half_files(tmp_path: Path) -> None:
    write_report(tmp_path / "report.json", MIXED)
    write_report(tmp_path / "report.json", RIGHT)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert (tmp_path / "report.json").stat().st_mode & 0o700 == 0o600


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "headwork report 1"}', '{"format": "headwork report 9"}'])
def test_what_is_no_record_is_a_fault_with_its_path(text: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(text, encoding="utf-8")
    with pytest.raises(GraderFault, match="report"):
        read_report(tmp_path / "report.json")


# --- the first line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (MIXED, "First wrong stage: scaled, in code (Scale the scores)."),
        (RIGHT, "Everything is right: 2 of 2 points."),
        (
            WAITING,
            "A person has to look at this before it has a mark: Two files changed: a.ipynb and b.ipynb.",
        ),
        (UNGRADABLE, "This could not be graded: language R."),
        (report_of(judged("logits", Verdict.NOT_RUN, "0")), "First wrong stage: logits, in code (Scale the scores)."),
    ],
)
def test_the_first_line_says_what_matters_most(report: Report, line: str) -> None:
    page, text = pages_of(report)
    assert seen(page).text[0] == line
    assert text.splitlines()[0].replace("\\", "") == line


@pytest.mark.parametrize("report", [WAITING, UNGRADABLE])
def test_without_a_mark_no_figure_is_shown(report: Report) -> None:
    assert [page for page in pages_of(report) if "points" in re.sub("<style>.*</style>", "", page, flags=re.S)] == []


# --- what is shown ----------------------------------------------------------------------------


def test_both_pages_show_the_same_facts() -> None:
    for page in (" ".join(seen(pages_of(MIXED)[0]).text), pages_of(MIXED)[1].replace("\\", "")):
        assert "3.83 of 6 points" in page
        assert "(2, 5, 4)" in page
        assert "(B=2, T=5, T=5)" in page
        assert "b=0 t=3 s=1" in page
        assert "-4.313" in page
        assert "Divided by d_head instead of its square root" in page
        assert "It is right without causal." in page
        assert "input() was called." in page


def test_staff_notices_stay_with_staff() -> None:
    assert [page for page in pages_of(MIXED) if "for staff only" in page] == []


def test_a_cell_says_in_words_what_is_wrong_with_it() -> None:
    texts = seen(pages_of(MIXED)[0]).text
    assert texts[texts.index("0.41") + 1] == "rounded early"


def test_a_right_answer_takes_no_more_room_than_how_it_was_read() -> None:
    right = judged(
        "scaled", Verdict.RIGHT, "1", kind="hand", read_as={"scaled": "[[1/3]]"}, shown={"student": [["1/3"]]}
    )
    page = pages_of(report_of(right))[0]
    assert "How your right answers were read" in page
    assert page.count("[[1/3]]") == 1
    assert 'class="matrix"' not in page


def test_what_was_read_of_a_question_stands_beside_its_verdict() -> None:
    wrong = judged("variance", Verdict.WRONG, "0", kind="derive", read_as={"variance": "sqrt(d_head)"})
    page, text = pages_of(report_of(wrong))
    assert "variance was read as" in page
    assert "variance was read as: sqrt(d_head)" in text.replace("\\", "")


def test_a_hidden_draw_shows_where_and_no_number() -> None:
    judgement = MIXED.judgements[3]
    assert judgement.cell is not None
    hidden = replace(judgement, cell=replace(judgement.cell, student="", reference=""))
    page, text = pages_of(report_of(hidden))
    assert "b=0 t=3 s=1" in page
    assert "b=0 t=3 s=1" in text
    assert "yours <code>" not in page
    assert "expected <code>" not in page


@pytest.mark.parametrize(
    ("steps", "shown", "kept"),
    [
        (0, (), ("How does the spread grow?", "Look at the denominator.", "Divided by d_head", "The spread of a dot")),
        (1, ("How does the spread grow?",), ("Look at the denominator.", "Divided by d_head", "The spread of a dot")),
        (2, ("How does the spread grow?", "Look at the denominator."), ("Divided by d_head", "The spread of a dot")),
        (3, ("Divided by d_head", "The spread of a dot", "Look at the denominator."), ()),
    ],
)
def test_hints_are_shown_as_far_as_the_policy_goes(steps: int, shown: tuple[str, ...], kept: tuple[str, ...]) -> None:
    for page in pages_of(MIXED, hint_steps=steps):
        assert [text for text in shown if text not in page.replace("\\", "")] == []
        assert [text for text in kept if text in page.replace("\\", "")] == []


def test_positions_are_labelled_by_the_words_of_the_student() -> None:
    problems = sheet_of("scale").problems
    words = problems["scale"].instance.words[0]
    page = feedback_pages(MIXED, content(), problems=problems)["feedback.html"]
    assert f"t=0 {words[0]}" in page
    assert "The numbers you were given" in page


def test_the_same_numbers_are_shown_once_per_page() -> None:
    problems = sheet_of("scale", "causal-mask").problems
    report = report_of(
        judged("scaled", Verdict.RIGHT, "1"), judged("logits", Verdict.RIGHT, "1", exercise="causal-mask")
    )
    page = feedback_pages(report, content(), problems=problems)["feedback.html"]
    assert page.count("The numbers you were given") == 1


# --- nothing runs, nothing loads --------------------------------------------------------------


@pytest.mark.parametrize("report", ALL)
def test_a_page_has_no_script_and_asks_for_nothing(report: Report) -> None:
    visible = seen(pages_of(report)[0])
    names = {name for name, _ in visible.attributes}
    links = [
        value for name, value in visible.attributes if name in ("src", "href") and not (value or "").startswith("#")
    ]
    policy = [value or "" for name, value in visible.attributes if name == "content" and "default-src" in (value or "")]
    assert set(visible.tags) & {"script", "img", "link", "iframe", "object", "form", "svg", "base"} == set()
    assert [name for name in names if name.startswith("on")] == []
    assert links == []
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]


@pytest.mark.parametrize("page", [0, 1])
def test_hostile_text_is_shown_as_text(page: int) -> None:
    text = pages_of(HOSTILE)[page]
    unseen = {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\u200b"}
    # Lines indented by four are code in Markdown, and shown as they are.
    assert re.findall(r"^(?!    ).*(?<!\\)<(?:script|img|/title><)", text, flags=re.M) == []
    assert "7*7" in text.replace("\\", "")
    assert "{{ 49 }}" not in text
    assert unseen == set()


def test_hostile_text_stays_text_once_markdown_is_rendered() -> None:
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").render(pages_of(HOSTILE)[1])
    assert set(seen(html).tags) & {"script", "img", "a", "title"} == set()


def test_a_page_names_its_language_and_every_table() -> None:
    page = pages_of(MIXED)[0]
    assert '<html lang="en">' in page
    assert page.count("<table") == page.count("<caption")
    assert re.findall(r"<th(?![^>]*scope)[ >]", page) == []


# --- hidden checks (case E01) -----------------------------------------------------------------


def test_code_that_looks_around_learns_nothing_and_tells_nothing(tmp_path: Path) -> None:
    case = CASES / "E01-hidden-leak"
    expect = json.loads((case / "case.json").read_text(encoding="utf-8"))["expect"]
    source = (case / "nosy.py").read_text(encoding="utf-8") + "\n\ndef weights(logits):\n    return softmax(logits)\n"
    assignment, sheet = assignment_of("softmax-rows"), sheet_of("softmax-rows")
    with open_runner("auto") as runner:
        planner = Planner(content(), assignment, secret=SECRET)
        report = grade_submission(planner, sheet, Submission(student="ada", cells=(source,)), runner)
    write_report(tmp_path / "report.json", report)
    shown = [*pages_of(report), (tmp_path / "report.json").read_text(encoding="utf-8")]
    judgement = next(one for one in report.judgements if one.part == "weights" and one.kind == "code")
    assert (judgement.verdict, judgement.points) == (Verdict.CRASHED, 0)
    assert [word for word in (*expect["must_not_contain"], "my softmax failed") for text in shown if word in text] == []
    assert [text for text in shown if "NosyError" not in text] == []


# --- worked solutions -------------------------------------------------------------------------


def test_a_worked_solution_shows_every_stage_exactly_and_in_decimals() -> None:
    pages = worked_pages(content(), "hw1", sheet_of("raw-scores", "scale", "softmax-rows").problems)
    stages = content().chains["attention"].stages
    headings = re.findall(r"^### \d+\. (\w+)$", pages["worked.md"], flags=re.M)
    assert sorted(headings) == sorted(stages)
    assert "scores, exactly:" in pages["worked.md"]
    assert "weights, to 3 decimals:" in pages["worked.md"]
    assert "<script" not in pages["worked.html"]


def test_the_mask_is_worked_where_it_is_first_used() -> None:
    text = worked_pages(content(), "hw1", sheet_of("scale").problems)["worked.md"]
    assert text.index("scaled, exactly") < text.index("visible:") < text.index("logits, exactly")


def test_problems_without_exact_numbers_are_not_worked() -> None:
    assert worked_pages(content(), "hw1", sheet_of("split-and-merge").problems) == {}


def test_the_seed_of_these_tests_is_fixed() -> None:
    assert seed_from_integer(5) == SECRET
