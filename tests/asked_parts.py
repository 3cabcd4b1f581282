"""Every asked part of the content on a few drawn problems, for the tests of the ways of asking."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from headwork.answers.asking import mark_asked, options_seed, questions_for
from headwork.answers.asking.mark import key_for
from headwork.assignment import Policy, ad_hoc
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_own_for
from headwork.model import CodePart, ComposePart, Exercise, Instance, Judgement, TracePart
from headwork.rooms import load_content
from headwork.sandbox import Runner, open_runner

SEEDS = (1, 2, 3)


@cache
def runner() -> Runner:
    """One for all tests of a process; it ends with the process."""
    return open_runner()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    exercise: Exercise
    part: Any
    instance: Instance
    seed: bytes

    def mark(self, typed: str, **policy: Any) -> Judgement:
        (judgement,) = mark_asked(
            content=load_content(),
            exercise=self.exercise,
            part=self.part,
            instance=self.instance,
            typed={self.part.slug: typed},
            policy=Policy(**policy),
            stream_seed=self.seed,
            runner=runner() if self.part.kind == "catch" else None,
        )
        return judgement

    @property
    def key(self) -> str:
        return key_for(self.part, load_content(), self.exercise, self.instance, self.seed)

    @property
    def question(self) -> Any:
        return questions_for(self.part, load_content(), self.exercise, self.instance, self.seed)[0]


def slugs(*kinds: str) -> list[tuple[str, str]]:
    """Exercise and part slugs of all asked parts, or of those of some kinds."""
    return [
        (exercise.slug, part.slug)
        for exercise in load_content().exercises.values()
        for part in exercise.parts
        if not isinstance(part, CodePart | ComposePart | TracePart) and (not kinds or part.kind in kinds)
    ]


@cache
def instance_of(exercise: str, seed: int) -> Instance:
    content = load_content()
    found = content.exercises[exercise]
    assignment = ad_hoc("asked", [found])
    return draw_own_for(content, assignment, (found,), secret=seed_from_integer(seed), student="ada").instance


def asked(exercise: str, part: str, seed: int = 1) -> Asked:
    found = load_content().exercises[exercise]
    instance = instance_of(exercise, seed)
    own = next(one for one in found.parts if getattr(one, "slug", None) == part)
    return Asked(exercise=found, part=own, instance=instance, seed=options_seed(found, instance))


def asked_as(part: Any, exercise: str = "mix-values", seed: int = 1) -> Asked:
    """A part of a test's own, asked on the numbers of an exercise."""
    found = load_content().exercises[exercise]
    instance = instance_of(exercise, seed)
    return Asked(
        exercise=replace(found, parts=(part,)), part=part, instance=instance, seed=options_seed(found, instance)
    )
