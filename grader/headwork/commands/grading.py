"""Taking back and marking: collect, grade, mark, feedback, report."""

# Imports stay inside the commands, so that --help answers at once.
from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from headwork.commands.app import (
    FAULT,
    AsJson,
    AssignmentName,
    CourseFolder,
    Isolation,
    Students,
    Workers,
    app,
    plainly,
    print_json,
    say,
)


@app.command()
@plainly
def collect(
    assignment: AssignmentName,
    source: Annotated[Path, typer.Argument(help="A folder, a zip, or a platform's bulk download.")],
    course: CourseFolder = Path(),
    as_json: AsJson = False,
) -> None:
    """Take submissions back: read as text, matched to the roster, stored. Nothing is run.

    Example: headwork collect attention downloads/submissions.zip
    """
    from headwork.collect import collect as collect_from
    from headwork.collect import store
    from headwork.course import open_course
    from headwork.reports.shown_text import shown_line

    opened = open_course(course)
    opened.assignment(assignment)
    found = collect_from(source, opened.roster(), assignment=assignment)
    changed = store(found, opened.root, assignment)
    if as_json:
        print_json(
            {
                "submissions": [submission.student for submission in found.submissions],
                "changed": list(changed),
                "missing": list(found.missing),
                "unmatched": [{"name": one.name, "reason": one.reason} for one in found.unmatched],
                "notices": list(found.notices),
            }
        )
        return
    print(f"{len(found.submissions)} submissions, {len(changed)} new or changed; nothing from {len(found.missing)}.")
    for one in found.unmatched:
        print(shown_line(f"not matched: {one.name}: {one.reason}"))
    for notice in found.notices:
        print(shown_line(f"note: {notice}"))
    for submission in found.submissions:
        for text in (*submission.notices, *filter(None, (submission.unreadable, submission.needs_attention))):
            print(shown_line(f"{submission.student}: {text}"))


@app.command()
@plainly
def grade(
    assignment: AssignmentName,
    student: Students = None,
    workers: Workers = 1,
    isolation: Isolation = "auto",
    again: Annotated[bool, typer.Option("--again", help="Also where nothing has changed.")] = False,
    gradebook: Annotated[bool, typer.Option(help="Also write nbgrader's gradebook.db.")] = False,
    dask: Annotated[str | None, typer.Option(help="Grade on this Dask scheduler: tcp://HOST:PORT.")] = None,
    course: CourseFolder = Path(),
    as_json: AsJson = False,
) -> None:
    """Grade what was collected. A killed run goes on where it stopped; other students are left alone.

    Exit status 3 where the grader itself failed for a student. Example: headwork grade attention --workers 2
    """
    from headwork.course import open_course
    from headwork.grading import Work, grade_class, submissions_of
    from headwork.reports.progress import tracked
    from headwork.reports.shown_text import shown_line
    from headwork.reports.stored import reports_of
    from headwork.reports.terminal import print_class_table, summary_of

    opened = open_course(course)
    work = Work(course=opened, assignment_name=assignment, isolation=isolation, again=again)
    submissions = submissions_of(opened, assignment, student or ())
    with _on_cluster(dask) as executor:
        running = grade_class(work, submissions, workers=workers, executor=executor)
        graded = list(tracked(running, total=len(submissions), what="submissions"))
    faults = [one for one in graded if one.fault]
    if gradebook:
        from headwork.exports.nbgrader import write_gradebook

        # As stored: with the marks that were given by hand.
        done = {one.student for one in graded if one.report}
        write_gradebook(
            opened,
            opened.assignment(assignment),
            [one for one in reports_of(opened, assignment) if one.student in done],
        )
    if as_json:
        print_json(summary_of(assignment, graded))
    else:
        kept = sum(one.kept for one in graded)
        print(f"graded {len(graded) - kept - len(faults)}, unchanged {kept}, faults {len(faults)}")
        if graded and (report := next((one.report for one in graded if one.report), None)):
            print(f"isolation: {report.isolation}")
        print_class_table(opened.assignment(assignment), reports_of(opened, assignment))
    for one in faults:
        say(shown_line(f"{one.student}: not graded, the grader failed: {one.fault}; the old mark stays", longest=400))
    if faults:
        raise typer.Exit(FAULT)


