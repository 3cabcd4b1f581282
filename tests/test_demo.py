"""The demo is the whole loop on real files: every student of the class gets what was planted."""

import pytest
from headwork.course import open_course
from headwork.demo import NAME, SIZE, run_demo
from headwork.model import CourseError
from headwork.reports.stored import reports_of


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    root = tmp_path_factory.mktemp("demo") / "Übung eins"
    return root, run_demo(root, workers=2, isolation="auto")


@pytest.mark.slow
def test_every_student_of_the_class_is_graded_as_planted(demo):
    assert demo[1]


@pytest.mark.slow
def test_everyone_has_a_report_and_feedback(demo):
    course = open_course(demo[0])
    reports = reports_of(course, NAME)
    assert len(reports) == SIZE
    for report in reports:
        page = (course.feedback_folder(NAME, report.student) / "feedback.html").read_text()
        assert "<script" not in page
        assert str(demo[0]) not in page


@pytest.mark.slow
def test_a_second_demo_in_the_same_folder_is_refused(demo):
    with pytest.raises(CourseError, match="there is a course here already"):
        run_demo(demo[0], workers=1, isolation="auto")
