"""``report.json``: the record of one grading, to a fixed and versioned schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from headwork.model import Cell, Diagnosis, GraderFault, Judgement, Report, Status, Verdict
from headwork.reports.figures import points_number
from headwork.writing import write_atomically

FORMAT = "headwork report 1"
SCHEMA = Path(__file__).with_name("report.schema.json")


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON values. Points are exact text ("11/3") beside a figure rounded once (3.67)."""
    return {
        "format": FORMAT,
        "assignment": report.assignment,
        "student": report.student,
        "status": report.status.value,
        "reason": report.reason,
        "total": _points(report.total),
        "maximum": _points(report.maximum),
        "judgements": [_judgement(judgement) for judgement in report.judgements],
        "messages": list(report.messages),
        "notices": list(report.notices),
        "isolation": report.isolation,
        "submission_digest": report.submission_digest,
        "fingerprint": report.fingerprint,
    }


def _points(points: Fraction) -> dict[str, Any]:
    return {"exact": str(points), "figure": points_number(points)}


def _judgement(judgement: Judgement) -> dict[str, Any]:
    cell, diagnosis = judgement.cell, judgement.diagnosis
    return {
        "exercise": judgement.exercise,
        "part": judgement.part,
        "kind": judgement.kind,
        "verdict": judgement.verdict.value,
        "points": _points(judgement.points),
        "maximum": _points(judgement.maximum),
        "summary": judgement.summary,
        "messages": list(judgement.messages),
        "axes": judgement.axes,
        "seen_shape": None if judgement.seen_shape is None else list(judgement.seen_shape),
        "wanted_shape": None if judgement.wanted_shape is None else list(judgement.wanted_shape),
        "cell": None if cell is None else {"where": cell.where, "student": cell.student, "reference": cell.reference},
        "diagnosis": None if diagnosis is None else _diagnosis(diagnosis),
        "follows": list(judgement.follows),
        "shown": dict(judgement.shown),
        "read_as": dict(judgement.read_as),
    }


def _diagnosis(diagnosis: Diagnosis) -> dict[str, Any]:
    return {
        "kind": diagnosis.kind,
        "title": diagnosis.title,
        "mistakes": list(diagnosis.mistakes),
        "why": diagnosis.why,
        "look": diagnosis.look,
        "hint": diagnosis.hint,
    }


def from_json(record: Mapping[str, Any]) -> Report:
    """The report that ``to_json`` was given.

    Raises GraderFault where the record is of another format or something in it is missing.
    """
    if record.get("format") != FORMAT:
        raise GraderFault(f'report.json: format is {record.get("format")!r}, wanted "{FORMAT}"')
    try:
        return Report(
            assignment=record["assignment"],
            student=record["student"],
            status=Status(record["status"]),
            judgements=tuple(_read_judgement(entry) for entry in record["judgements"]),
            total=Fraction(record["total"]["exact"]),
            maximum=Fraction(record["maximum"]["exact"]),
            reason=record["reason"],
            notices=tuple(record["notices"]),
            messages=tuple(record["messages"]),
            isolation=record["isolation"],
            submission_digest=record["submission_digest"],
            fingerprint=record["fingerprint"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise GraderFault(f"report.json: cannot be read: {type(error).__name__}: {error}") from error


def _read_judgement(entry: Mapping[str, Any]) -> Judgement:
    return Judgement(
        exercise=entry["exercise"],
        part=entry["part"],
        kind=entry["kind"],
        verdict=Verdict(entry["verdict"]),
        points=Fraction(entry["points"]["exact"]),
        maximum=Fraction(entry["maximum"]["exact"]),
        summary=entry["summary"],
        messages=tuple(entry["messages"]),
        axes=entry["axes"],
        seen_shape=_read_shape(entry["seen_shape"]),
        wanted_shape=_read_shape(entry["wanted_shape"]),
        cell=None if entry["cell"] is None else Cell(**entry["cell"]),
        diagnosis=None if entry["diagnosis"] is None else _read_diagnosis(entry["diagnosis"]),
        follows=tuple(entry["follows"]),
        shown=entry["shown"],
        read_as=entry["read_as"],
    )


def _read_shape(shape: Sequence[int] | None) -> tuple[int, ...] | None:
    return None if shape is None else tuple(shape)


def _read_diagnosis(entry: Mapping[str, Any]) -> Diagnosis:
    texts = {name: str(entry[name]) for name in ("kind", "title", "why", "look", "hint")}
    return Diagnosis(mistakes=tuple(entry["mistakes"]), **texts)


def write_report(path: Path, report: Report) -> None:
    """Write a report whole. One that a power cut empties is found out when it is read, and graded again."""
    write_atomically(path, _text(to_json(report)).encode("utf-8", "backslashreplace"))


def _text(record: Mapping[str, Any]) -> str:
    """A line for every field and every judgement: as readable as it needs to be, and json's fast path."""
    fields = {name: _line(value) for name, value in record.items()}
    if record["judgements"]:
        # Where one ends and the next begins; a text that has the same in it has a backslash before each quote.
        judgements = fields["judgements"][1:-1].replace('}, {"exercise": ', '},\n  {"exercise": ')
        fields["judgements"] = f"[\n  {judgements}\n ]"
    return "{\n" + ",\n".join(f' "{name}": {text}' for name, text in fields.items()) + "\n}\n"


_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def read_report(path: Path) -> Report:
    """Read a report.json. Raises GraderFault, naming the file, where it is not one."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GraderFault(f"{path}: cannot be read ({error}); `headwork grade` writes it anew") from error
    if not isinstance(record, dict):
        raise GraderFault(f"{path}: is not a report")
    return from_json(cast(dict[str, Any], record))
