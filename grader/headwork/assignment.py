"""An assignment: which exercises, with which parameters, marked by which rules (``assignment.toml``)."""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from headwork.draw.sizes import parameters_from
from headwork.model import CodePart, ComposePart, CourseError, Exercise, Limits, Parameters, TracePart


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How an assignment marks; each is one key of ``[marking]``."""

    follow_through: str = "full"
    """What a value that is right on the student's own earlier value earns: "full", "half", "none"."""
    early_rounding: str = "part"
    """What a right method with rounding in between earns: "full", "part", "none"."""
    credit: str = "proportional"
    """How cells of a hand matrix count: "proportional", "rows", "all"."""
    decimal_comma: bool = False
    hints: int = 3
    """How many steps of help feedback shows: 1 a question, 2 what to look at, 3 the cause."""
    hint_cost: str = "0"
    """What each step that a student was shown costs in a later attempt at the same part, as a share of its points."""
    worked_solution: bool = False
    """Whether feedback shows right values and the worked solution."""


_CHOICES = {
    "follow_through": ("full", "half", "none"),
    "early_rounding": ("full", "part", "none"),
    "credit": ("proportional", "rows", "all"),
}


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """A named list of exercises with everything that can be set about them."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]
    parameters: Mapping[str, Parameters] = field(default_factory=dict[str, Parameters])
    form: str = "py"
    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    content: tuple[str, ...] = ()

    def parameters_for(self, slug: str) -> Parameters:
        """The parameters of one exercise."""
        return self.parameters.get(slug, Parameters())

    @cached_property
    def maximum(self) -> Fraction:
        """The points of all parts together."""
        total = Fraction(0)
        for exercise in self.exercises:
            for part in exercise.parts:
                total += part.points * (len(part.stages) if isinstance(part, TracePart) else 1)
        return total

    @cached_property
    def own_groups(self) -> tuple[tuple[Exercise, ...], ...]:
        """Exercises that share one own instance: the same chain, the same parameters."""
        from headwork.draw.draw import numbers_of, own_chain

        groups: dict[Any, list[Exercise]] = {}
        for exercise in self.exercises:
            parameters = self.parameters_for(exercise.slug)
            by_hand = exercise.hand_chain is not None
            key = (own_chain(exercise), numbers_of(exercise, parameters) if by_hand else "", parameters)
            groups.setdefault(key, []).append(exercise)
        return tuple(tuple(group) for group in groups.values())


def ad_hoc(name: str, exercises: Iterable[Exercise], parameters: Parameters | None = None, **rest: Any) -> Assignment:
    """An assignment that no file describes (preview, practice)."""
    chosen = tuple(exercises)
    return Assignment(
        name=name,
        title=chosen[0].title if len(chosen) == 1 else name,
        exercises=chosen,
        parameters={exercise.slug: parameters or Parameters() for exercise in chosen},
        **rest,
    )


def read_assignment(path: Path, exercises: Mapping[str, Exercise], *, name: str) -> Assignment:
    """Read ``assignment.toml``.

    Raises CourseError with file, key, what was seen and what was wanted.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise CourseError(f"{path}: there is no such assignment; `headwork new` makes a course with one") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: not readable as TOML: {error}") from error
    _known(table, ("title", "form", "exercises", "content", "parameters", "marking", "limits"), where=str(path))
    slugs = table.get("exercises")
    if not isinstance(slugs, list) or not slugs:
        raise CourseError(f"{path}: exercises = {slugs!r}; wanted a list of exercise names (see `headwork list`)")
    chosen = exercises_named(cast(list[Any], slugs), exercises, where=str(path))
    _nothing_given_away(chosen, where=str(path))
    form = table.get("form", "py")
    if form not in ("py", "notebook"):
        raise CourseError(f'{path}: form = {form!r}; wanted "py" or "notebook"')
    return Assignment(
        name=name,
        title=str(table.get("title", name)),
        exercises=tuple(chosen),
        parameters=_parameters(table.get("parameters", {}), [exercise.slug for exercise in chosen], where=str(path)),
        form=form,
        policy=_policy(table.get("marking", {}), where=f"{path}: [marking]"),
        limits=_limits(table.get("limits", {}), where=f"{path}: [limits]"),
        content=tuple(table.get("content", ())),
    )


def exercises_named(slugs: Iterable[Any], exercises: Mapping[str, Exercise], *, where: str) -> list[Exercise]:
    """Exercises by slug. Raises CourseError for one that is not there, with a suggestion, or is named twice."""
    chosen: list[Exercise] = []
    for slug in slugs:
        if slug not in exercises:
            near = difflib.get_close_matches(str(slug), exercises, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else "See `headwork list`."
            raise CourseError(f"{where}: exercise {slug!r} is not there. {hint}")
        if exercises[slug] in chosen:
            raise CourseError(f"{where}: exercise {slug!r} is named twice")
        chosen.append(exercises[slug])
    return chosen


def _nothing_given_away(exercises: Iterable[Exercise], *, where: str) -> None:
    """Raise CourseError where a question shows code that another exercise asks for."""
    chosen = list(exercises)
    shown = [one.slug for one in chosen if any(getattr(part, "shows_code", False) for part in one.parts)]
    coded = [one.slug for one in chosen if any(isinstance(part, CodePart | ComposePart) for part in one.parts)]
    if shown and coded:
        raise CourseError(
            f"{where}: {', '.join(shown)} shows code of stages that {', '.join(coded)} may ask for; "
            "put it into an assignment of its own, after the code is due"
        )


def _known(table: Mapping[str, Any], names: Iterable[str], *, where: str) -> None:
    known = list(names)
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise CourseError(f"{where}: unknown key {key!r}; {hint}")


def _parameters(table: Mapping[str, Any], slugs: list[str], *, where: str) -> dict[str, Parameters]:
    shared = {key: value for key, value in table.items() if not isinstance(value, dict)}
    special = cast(dict[str, dict[str, Any]], {key: table[key] for key in table if key not in shared})
    _known(special, slugs, where=f"{where}: [parameters]")
    return {
        slug: parameters_from({**shared, **special.get(slug, {})}, where=f"{where}: [parameters]") for slug in slugs
    }


def _policy(table: Mapping[str, Any], *, where: str) -> Policy:
    _known(table, [item.name for item in dataclasses.fields(Policy)], where=where)
    for key, value in table.items():
        wanted = _CHOICES.get(key)
        if wanted is not None and value not in wanted:
            raise CourseError(f"{where}: {key} = {value!r}; wanted one of {', '.join(wanted)}")
        if wanted is None and type(value) is not type(getattr(Policy(), key)):
            raise CourseError(f"{where}: {key} = {value!r}; wanted something like {getattr(Policy(), key)!r}")
    policy = Policy(**table)
    try:
        valid = 0 <= Fraction(policy.hint_cost) <= 1
    except (ValueError, ZeroDivisionError):
        valid = False
    if not valid:
        raise CourseError(f'{where}: hint_cost = {policy.hint_cost!r}; wanted a share from "0" to "1", such as "1/10"')
    return policy


def _limits(table: Mapping[str, Any], *, where: str) -> Limits:
    _known(table, [item.name for item in dataclasses.fields(Limits)], where=where)
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise CourseError(f"{where}: {key} = {value!r}; wanted a positive number")
    return Limits(**table)
