"""``problem.json``: what one student got for one assignment, with digests and without answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from headwork.draw.digest import digest_of, plain
from headwork.model import CourseError, Instance, Problem

FORMAT = "headwork problem 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFile:
    """A problem.json, read."""

    assignment: str
    student: str
    problems: Mapping[str, Problem]

    @property
    def changed(self) -> tuple[str, ...]:
        """Exercises whose inputs do not have the digest that the file states."""
        return tuple(slug for slug, problem in self.problems.items() if problem.digest != _digest(problem))


def problem_json(assignment: str, student: str, problems: Mapping[str, Problem]) -> str:
    """The text of the file, a line for every value: inputs as the code sees them, and as exact text where there is one."""
    record = problem_record(assignment, student, problems)
    exercises = record.pop("exercises").items()
    entries = [f'  "{slug}": {{\n' + _lines(entry, "   ") + "\n  }" for slug, entry in exercises]
    return "{\n" + _lines(record, " ") + ',\n "exercises": {\n' + ",\n".join(entries) + "\n }\n}\n"


def problem_record(assignment: str, student: str, problems: Mapping[str, Problem]) -> dict[str, Any]:
    """The same as JSON values."""
    return {
        "format": FORMAT,
        "assignment": assignment,
        "student": student,
        "exercises": {slug: _entry(problem) for slug, problem in problems.items()},
    }


def _lines(table: Mapping[str, Any], indent: str) -> str:
    return ",\n".join(
        f'{indent}"{name}": {json.dumps(value, ensure_ascii=False, allow_nan=False)}' for name, value in table.items()
    )


def _entry(problem: Problem) -> dict[str, Any]:
    instance = problem.instance
    inputs = {name: plain(value) for name, value in instance.values.items()}
    return {
        "version": problem.version,
        "chain": instance.chain,
        "attempt": instance.attempt,
        "words": [list(prompt) for prompt in instance.words],
        "sizes": {name: value for name, value in inputs.items() if type(value) is int},
        "inputs": {name: value for name, value in inputs.items() if type(value) is not int},
        "exact": {name: plain(value) for name, value in instance.exact.items()},
        "digest": problem.digest,
    }


def read_problem_json(text: str | bytes) -> ProblemFile:
    """Read a problem.json back. Nothing in it is trusted: the file may come from a student.

    Raises CourseError where it is not such a file. Exercises whose numbers do not match their digest
    are named in ``changed``.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CourseError(f"problem.json: cannot be read: {error}") from error
    return problem_file(record)


def problem_file(record: Any) -> ProblemFile:
    """The same from JSON values."""
    try:
        if not isinstance(record, dict):
            raise ValueError("it is not a table")
        found = cast(dict[str, Any], record)
        if found.get("format") != FORMAT:
            raise ValueError(f'format is {str(found.get("format"))[:40]!r}, wanted "{FORMAT}"')
        student = _text(found["student"])
        instances = _Instances()
        problems = {
            _text(slug): _problem(_text(slug), student, _table(entry), instances)
            for slug, entry in _table(found["exercises"]).items()
        }
        return ProblemFile(assignment=_text(found["assignment"]), student=student, problems=problems)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        missing = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise CourseError(f"problem.json: cannot be read: {missing}") from error


class _Instances:
    """Exercises that state the same numbers share one instance, as they did when it was drawn."""

    def __init__(self) -> None:
        self._found: list[tuple[list[Any], Instance]] = []

    def of(self, table: dict[str, Any]) -> Instance:
        stated = [table.get(name) for name in ("chain", "sizes", "inputs", "exact", "words", "attempt")]
        for other, instance in self._found:
            if other == stated:
                return instance
        self._found.append((stated, _instance(table)))
        return self._found[-1][1]


def _instance(table: dict[str, Any]) -> Instance:
    values = {**_table(table["sizes"]), **{name: _value(value) for name, value in _table(table["inputs"]).items()}}
    return Instance(
        chain=_text(table["chain"]),
        values=values,
        exact=_table(table["exact"]),
        words=tuple(tuple(_text(word) for word in prompt) for prompt in table["words"]),
        attempt=int(table.get("attempt", 0)),
    )


def _problem(slug: str, student: str, table: dict[str, Any], instances: _Instances) -> Problem:
    return Problem(
        exercise=slug,
        version=int(table["version"]),
        student=student,
        instance=instances.of(table),
        digest=_text(table["digest"]),
    )


def _digest(problem: Problem) -> str:
    instance = problem.instance
    inputs = {name: plain(instance.exact.get(name, value)) for name, value in sorted(instance.values.items())}
    return digest_of(problem.exercise, problem.version, instance.chain, inputs)


def _value(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    array: np.ndarray[Any, Any] = np.asarray(cast(list[Any], value))
    if array.dtype.kind not in "bif":
        raise ValueError("an input is not an array of numbers")
    return array


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"a table is wanted, there is {type(value).__name__}")
    return cast(dict[str, Any], value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"text is wanted, there is {type(value).__name__}")
    return value
