"""The roster as spreadsheets, learning platforms and people write it."""

import json
from pathlib import Path

import pytest
from headwork.collect.roster import read_roster, same
from headwork.model import CourseError

HERE = Path(__file__).parent
CASES = HERE / "cases"
ATTACKS = HERE / "hostile" / "attacks"


def roster_of(tmp_path: Path, text: str | bytes, name: str = "roster.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(path)


def test_a_roster_as_excel_writes_it_keeps_every_student_and_every_zero():
    case = CASES / "F01-roster-forms"
    expect = json.loads((case / "case.json").read_text(encoding="utf-8"))["expect"]
    roster = read_roster(case / "roster.csv")
    assert [{"id": s.id, "name": s.name, "email": s.email} for s in roster.students] == expect["students"]
    assert [line.line for line in roster.refused] == expect["refused_lines"]


def test_a_rounded_id_is_refused_with_what_to_do():
    roster = read_roster(CASES / "F01-roster-forms" / "roster.csv")
    assert roster.refused[0].reason == (
        "the id 1,23E+11 was rounded by a spreadsheet; format the column as text and export again"
    )


def test_odd_ids_stay_exactly_as_they_are_written():
    case = CASES / "F03-odd-ids"
    expect = json.loads((case / "case.json").read_text(encoding="utf-8"))["expect"]
    assert [s.id for s in read_roster(case / "roster.csv").students] == expect["exported_ids"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_delimiter_line_end_and_encoding_do_not_matter(tmp_path, delimiter, end, encoding):
    lines = [
        delimiter.join(row) for row in (("id", "name", "email"), ("007", '"Ä, B; C"', "a@x.org"), ("008", "Z", ""))
    ]
    roster = roster_of(tmp_path, end.join(lines).encode(encoding))
    assert [(s.id, s.name) for s in roster.students] == [("007", "Ä, B; C"), ("008", "Z")]


def test_a_windows_code_page_is_read(tmp_path):
    assert roster_of(tmp_path, "id,name\n1,Müller\n".encode("cp1252")).students[0].name == "Müller"


@pytest.mark.parametrize(
    ("header", "row", "student"),
    [
        ("id,name,email", "s1,Pat Doe,p@x.org", "s1"),
        ("student_id,last_name,first_name,email", "s1,Doe,Pat,p@x.org", "s1"),
        ("Username,Last Name,First Name,E-Mail", "s1,Doe,Pat,p@x.org", "s1"),
        ("Student,ID,SIS User ID,SIS Login ID,Section", "Pat Doe,20817,900,s1,A", "s1"),
        ("First name,Surname,ID number,Email address", "Pat,Doe,s1,p@x.org", "s1"),
        ("Vorname;Nachname;Matrikelnummer;E-Mail", "Pat;Doe;s1;p@x.org", "s1"),
        ("login,student", "s1,Pat Doe", "s1"),
        ("lms_id,login,name,email", "20817,s1,Pat Doe,p@x.org", "s1"),
    ],
)
def test_usual_spellings_of_the_first_line_are_known(tmp_path, header, row, student):
    roster = roster_of(tmp_path, f"{header}\n{row}\n")
    assert [(s.id, s.name) for s in roster.students] == [(student, "Pat Doe")]


def test_canvas_numbers_become_the_lms_id_and_points_possible_is_no_person(tmp_path):
    text = "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\nPat Doe,20817,900,s1,A\n"
    (student,) = roster_of(tmp_path, text).students
    assert (student.lms_id, student.aliases) == ("20817", ("900",))


def test_excels_separator_line_is_no_header(tmp_path):
    roster = roster_of(tmp_path, "sep=;\r\nid;name\r\n1;A\r\n1,2E+11;B\r\n")
    assert ([s.id for s in roster.students], [r.line for r in roster.refused]) == (["1"], [4])


@pytest.mark.parametrize("second", ["ABC", "abc", " abc "])
def test_ids_that_differ_in_case_alone_are_refused(tmp_path, second):
    roster = roster_of(tmp_path, f"id,name\nabc,A\n{second},B\n")
    assert [(r.line, "is that of line 2" in r.reason) for r in roster.refused] == [(3, True)]


def test_ids_that_differ_in_unicode_form_alone_are_refused(tmp_path):
    roster = roster_of(tmp_path, "id,name\nm\u00fcller,A\nmu\u0308ller,B\n")
    assert ([s.name for s in roster.students], [r.line for r in roster.refused]) == (["A"], [3])


@pytest.mark.parametrize(
    "odd",
    [
        "..",
        ".",
        "../x",
        "a/b",
        "a\\b",
        "-rf",
        "=1+1",
        "+1",
        "@x",
        "con",
        "NUL.txt",
        "a\x1b[2Jb",
        "a\u202eb",
        "a:b",
        "x" * 101,
    ],
)
def test_an_id_that_cannot_be_a_folder_is_refused(tmp_path, odd):
    roster = roster_of(tmp_path, f"id,name\n{odd},A\nok,B\n")
    assert ([s.id for s in roster.students], [r.line for r in roster.refused]) == (["ok"], [2])


def test_a_missing_id_is_refused_with_its_line(tmp_path):
    assert [(r.line, r.reason) for r in roster_of(tmp_path, "id,name\n,A\n").refused] == [(2, "no id")]


def test_a_table_without_ids_says_what_it_saw(tmp_path):
    with pytest.raises(CourseError, match=r'no column of ids; the first line has: colour, size\. Name one "id"'):
        roster_of(tmp_path, "colour,size\nred,3\n")


def test_a_quote_that_is_never_closed_swallows_nobody_in_silence(tmp_path):
    with pytest.raises(CourseError, match="a quote opened near line 2 is not closed"):
        roster_of(tmp_path, 'id,name\n1,"A\n2,B\n3,C\n4,D\n5,E\n')


def test_an_empty_roster_is_an_error(tmp_path):
    with pytest.raises(CourseError):
        roster_of(tmp_path, "")


def test_a_missing_roster_is_an_error_of_the_course(tmp_path):
    with pytest.raises(CourseError, match="cannot be read"):
        read_roster(tmp_path / "none.csv")


@pytest.mark.parametrize("file", ["G20_names_html.roster.json", "G21_names_csv.roster.json"])
def test_hostile_names_are_only_names(file):
    listed = json.loads((ATTACKS / file).read_text(encoding="utf-8"))["students"]
    roster = read_roster(ATTACKS / file)
    assert [(s.id, s.name) for s in roster.students] == [(s["id"], str(s["name"] or "").strip()) for s in listed]


@pytest.mark.parametrize("text", ["[", "{}", "[" * 100_000, "7", '{"students": 7}', "null"])
def test_a_broken_json_roster_is_an_error(tmp_path, text):
    with pytest.raises(CourseError):
        roster_of(tmp_path, text, "x.roster.json")


def test_same_ignores_case_spaces_and_unicode_form():
    assert same(" Mu\u0308ller  J ") == same("M\u00fcller j")
