"""Marks given by hand: kept beside the reports, on top of whatever grading finds, until they are taken back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from headwork.model import CourseError, Judgement, ManualMark, Report, Status, Verdict
from headwork.reports.figures import show_points
from headwork.writing import write_atomically

FILE = "manual.json"


def key_of(judgement: Judgement) -> str:
    """The name of one judgement within a report: a stage may be asked for in code and by hand."""
    return f"{judgement.exercise}/{judgement.part}/{judgement.kind}"


def read_marks(folder: Path) -> dict[str, ManualMark]:
    """The marks in a student's report folder by "exercise/part/kind".

    Raises CourseError where the file can't be read.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        record: Mapping[str, Mapping[str, Any]] = json.loads(path.read_bytes())
        return {
            key: ManualMark(points=Fraction(entry["points"]), reason=str(entry["reason"]), by=str(entry["by"]))
            for key, entry in record.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path}: the marks given by hand can't be read ({error}); put the file back") from error


def write_mark(folder: Path, judgement: Judgement, mark: ManualMark | None) -> None:
    """Give a mark by hand, or take it back with None.

    Raises CourseError for points outside of what the part is worth.
    """
    key = key_of(judgement)
    marks = read_marks(folder)
    if mark is None:
        marks.pop(key, None)
    elif 0 <= mark.points <= judgement.maximum:
        marks[key] = mark
    else:
        most = show_points(judgement.maximum)
        raise CourseError(f"{key}: {show_points(mark.points)} points; wanted 0 to {most}")
    record = {
        key: {"points": str(found.points), "reason": found.reason, "by": found.by} for key, found in marks.items()
    }
    write_atomically(folder / FILE, json.dumps(record, ensure_ascii=False, indent=1).encode())


def with_marks(report: Report, marks: Mapping[str, ManualMark]) -> Report:
    """The report with marks given by hand in place of the automatic ones, which are told beside them."""
    if not marks:
        return report
    judgements = tuple(_with_mark(one, marks.get(key_of(one))) for one in report.judgements)
    waiting = any(_waits(one) for one in judgements)
    status = report.status
    if status is Status.NEEDS_ATTENTION and judgements and not waiting:
        status = Status.GRADED_WITH_NOTICE
    total = sum((one.points for one in judgements), Fraction(0))
    return replace(report, judgements=judgements, total=total, status=status)


def _with_mark(judgement: Judgement, mark: ManualMark | None) -> Judgement:
    if mark is None:
        return judgement
    words = f"Marked by hand by {mark.by}" + (f": {mark.reason}" if mark.reason else "")
    automatic = f"The automatic mark was {show_points(judgement.points)} of {show_points(judgement.maximum)}."
    return replace(judgement, points=mark.points, manual=mark, messages=(words, automatic, *judgement.messages))


def _waits(judgement: Judgement) -> bool:
    # A sentence (kind "explain") is a person's from the start, and holds up no mark.
    open_ = judgement.verdict in (Verdict.ATTENTION, Verdict.UNREADABLE) and judgement.kind != "explain"
    return judgement.manual is None and open_


def judgement_of(report: Report, key: str) -> Judgement:
    """The judgement named "exercise/part/kind", or less of it where that is clear.

    Raises CourseError with the names that there are.
    """
    names = {key_of(one): one for one in report.judgements}
    found = [
        name
        for name, one in names.items()
        if key in (name, f"{one.exercise}/{one.part}", one.part, f"{one.part}/{one.kind}")
    ]
    if len(found) == 1:
        return names[found[0]]
    told = ", ".join(found or names)
    raise CourseError(f"{report.student}: {key!r} is {'not one part' if found else 'no part'}; there are {told}")
