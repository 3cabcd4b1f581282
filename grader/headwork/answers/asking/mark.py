"""Any further way of asking: questions for a handout, judgements for a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast

from headwork.answers.asking.scene import NONE, Finding, Question, Scene, Way
from headwork.draw.digest import digest_of, inputs_of
from headwork.draw.stream import Stream
from headwork.model import AskedPart, ContentError, Exercise, Instance, Judgement, Verdict
from headwork.rooms import Content
from headwork.stages import evaluate

if TYPE_CHECKING:
    from headwork.sandbox import Runner

MAX_TYPED = 20_000


class AskedPolicy(Protocol):
    """What marking may be told about asked parts (``assignment.Policy`` has it)."""

    @property
    def decimal_comma(self) -> bool:
        """Whether 0,5 is a half."""
        ...

    @property
    def worked_solution(self) -> bool:
        """Whether right answers may be shown."""
        ...


def options_seed(exercise: Exercise, instance: Instance) -> bytes:
    """The seed of drawn options: the digest of the problem, which is the same when it is graded."""
    return bytes.fromhex(digest_of(exercise.slug, exercise.version, instance.chain, inputs_of(instance)))


def questions_for(
    part: AskedPart, content: Content, exercise: Exercise, instance: Instance, stream_seed: bytes
) -> tuple[Question, ...]:
    """What one student is asked, with the options as that student sees them.

    Raises ContentError where the part is no way of asking, or cannot be asked of this chain.
    """
    return (way_of(part, exercise).asked(scene_of(part, content, exercise, instance, stream_seed)),)


def mark_asked(
    *,
    content: Content,
    exercise: Exercise,
    part: AskedPart,
    instance: Instance,
    typed: Mapping[str, str],
    policy: AskedPolicy,
    stream_seed: bytes,
    runner: Runner | None = None,
) -> tuple[Judgement, ...]:
    """Mark what was typed for one part, ``typed`` by field name.

    Student text is only ever read here; a way that asks for code runs it in ``runner``'s locked children.
    """
    way = way_of(part, exercise)
    answer = typed.get(part.slug, "").strip()
    if not answer:
        return (_judgement(exercise, way, Finding(verdict=Verdict.MISSING, share=NONE, summary="no answer")),)
    if len(answer) > MAX_TYPED:
        long = Finding(verdict=Verdict.UNREADABLE, share=NONE, summary=f"longer than {MAX_TYPED} characters")
        return (_judgement(exercise, way, long),)
    scene = scene_of(part, content, exercise, instance, stream_seed, decimal_comma=policy.decimal_comma)
    scene = replace(scene, runner=runner)
    return (_judgement(exercise, way, way.judge(scene, answer), released=policy.worked_solution),)


def key_for(part: AskedPart, content: Content, exercise: Exercise, instance: Instance, stream_seed: bytes) -> str:
    """A right answer as one would type it (of a sentence, what to look for)."""
    return way_of(part, exercise).key(scene_of(part, content, exercise, instance, stream_seed))


def way_of(part: AskedPart, exercise: Exercise) -> Way:
    """The part as a way of asking.

    Raises ContentError where it has no judge.
    """
    if not all(hasattr(part, name) for name in ("slug", "points", "kind", "asked", "judge", "key")):
        raise ContentError(f"{exercise.path}: {type(part).__name__} is no way of asking: it has no judge of its own")
    return cast(Way, part)


def scene_of(
    part: AskedPart,
    content: Content,
    exercise: Exercise,
    instance: Instance,
    stream_seed: bytes,
    *,
    decimal_comma: bool = False,
) -> Scene:
    """The student's instance worked through, with a stream of its own for every part."""
    import numpy as np

    chain = content.chains[instance.chain]

    @cache
    def work() -> Mapping[str, Any]:
        with np.errstate(all="ignore"):
            return evaluate(chain, instance.values)

    return Scene(
        content=content,
        exercise=exercise,
        chain=chain,
        instance=instance,
        work=work,
        # Parts that speak of one listing share its stream.
        stream=Stream(stream_seed).child(str(getattr(part, "listing", "") or part.slug)),
        decimal_comma=decimal_comma,
    )


def _judgement(exercise: Exercise, way: Way, finding: Finding, *, released: bool = False) -> Judgement:
    shown: dict[str, Any] = {"reference": finding.right_answer} if released and finding.right_answer else {}
    return Judgement(
        exercise=exercise.slug,
        part=way.slug,
        kind=way.kind,
        verdict=finding.verdict,
        points=way.points * finding.share,
        maximum=way.points,
        summary=f"{way.slug}: {finding.summary}",
        messages=finding.messages,
        diagnosis=finding.diagnosis,
        shown=shown,
        read_as={way.slug: finding.read_as} if finding.read_as else {},
    )


def waiting_for_a_person(judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Answers that a person marks by design: they hold up nothing else."""
    return tuple(found for found in judgements if found.kind == "explain" and found.verdict is Verdict.ATTENTION)
