"""What an assignment takes: an own instance for every student, and hidden draws that a class shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headwork.assignment import Assignment
from headwork.draw.draw import Drawn, draw_hidden, draw_own, own_chain, problem_of
from headwork.draw.seeds import seed_for, seed_from_integer
from headwork.model import Certificate, CodePart, ComposePart, Exercise, Parameters, Problem
from headwork.rooms import Content

HIDDEN_SETS = 8
"""A class shares so many sets of hidden draws; the course secret says who gets which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """One hidden draw of a code part. ``key`` names it within the assignment ("scale/scaled/cross")."""

    key: str
    exercise: Exercise
    part: CodePart | ComposePart
    chain: str
    large: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What was drawn for a student: problems by exercise, and the number of the accepted draw of every instance.

    ``attempts`` has own draws as "own:scale" and hidden ones as "hidden 3:scale/scaled/cross", by the set.
    """

    student: str
    problems: Mapping[str, Problem]
    attempts: Mapping[str, int]
    certificates: tuple[Certificate, ...] = ()


def hidden_draws(assignment: Assignment) -> tuple[Hidden, ...]:
    """Every hidden draw that grading an assignment takes, one per code part and chain, and one for large scores."""
    found: list[Hidden] = []
    for exercise in assignment.exercises:
        for part in exercise.parts:
            if not isinstance(part, CodePart | ComposePart):
                continue
            name = part.function
            chains = exercise.code_chains if isinstance(part, CodePart) else (part.chain,)
            for chain in chains:
                for large in (False, True) if exercise.large_scores and chain == chains[0] else (False,):
                    key = f"{exercise.slug}/{name}/{chain}" + ("/large" if large else "")
                    found.append(Hidden(key=key, exercise=exercise, part=part, chain=chain, large=large))
    return tuple(found)


def _seed(secret: bytes, assignment: Assignment, parameters: Parameters, **names: Any) -> bytes:
    # A fixed seed in the assignment stands in for secret and student: everyone gets the same numbers.
    if parameters.seed is not None:
        anyone: dict[str, Any] = {**names, "student": ""}
        return seed_for(seed_from_integer(parameters.seed), assignment="", **anyone)
    return seed_for(secret, assignment=assignment.name, **names)


def hidden_set(assignment: Assignment, *, secret: bytes, student: str) -> int:
    """Which of the sets of hidden draws a student's code is run on."""
    seed = seed_for(
        secret, assignment=assignment.name, exercise="", version=0, student=student, purpose="set of hidden draws"
    )
    return seed[0] % HIDDEN_SETS


def draw_hidden_for(
    content: Content, assignment: Assignment, hidden: Hidden, *, secret: bytes, number: int, attempt: int | None
) -> Drawn:
    """One hidden draw of set ``number``; with ``attempt`` the accepted one again, without certifying."""
    parameters = assignment.parameters_for(hidden.exercise.slug)
    # Hidden inputs stay secret even where the numbers that students see are fixed.
    seed = seed_for(
        secret,
        assignment=assignment.name,
        exercise=hidden.exercise.slug,
        version=hidden.exercise.version,
        student="",
        purpose=_name(hidden, number),
    )
    chain = content.chains[hidden.chain]
    return draw_hidden(
        content, hidden.part, chain, seed=seed, parameters=parameters, large=hidden.large, attempt=attempt
    )


def _name(hidden: Hidden, number: int) -> str:
    return f"hidden {number}:{hidden.key}"


class HiddenDraws:
    """The hidden draws of one assignment, each made when it is first asked for and then kept."""

    def __init__(self, content: Content, assignment: Assignment, *, secret: bytes) -> None:
        """Draw nothing yet."""
        self._content, self._assignment, self._secret = content, assignment, secret
        self._certified: dict[str, Drawn] = {}
        self._repeated: dict[tuple[str, int], Drawn] = {}

    def set_of(self, student: str) -> int:
        """See ``hidden_set``."""
        return hidden_set(self._assignment, secret=self._secret, student=student)

    def certified(self, hidden: Hidden, number: int) -> Drawn:
        """Draw until the certificate holds. Raises CourseError where no draw does."""
        name = _name(hidden, number)
        if name not in self._certified:
            self._certified[name] = self._draw(hidden, number, attempt=None)
        return self._certified[name]

    def again(self, hidden: Hidden, number: int, attempts: Mapping[str, int]) -> Drawn:
        """The draw that was accepted by ``attempts`` (see Sheet); one that is not among them is certified now."""
        name = _name(hidden, number)
        if name not in attempts:
            return self.certified(hidden, number)
        key = name, attempts[name]
        if key not in self._repeated:
            self._repeated[key] = self._draw(hidden, number, attempt=attempts[name])
        return self._repeated[key]

    def _draw(self, hidden: Hidden, number: int, *, attempt: int | None) -> Drawn:
        return draw_hidden_for(
            self._content, self._assignment, hidden, secret=self._secret, number=number, attempt=attempt
        )


def draw_own_for(
    content: Content,
    assignment: Assignment,
    group: tuple[Exercise, ...],
    *,
    secret: bytes,
    student: str,
    attempt: int | None = None,
) -> Drawn:
    """The own instance of a group of exercises (see Assignment.own_groups)."""
    parameters = assignment.parameters_for(group[0].slug)
    seed = _seed(
        secret,
        assignment,
        parameters,
        exercise=own_chain(group[0]),
        version=max(exercise.version for exercise in group),
        student=student,
        purpose=f"own:{group[0].slug}",
    )
    return draw_own(content, group, seed=seed, parameters=parameters, attempt=attempt)


def draw_sheet(
    content: Content, assignment: Assignment, *, secret: bytes, student: str, shared: HiddenDraws | None = None
) -> Sheet:
    """Draw everything for a student, every instance with its certificate.

    Who draws for a class hands in what it shares (of the same content, assignment and secret).
    Raises CourseError where an exercise can't be drawn with the assignment's parameters.
    """
    problems: dict[str, Problem] = {}
    attempts: dict[str, int] = {}
    certificates: list[Certificate] = []
    for group in assignment.own_groups:
        drawn = draw_own_for(content, assignment, group, secret=secret, student=student)
        attempts[f"own:{group[0].slug}"] = drawn.instance.attempt
        certificates += [drawn.certificate] if drawn.certificate else []
        for exercise in group:
            problems[exercise.slug] = problem_of(exercise, student=student, instance=drawn.instance)
    shared = shared or HiddenDraws(content, assignment, secret=secret)
    number = shared.set_of(student)
    for hidden in hidden_draws(assignment):
        drawn = shared.certified(hidden, number)
        attempts[_name(hidden, number)] = drawn.instance.attempt
        certificates += [drawn.certificate] if drawn.certificate else []
    ordered = {exercise.slug: problems[exercise.slug] for exercise in assignment.exercises}
    return Sheet(student=student, problems=ordered, attempts=attempts, certificates=tuple(certificates))
