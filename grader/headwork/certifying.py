"""Certificates of an assignment, for the instructor: drawn again in full, printed and stored."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from headwork.course import Course
from headwork.draw.certify import blind_spots
from headwork.draw.student import HiddenDraws, draw_sheet
from headwork.model import Certificate
from headwork.writing import write_atomically


def certify_assignment(course: Course, name: str, students: Sequence[str] = ()) -> dict[str, Any]:
    """Certificates of all (or the named) students' draws, stored in ``.headwork/certificates/<assignment>.json``."""
    assignment = course.assignment(name)
    content = course.content()
    record: dict[str, Any] = {"assignment": name, "students": {}}
    shared = HiddenDraws(content, assignment, secret=course.secret())
    for student in students or [found.id for found in course.roster().students]:
        sheet = draw_sheet(content, assignment, secret=course.secret(), student=student, shared=shared)
        record["students"][student] = [
            {**_as_json(certificate), "blind": blind_spots(content, certificate)} for certificate in sheet.certificates
        ]
    path = course.root / ".headwork" / "certificates" / f"{name}.json"
    write_atomically(path, json.dumps(record).encode(), private=True)
    return record


def _as_json(certificate: Certificate) -> dict[str, Any]:
    def figure(number: float | None) -> float | str | None:
        # JSON has no infinity; a mistake that changes the shape is infinitely far.
        return number if number is None or math.isfinite(number) else "shape or pattern"

    return {
        "what": certificate.exercise,
        "chain": certificate.chain,
        "draw": certificate.attempt,
        "gap": certificate.gap,
        "mistakes": {
            distance.mistake: {
                "at_stage": figure(distance.at_stage),
                "at_end": figure(distance.at_end),
                "nearest": figure(distance.nearest),
                "nearest_mistake": distance.nearest_mistake,
            }
            for distance in certificate.distances
        },
    }


def certificate_lines(record: dict[str, Any]) -> Iterator[str]:
    """The record in short: per student and instance, how many mistakes, and the closest one."""
    for student, certificates in record["students"].items():
        yield f"{student}:"
        for found in certificates:
            near = [
                (entry[key], slug)
                for slug, entry in found["mistakes"].items()
                for key in ("at_stage", "at_end")
                if isinstance(entry[key], float)
            ]
            closest = f"closest {min(near)[0]:.2g} ({min(near)[1]})" if near else "all change the shape"
            state = "holds" if not found["blind"] else f"BLIND to {', '.join(found['blind'])}"
            yield (
                f"  {found['what']} on {found['chain']}: {len(found['mistakes'])} mistakes, "
                f"{closest}, gap {found['gap']:g}: {state}"
            )
