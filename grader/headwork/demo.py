"""The demo: a class of 40 through the whole loop, on real files, checked against what was planted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

from headwork.answers.asking import key_for
from headwork.assigning import assign_all
from headwork.assignment import Assignment
from headwork.collect import collect, store
from headwork.course import Course, open_course
from headwork.demo_class import Planted, plant
from headwork.grading import Work, grade_class, submissions_of
from headwork.handout.answers_toml import filled_answers
from headwork.model import CodePart, ComposePart, CourseError, Report, TracePart, Verdict
from headwork.new_course import ASSIGNMENT, make_course
from headwork.publishing import write_class_report, write_feedback
from headwork.reports.progress import tracked
from headwork.reports.stored import reports_of
from headwork.reports.terminal import print_class_table
from headwork.stages import evaluate
from headwork.writing import write_atomically

NAME = "attention"
SIZE = 40
SLIPPED = "scaled"


def make_demo_course(root: Path) -> Course:
    """A course folder with 40 students; limits are short, so that a hang costs a second. Raises CourseError."""
    if (root / "course.toml").exists():
        raise CourseError(f"{root}: there is a course here already; remove the folder or choose another with --into")
    make_course(root, name="demo")
    students = "\n".join(f"s{number:03d},Student {number}" for number in range(1, SIZE + 1))
    write_atomically(root / "roster.csv", f"id,name\n{students}\n".encode())
    text = ASSIGNMENT.replace("wall = 10.0 ", "wall = 1.5 ").replace("total = 30.0", "total = 10.0")
    write_atomically(root / "source" / NAME / "assignment.toml", text.encode())
    return open_course(root)


def right_answers(course: Course, assignment: Assignment, student: str, *, slipped: str | None = None) -> str:
    """A filled answers.toml in decimals; ``slipped`` doubles one cell of a stage, and later stages follow from it."""
    sheet = course.load_sheet(assignment, student)
    assert sheet is not None
    content = course.content()
    typed: dict[str, dict[str, str]] = {}
    for exercise in assignment.exercises:
        instance = sheet.problems[exercise.slug].instance
        chain = content.chains[instance.chain]
        values = dict(evaluate(chain, instance.values))
        if slipped and slipped in chain.stages and exercise.hand_chain:
            known = {name: values[name] for name in _before(chain.stages, slipped, instance.values)}
            wrong = values[slipped].copy()
            wrong[-1, 0] = 2 * wrong[-1, 0] + 1
            values = dict(evaluate(chain, {**known, slipped: wrong}))
        for part in exercise.parts:
            filled = typed.setdefault(exercise.slug, {})
            if isinstance(part, TracePart):
                for stage in part.stages:
                    filled[stage] = "; ".join(" ".join(_cell(cell) for cell in row) for row in values[stage].tolist())
            elif not isinstance(part, CodePart | ComposePart):
                seed = bytes.fromhex(sheet.problems[exercise.slug].digest)
                filled[part.slug] = key_for(part, content, exercise, instance, seed)
    return filled_answers(typed)


def _before(stages: Iterable[str], stage: str, inputs: Mapping[str, object]) -> list[str]:
    """Inputs, and the stages that come before ``stage``."""
    ordered = list(stages)
    return [*inputs, *ordered[: ordered.index(stage)]]


def _cell(number: float) -> str:
    return "-inf" if number == float("-inf") else f"{number:.6f}"


def plant_class(course: Course, assignment: Assignment) -> tuple[Planted, ...]:
    """Write what the class hands in below ``inbox/``, a folder per student."""
    students = [student.id for student in course.roster().students]
    answers = {
        student: {
            "right": right_answers(course, assignment, student),
            "slip": right_answers(course, assignment, student, slipped=SLIPPED),
        }
        for student in students
    }
    planted = plant(course.content(), assignment.exercises, answers)
    for one in planted:
        for name, data in one.files.items():
            write_atomically(course.root / "inbox" / one.student / name, data)
    return planted


def discrepancies(planted: Planted, report: Report | None) -> list[str]:
    """How a report differs from what was planted; empty where it is right for this student."""
    if report is None:
        return ["no report"]
    found: list[str] = []
    if report.status.value not in planted.status:
        found.append(f"status {report.status.value}, planted {' or '.join(planted.status)}")
    if not report.judgements:
        return found
    total = Fraction(0)
    for judgement in report.judgements:
        key = judgement.part if judgement.kind in ("code", "compose") else f"hand:{judgement.part}"
        share = Fraction(planted.kept.get(key, "0")) if key in planted.wrong else Fraction(1)
        if key == f"hand:{SLIPPED}" and key in planted.wrong:
            share = judgement.points / judgement.maximum  # a share of the cells; only that it is not all is planted
            if share == 1:
                found.append(f"{key} earned everything")
        total += judgement.maximum * share
        if judgement.points != judgement.maximum * share:
            found.append(f"{key}: {judgement.points} of {judgement.maximum}, planted {judgement.maximum * share}")
    if report.total != total:
        found.append(f"total {report.total}, planted {total}")
    named = {slug for one in report.judgements if one.diagnosis for slug in one.diagnosis.mistakes}
    found += [f"{slug} is not named" for slug in planted.named if slug not in named]
    if any(one.verdict is Verdict.NOT_RUN for one in report.judgements):
        found.append("something was not run")
    return found


def run_demo(root: Path, *, workers: int, isolation: str) -> bool:
    """Run the loop, print the class table, and say whether it is right for every student."""
    started = time.monotonic()
    course = make_demo_course(root)
    assignment = course.assignment(NAME)
    students = [student.id for student in course.roster().students]
    list(tracked(assign_all(course, NAME, students), total=SIZE, what="handouts"))
    planted = plant_class(course, assignment)
    collection = collect(root / "inbox", course.roster(), assignment=NAME)
    store(collection, root, NAME)
    work = Work(course=course, assignment_name=NAME, isolation=isolation)
    submissions = submissions_of(course, NAME)
    graded = list(tracked(grade_class(work, submissions, workers=workers), total=SIZE, what="submissions"))
    list(tracked(write_feedback(course, NAME), total=SIZE, what="feedback"))
    reports = reports_of(course, NAME)
    written = write_class_report(course, assignment, reports)
    print_class_table(assignment, reports, {one.student: one.about for one in planted})
    by_student = {report.student: report for report in reports}
    wrong = {one.student: found for one in planted if (found := discrepancies(one, by_student.get(one.student)))}
    for student, found in wrong.items():
        print(f"not as planted: {student}: {'; '.join(found)}")
    for one in graded:
        if one.fault:
            print(f"fault: {one.student}: {one.fault}")
    for path in [*written, course.feedback_folder(NAME, students[10]) / "feedback.html"]:
        print(f"wrote {path}")
    print(
        f"{len(planted) - len(wrong)} of {len(planted)} students as planted, "
        f"isolation {reports[0].isolation if reports else 'unknown'}, {time.monotonic() - started:.1f} s"
    )
    return not wrong
