"""Practice: a fresh problem on the spot, the same marking, nothing recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from headwork.assignment import Assignment, ad_hoc, exercises_named
from headwork.draw.seeds import new_secret, seed_from_integer
from headwork.draw.student import Sheet, draw_sheet
from headwork.handout import handout_files
from headwork.marking.grade import grade_submission
from headwork.marking.planner import Planner
from headwork.model import CourseError, Parameters
from headwork.rooms import Content, load_content
from headwork.writing import write_atomically

STUDENT = "practice"


def new_practice(slug: str, *, into: Path, seed: int | None = None, extra: Iterable[Path] = ()) -> Path:
    """Write a practice folder; returns it. Raises CourseError for an unknown exercise or a folder in use."""
    content = load_content(extra)
    number = int.from_bytes(new_secret()[:4], "little") if seed is None else seed
    assignment, sheet = _drawn(content, slug, number)
    folder = into / f"practice-{slug}-{number}"
    if folder.exists():
        raise CourseError(f"{folder}: there is a practice problem here already; mark it, or choose another seed")
    files = handout_files(content, assignment.name, STUDENT, sheet.problems, assignment.exercises)
    for name, data in files.items():
        write_atomically(folder / name, data)
    write_atomically(folder / "practice.json", json.dumps({"exercise": slug, "seed": number}).encode())
    return folder


def _drawn(content: Content, slug: str, seed: int) -> tuple[Assignment, Sheet]:
    exercises = exercises_named([slug], content.exercises, where="headwork practice")
    assignment = ad_hoc(f"practice-{slug}", exercises, Parameters(seed=seed))
    return assignment, draw_sheet(content, assignment, secret=seed_from_integer(seed), student=STUDENT)


def mark_practice(folder: Path, *, isolation: str = "auto", extra: Iterable[Path] = ()) -> str:
    """Mark a practice folder: the feedback as Markdown. Raises CourseError where it is not one."""
    from headwork.collect import read_submission
    from headwork.reports.feedback import feedback_pages
    from headwork.sandbox import open_runner

    content = load_content(extra)
    path = folder / "practice.json"
    try:
        record = json.loads(path.read_bytes())
        slug, seed = str(record["exercise"]), int(record["seed"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(
            f"{path}: not a practice folder ({type(error).__name__}); `headwork practice SLUG` makes one"
        ) from error
    assignment, sheet = _drawn(content, slug, seed)
    wanted = {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if _is_work(file)}
    submission = read_submission(wanted, STUDENT, assignment=assignment.name)
    with open_runner(isolation) as runner:
        planner = Planner(content, assignment, secret=seed_from_integer(seed))
        report = grade_submission(planner, sheet, submission, runner)
    return feedback_pages(report, content, problems=sheet.problems)["feedback.md"]


def _is_work(file: Path) -> bool:
    return file.is_file() and file.suffix in (".py", ".ipynb", ".toml") and file.name != "test_public.py"
