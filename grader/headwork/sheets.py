"""What was drawn for the students of an assignment: the stored draws, or new ones that are stored."""

from __future__ import annotations

from headwork.assignment import Assignment
from headwork.course import Course
from headwork.draw.student import HiddenDraws, Sheet, draw_sheet


class Sheets:
    """The draws of one assignment, by student."""

    def __init__(self, course: Course, assignment: Assignment) -> None:
        """Read and draw nothing yet."""
        self._course, self._assignment = course, assignment
        self._secret = course.secret()
        self._shared = HiddenDraws(course.content(), assignment, secret=self._secret)

    def of(self, student: str) -> Sheet:
        """The stored draws decide. Where there are none, they are drawn from the secret and stored.

        Raises CourseError where an exercise can't be drawn with the assignment's parameters.
        """
        sheet = self._course.load_sheet(self._assignment, student)
        if sheet is None:
            sheet = draw_sheet(
                self._course.content(), self._assignment, secret=self._secret, student=student, shared=self._shared
            )
            self._course.save_sheet(self._assignment.name, sheet)
        return sheet