def _on_cluster(address: str | None) -> Any:
    from contextlib import nullcontext

    if address is None:
        return nullcontext()
    from headwork.exports.dask import dask_executor

    return dask_executor(address)


@app.command()
@plainly
def mark(
    assignment: AssignmentName,
    student: Annotated[str, typer.Argument(help="Student id.")],
    part: Annotated[
        str, typer.Argument(help="exercise/part, or exercise/part/kind (code, hand, ...) where that is not clear.")
    ],
    points: Annotated[str | None, typer.Option(help="Points, as 3, 2.5 or 7/3.")] = None,
    reason: Annotated[str, typer.Option(help="Why; the student reads it.")] = "",
    by: Annotated[str, typer.Option(help="Who gives the mark.")] = "staff",
    undo: Annotated[bool, typer.Option("--undo", help="Take the mark back; the automatic one counts again.")] = False,
    course: CourseFolder = Path(),
) -> None:
    """Give a mark by hand. It survives every regrading, and the automatic mark is told beside it.

    Example: headwork mark attention ada scale/scaled/hand --points 1 --reason "right idea, one slip" --by moreau
    """
    from fractions import Fraction

    from headwork.course import open_course
    from headwork.manual_marks import judgement_of, write_mark
    from headwork.model import CourseError, ManualMark
    from headwork.reports.record import read_report

    path = open_course(course).report_path(assignment, student)
    if not path.exists():
        raise CourseError(f"{path}: there is no report to mark; run `headwork grade {assignment}` first")
    found = judgement_of(read_report(path), part)
    if undo:
        write_mark(path.parent, found, None)
        return
    try:
        given = Fraction(points or "")
    except (ValueError, ZeroDivisionError):
        raise CourseError(f"--points {points}: wanted a number such as 3, 2.5 or 7/3 (or --undo)") from None
    write_mark(path.parent, found, ManualMark(points=given, reason=reason, by=by))


@app.command()
@plainly
def feedback(assignment: AssignmentName, student: Students = None, course: CourseFolder = Path()) -> None:
    """Write each student's feedback pages (HTML and Markdown) from the reports.

    Example: headwork feedback attention
    """
    from headwork.course import open_course
    from headwork.publishing import write_feedback
    from headwork.reports.progress import tracked

    opened = open_course(course)
    done = list(tracked(write_feedback(opened, assignment, student or ()), total=None, what="pages"))
    print(f"{len(done)} students' feedback in {opened.root / 'feedback'}")


@app.command()
@plainly
def report(assignment: AssignmentName, course: CourseFolder = Path(), as_json: AsJson = False) -> None:
    """Show the class: a table here, grades.csv, and class.html with the mistakes that were made.

    Answers that are right for another student's numbers are listed for you to look at.
    Example: headwork report attention
    """
    from headwork.course import open_course
    from headwork.publishing import write_class_report
    from headwork.reports.class_figures import mistakes_by_stage, teach_next, teaching_record
    from headwork.reports.copies import copied_answers
    from headwork.reports.reading import is_marked
    from headwork.reports.stored import reports_of
    from headwork.reports.terminal import class_summary, print_class_table

    opened = open_course(course)
    found = opened.assignment(assignment)
    reports = reports_of(opened, assignment)
    copies = copied_answers(opened, found, reports)
    stages = mistakes_by_stage([one for one in reports if is_marked(one)], opened.content())
    written = write_class_report(opened, found, reports, copies)
    if as_json:
        looked_at = [{"student": one.student, "others": list(one.others), "text": one.sentence()} for one in copies]
        teaching = {"teach_next": teaching_record(stages), "look_at_these": looked_at}
        print_json({**class_summary(found, reports), **teaching})
        return
    print_class_table(found, reports)
    print(f"What to teach next: {teach_next(stages)}")
    for copy in copies:
        print(f"Look at this: {copy.sentence()}")
    for path in written:
        print(f"wrote {path}")
