"""What stands in place of nbgrader's ``Execute`` and ``SaveAutoGrades``. No kernel is started."""

from __future__ import annotations

from typing import Any, cast

import nbformat
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, SaveAutoGrades
from traitlets import Unicode

from headwork.exports.nbgrader.database import save_marks
from headwork.exports.nbgrader.exporter import ExportFromText
from headwork.exports.nbgrader.gradebook import first_comment_cell
from headwork.exports.nbgrader.graded import graded_notebook, submission_of
from headwork.model import CourseError, GraderFault, Status
from headwork.reports.shown_text import shown_line


class JudgeInSandbox(NbGraderPreprocessor):
    """Grades a submission as ``headwork grade`` does, and writes what nbgrader reads into the notebook."""

    isolation = Unicode("auto", help="The tier asked of headwork's sandbox.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Raises GraderFault where the machine failed; nbgrader then leaves the old marks."""
        exporter: Any = self.parent
        if not isinstance(exporter, ExportFromText):
            raise CourseError("nbgrader_config.py: JudgeInSandbox needs configure(c) of headwork.exports.nbgrader")
        if not exporter.is_ours(resources):
            return Execute(parent=exporter).preprocess(nb, resources)
        about = resources["nbgrader"]
        batch = exporter.batch(about["assignment"], self.isolation)
        submission = submission_of(batch.shelf, about["student"])
        if submission is None:
            raise GraderFault(f"{about['student']}: the submission is gone")
        graded = batch.grader.grade(submission)
        if graded.report is None:
            raise GraderFault(f"{about['student']}: not graded, the old mark stays: {graded.fault}")
        report = graded.report
        for notice in (*report.notices, *([report.reason] if report.status is not Status.GRADED else [])):
            if notice:
                self.log.warning("%s: %s", about["student"], shown_line(notice))
        found = graded_notebook(batch.shelf, report)
        resources["headwork"] = (found.marks, first_comment_cell(batch.shelf))
        return cast(Any, nbformat.from_dict(found.notebook)), resources


class SaveMarks(SaveAutoGrades):
    """Writes the marks that ``JudgeInSandbox`` has found; scores of other notebooks are read as nbgrader does."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Write scores and comments of one submission in one transaction."""
        if "headwork" not in resources:
            return super().preprocess(nb, resources)
        marks, first_cell = resources["headwork"]
        about = resources["nbgrader"]
        exporter: Any = self.parent
        api, session = exporter.session(about["db_url"])
        try:
            save_marks(api, session, {_submitted_notebook(api, session, about): marks}, first_cell=first_cell)
            session.commit()
        except BaseException:
            session.rollback()
            raise
        return nb, resources


def _submitted_notebook(api: Any, session: Any, about: Any) -> str:
    from sqlalchemy import select

    query = (
        select(api.SubmittedNotebook.id)
        .join(api.SubmittedAssignment, api.SubmittedAssignment.id == api.SubmittedNotebook.assignment_id)
        .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
        .join(api.Notebook, api.Notebook.id == api.SubmittedNotebook.notebook_id)
        .where(
            api.Assignment.name == about["assignment"],
            api.Notebook.name == about["notebook"],
            api.SubmittedAssignment.student_id == about["student"],
        )
    )
    return session.execute(query).scalar_one()
