"""``problem.json`` and ``submission.json``: the stored instance that came along, and answers inside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headwork.collect.loose import mapping, parsed
from headwork.collect.text import decoded

LARGEST = 1 << 20
DEEPEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFile:
    """The file as read: nothing in it is believed before its digest is checked elsewhere."""

    problem: Mapping[str, object] | None = None
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    wrong: str | None = None


def read_problem(raw: bytes) -> ProblemFile:
    """Read the file; ``wrong`` says why there is no problem in it."""
    if len(raw) > LARGEST:
        return ProblemFile(wrong=f"the file has {len(raw)} bytes; more than {LARGEST} are not read")
    text = decoded(raw).text
    try:
        document = parsed(text, deepest=DEEPEST)
    except ValueError as error:
        return ProblemFile(wrong=str(error))
    if not isinstance(document, dict):
        return ProblemFile(wrong="the file holds no JSON object")
    problem = mapping(document)  # pyright: ignore[reportUnknownArgumentType]
    exercise = problem.get("exercise")
    typed = {k: v for k, v in mapping(problem.get("answers")).items() if isinstance(v, str)}
    answers = {exercise: typed} if isinstance(exercise, str) and typed else {}
    return ProblemFile(problem=problem, answers=answers)
