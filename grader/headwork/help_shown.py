"""Which steps of help a student has been shown, and what they cost in a later attempt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from headwork.manual_marks import key_of
from headwork.model import CourseError, Judgement, Report
from headwork.reports.figures import show_points
from headwork.writing import write_atomically

FILE = "help.json"


def help_shown(folder: Path) -> dict[str, tuple[int, str]]:
    """Part -> the most steps shown, and the digest of the submission they were about.

    Raises CourseError where the file can't be read.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        record: Mapping[str, Mapping[str, Any]] = json.loads(path.read_bytes())
        return {key: (int(entry["steps"]), str(entry["submission"])) for key, entry in record.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path}: what help was shown can't be read ({error}); put the file back") from error


def remember_help(folder: Path, report: Report, *, steps: int) -> None:
    """Keep that feedback shows ``steps`` of help for every diagnosed part; the first submission helped counts."""
    known = help_shown(folder)
    for one in report.judgements:
        key = key_of(one)
        if one.diagnosis is not None and steps > known.get(key, (0, ""))[0]:
            known[key] = (steps, known[key][1] if key in known else report.submission_digest)
    if known:
        record = {key: {"steps": shown, "submission": digest} for key, (shown, digest) in known.items()}
        write_atomically(folder / FILE, json.dumps(record, indent=1).encode())


def with_help_paid(report: Report, shown: Mapping[str, tuple[int, str]], *, cost: Fraction) -> Report:
    """The report of a later attempt, less ``cost`` of a part's points for each step of help that came before it."""
    if not cost or not shown:
        return report
    judgements = tuple(_paid(one, shown.get(key_of(one)), report.submission_digest, cost) for one in report.judgements)
    total = sum((one.points for one in judgements), Fraction(0))
    return replace(report, judgements=judgements, total=total)


def _paid(judgement: Judgement, shown: tuple[int, str] | None, submission: str, cost: Fraction) -> Judgement:
    if shown is None or shown[1] == submission or not judgement.points:
        return judgement
    paid = min(judgement.points, judgement.maximum * cost * shown[0])
    words = f"Help was shown before this attempt ({shown[0]} steps); it costs {show_points(paid)} points."
    return replace(judgement, points=judgement.points - paid, messages=(*judgement.messages, words))
