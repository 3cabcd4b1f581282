"""The commands. Nothing but argument handling: everything else is imported when a command needs it."""

# Imports stay inside the commands, so that --help answers at once.
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

app = typer.Typer(
    name="headwork",
    help="Homework for attention heads: draw problems, hand them out, take them back, grade and explain.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

USAGE, FAULT = 2, 3

Content = Annotated[
    list[Path] | None, typer.Option("--content", help="A folder with exercises/, solutions/ or templates/ of your own.")
]
AssignmentName = Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="Folder name below source/.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Students = Annotated[list[str] | None, typer.Option("--student", help="Only this student; may be repeated.")]
CourseFolder = Annotated[Path, typer.Option("--course", help="The course folder (default: here or above).")]
Isolation = Annotated[
    str, typer.Option(help="auto, full, base, or limits (which lets submissions read your files: your consent).")
]
Workers = Annotated[int, typer.Option(min=1, max=256, help="Processes that grade side by side.")]

Command = TypeVar("Command", bound=Callable[..., Any])


def _plainly(command: Command) -> Command:
    """Turn errors that a person can mend into one message and an exit status."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        from headwork.model import ContentError, CourseError, GraderFault

        try:
            return command(*args, **kwargs)
        except (CourseError, ContentError) as error:
            _say(str(error))
            raise typer.Exit(USAGE) from None
        except GraderFault as error:
            _say(f"headwork could not go on: {error}")
            raise typer.Exit(FAULT) from None

    return run  # pyright: ignore[reportReturnType]  # the same signature, by wraps


def _say(text: str) -> None:
    from headwork.reports.shown_text import shown_text

    print(shown_text(text, longest=4000), file=sys.stderr)


def _print_json(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=1))


@app.command()
@_plainly
def new(
    folder: Annotated[Path, typer.Argument(help="Where the course goes.")],
    name: Annotated[str | None, typer.Option(help="The course's name (default: the folder's).")] = None,
) -> None:
    """Make a course folder with a sample assignment.

    Example: headwork new attention-course
    """
    from shlex import quote

    from headwork.new_course import make_course

    for path in make_course(folder, name=name):
        print(f"wrote {path}")
    print(
        f"Next: put your students into {folder / 'roster.csv'}, then: cd {quote(str(folder))} && headwork assign attention"
    )


@app.command("list")
@_plainly
def list_(content: Content = None, as_json: AsJson = False) -> None:
    """List the exercises.

    Example: headwork list
    """
    from headwork.rooms import catalogue

    found = catalogue(content or ())
    if as_json:
        _print_json([{"slug": slug, "title": title} for slug, (title, _) in found.items()])
        return
    width = max(len(slug) for slug in found)
    for slug, (title, path) in found.items():
        print(f"{slug:<{width}}  {title}  ({path.parent.name})")


@app.command()
@_plainly
def preview(
    slugs: Annotated[list[str], typer.Argument(metavar="SLUG...", help="Exercises, as `headwork list` names them.")],
    seed: Annotated[int, typer.Option(help="Any whole number; the same one gives the same numbers.")] = 1,
    answers: Annotated[bool, typer.Option("--answers", help="Also the key and the worked solution.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page here instead of printing.")] = None,
    difficulty: Annotated[str, typer.Option(help="easy, standard or hard.")] = "standard",
    content: Content = None,
) -> None:
    """Show exercises with drawn numbers, as a student would see them.

    Example: headwork preview softmax-rows --seed 7 --answers
    """
    from headwork.previewing import preview_html, print_preview

    chosen = _chosen(slugs, content, seed=seed, difficulty=difficulty)
    if html is None:
        print_preview(*chosen, seed=seed, answers=answers)
        return
    from headwork.course import write_atomically

    write_atomically(html, preview_html(*chosen, seed=seed, answers=answers).encode())
    print(f"wrote {html}")


def _chosen(slugs: list[str], extra: list[Path] | None, *, seed: int, difficulty: str = "standard") -> tuple[Any, Any]:
    from headwork.assignment import ad_hoc, exercises_named
    from headwork.draw.sizes import check_parameters
    from headwork.model import Parameters
    from headwork.rooms import load_content

    content = load_content(extra or ())
    parameters = Parameters(seed=seed, difficulty=difficulty)
    check_parameters(parameters, where="options")
    return content, ad_hoc("preview", exercises_named(slugs, content.exercises, where="headwork"), parameters)


@app.command()
@_plainly
def assign(
    assignment: AssignmentName,
    student: Students = None,
    course: CourseFolder = Path(),
    to: Annotated[str | None, typer.Option(help="nbgrader: also write source/<assignment>/*.ipynb.")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a problem for every student of the roster and write the handouts.

    A student who has one already keeps the same numbers. Example: headwork assign attention
    """
    from headwork.assigning import assign_all
    from headwork.course import open_course
    from headwork.reports.progress import tracked

    opened = open_course(course)
    students = student or [found.id for found in opened.roster().students]
    done = list(tracked(assign_all(opened, assignment, students), total=len(students), what="handouts"))
    written = [str(path) for path in _to_other_tool(to, opened, assignment)]
    if as_json:
        _print_json({"assignment": assignment, "handouts": [str(path) for path in done], "written": written})
        return
    print(f"{len(done)} handouts in {opened.root / 'handouts' / assignment}")
    for path in written:
        print(f"wrote {path}")


def _to_other_tool(to: str | None, course: Any, assignment: str) -> list[Path]:
    from headwork.model import CourseError

    if to is None:
        return []
    if to != "nbgrader":
        raise CourseError(f"--to {to}: headwork can write for nbgrader")
    from headwork.exports.nbgrader import write_source

    return write_source(course, course.assignment(assignment))


@app.command()
@_plainly
def worksheet(
    assignment: AssignmentName,
    student: Students = None,
    form: Annotated[str, typer.Option("--format", help="html, tex or pdf (pdf prints with Chromium).")] = "html",
    key: Annotated[bool, typer.Option("--key", help="With the answers filled in, for staff.")] = False,
    course: CourseFolder = Path(),
) -> None:
    """Write the same problems as worksheets for paper, with answer boxes, or as keys.

    What is typed in from them is marked by the same engine. Example: headwork worksheet attention --format pdf
    """
    from headwork.course import open_course
    from headwork.handout.worksheets import write_worksheets
    from headwork.reports.progress import tracked

    opened = open_course(course)
    students = student or [found.id for found in opened.roster().students]
    sheets = write_worksheets(opened, assignment, students, form=form, key=key)
    done = list(tracked(sheets, total=len(students), what="worksheets"))
    print(f"{len(done)} worksheets in {opened.root / 'worksheets' / assignment}")


@app.command()
@_plainly
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
        _print_json(
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
@_plainly
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
    from headwork.grading import Work, grade_class, reports_of, submissions_of
    from headwork.reports.progress import tracked
    from headwork.reports.shown_text import shown_line
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
        _print_json(summary_of(assignment, graded))
    else:
        kept = sum(one.kept for one in graded)
        print(f"graded {len(graded) - kept - len(faults)}, unchanged {kept}, faults {len(faults)}")
        if graded and (report := next((one.report for one in graded if one.report), None)):
            print(f"isolation: {report.isolation}")
        print_class_table(opened.assignment(assignment), reports_of(opened, assignment))
    for one in faults:
        _say(shown_line(f"{one.student}: not graded, the grader failed: {one.fault}; the old mark stays", longest=400))
    if faults:
        raise typer.Exit(FAULT)


@app.command()
@_plainly
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


def _on_cluster(address: str | None) -> Any:
    from contextlib import nullcontext

    if address is None:
        return nullcontext()
    from headwork.exports.dask import dask_executor

    return dask_executor(address)


@app.command()
@_plainly
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
@_plainly
def report(assignment: AssignmentName, course: CourseFolder = Path(), as_json: AsJson = False) -> None:
    """Show the class: a table here, grades.csv, and class.html with the mistakes that were made.

    Answers that are right for another student's numbers are listed for you to look at.
    Example: headwork report attention
    """
    from headwork.course import open_course
    from headwork.grading import reports_of
    from headwork.publishing import write_class_report
    from headwork.reports.class_figures import mistakes_by_stage, teach_next, teaching_record
    from headwork.reports.copies import copied_answers
    from headwork.reports.reading import is_marked
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
        _print_json({**class_summary(found, reports), **teaching})
        return
    print_class_table(found, reports)
    print(f"What to teach next: {teach_next(stages)}")
    for copy in copies:
        print(f"Look at this: {copy.sentence()}")
    for path in written:
        print(f"wrote {path}")


@app.command()
@_plainly
def practice(
    slug: Annotated[str | None, typer.Argument(help="An exercise; writes a fresh problem.")] = None,
    mark: Annotated[Path | None, typer.Option(help="Mark the folder of an earlier practice problem.")] = None,
    into: Annotated[Path, typer.Option(help="Where practice folders go.")] = Path(),
    seed: Annotated[int | None, typer.Option(help="Fixed numbers instead of fresh ones.")] = None,
    isolation: Isolation = "auto",
    content: Content = None,
) -> None:
    """Practise: a fresh problem on the spot, marked like homework, nothing recorded.

    Example: headwork practice scale, then headwork practice --mark practice-scale-4711
    """
    from headwork.model import CourseError
    from headwork.practising import mark_practice, new_practice

    if (slug is None) == (mark is None):
        raise CourseError("give an exercise to practise, or --mark FOLDER to mark one; `headwork list` names exercises")
    if slug is not None:
        folder = new_practice(slug, into=into, seed=seed, extra=content or ())
        print(f"wrote {folder}\nWork in it, then: headwork practice --mark {folder}")
        return
    assert mark is not None
    print(mark_practice(mark, isolation=isolation, extra=content or ()))


@app.command()
@_plainly
def check(
    seeds: Annotated[int, typer.Option(min=1, help="Draws per exercise.")] = 20,
    content: Content = None,
    isolation: Isolation = "auto",
) -> None:
    """Check all content: every stub fails, every solution passes, every mistake shows.

    Example: headwork check --seeds 100
    """
    from headwork.checking import check_content
    from headwork.reports.progress import tracked

    failed = 0
    for line in tracked(check_content(content or (), seeds=seeds, isolation=isolation), total=None, what="checks"):
        failed += not line.ok
        print(f"{'ok  ' if line.ok else 'FAIL'} {line.text}")
    if failed:
        raise typer.Exit(1)


@app.command()
@_plainly
def mutate(
    test_file: Annotated[Path, typer.Argument(metavar="TESTFILE", help="Tests that import from attention.")],
    exercise: Annotated[list[str] | None, typer.Option(help="Only its functions; may be repeated.")] = None,
    content: Content = None,
    isolation: Isolation = "auto",
    as_json: AsJson = False,
) -> None:
    """Hold a test file against the known mistakes: which does it miss, and does it leave right answers alone?

    The file runs locked in, with NumPy and the usual parts of pytest. Exit status 1 where it misses a mistake
    or rejects a right implementation. Example: headwork mutate test_mine.py --exercise scale
    """
    from headwork.assignment import exercises_named
    from headwork.mutating import bench_of, lines_of, mutate, read_tests, record_of
    from headwork.reports.progress import tracked
    from headwork.reports.shown_text import shown_line
    from headwork.rooms import load_content
    from headwork.sandbox import open_runner

    found = load_content(content or ())
    tests = read_tests(test_file)
    bench = bench_of(found, tests, exercises_named(exercise or [], found.exercises, where="headwork mutate"))
    with open_runner(isolation) as runner:
        *_, findings = tracked(mutate(bench, tests, runner), total=None, what="implementations")
    assert not isinstance(findings, str)
    if as_json:
        _print_json(record_of(findings))
    else:
        for line in lines_of(findings):
            print(shown_line(line, longest=4000))
    if not findings.fine:
        raise typer.Exit(1)


@app.command()
@_plainly
def certify(
    assignment: AssignmentName, student: Students = None, course: CourseFolder = Path(), as_json: AsJson = False
) -> None:
    """Show and store the certificate: how far every known mistake is from right, on every student's numbers.

    Example: headwork certify attention
    """
    from headwork.certifying import certificate_lines, certify_assignment
    from headwork.course import open_course

    opened = open_course(course)
    record = certify_assignment(opened, assignment, student or ())
    if as_json:
        _print_json(record)
        return
    for line in certificate_lines(record):
        print(line)


@app.command()
@_plainly
def doctor() -> None:
    """Say what this machine offers: isolation tiers and optional parts.

    Example: headwork doctor
    """
    from importlib.util import find_spec

    from headwork import __version__
    from headwork.sandbox import survey

    print(f"headwork {__version__}, Python {sys.version.split()[0]}")
    for tier in survey():
        print(f"isolation: {tier}" if isinstance(tier, str) else tier.note)
    for extra in ("nbgrader", "dask", "torch", "psycopg2"):
        print(f"{extra}: {'installed' if find_spec(extra) else 'not installed'}")


@app.command()
@_plainly
def demo(
    into: Annotated[Path, typer.Option(help="Where the demo course goes.")] = Path("demo-course"),
    workers: Workers = 2,
    isolation: Isolation = "auto",
) -> None:
    """Run the whole loop on a class of 40: draw, hand out, collect, grade, feedback.

    Example: headwork demo --into /tmp/demo
    """
    from headwork.demo import run_demo

    if not run_demo(into, workers=workers, isolation=isolation):
        raise typer.Exit(1)


def main() -> None:
    """Entry point of the ``headwork`` command."""
    # Read by NumPy's BLAS when it is loaded. Our matrices are small, and workers can be forked from one thread only.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    app()


if __name__ == "__main__":
    main()
