"""One hand-worked stage: read, held against the right values, and against what follows from own ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from headwork.answers.characters import Refused
from headwork.answers.matrices import Matrix, read_matrix
from headwork.answers.reader import Invalid
from headwork.answers.tokens import Grammar
from headwork.marking.hand_cells import (
    Mark,
    Typed,
    array_of,
    close_marks,
    credit_of,
    direct_marks,
    half_units,
    typed_cells,
)
from headwork.marking.hand_diagnosis import diagnosed, transposed
from headwork.marking.hand_policy import SHARES, HandPolicy
from headwork.marking.hand_values import Own, Worked, flat, too_trivial
from headwork.marking.hand_words import Words
from headwork.model import Diagnosis, Judgement, TracePart, Verdict
from headwork.rooms import Content


def judge_stage(
    text: str,
    *,
    content: Content,
    exercise: str,
    stage: str,
    part: TracePart,
    policy: HandPolicy,
    values: Worked,
) -> Judgement:
    """Mark what was typed for one stage, and keep it among ``values`` for the stages after it."""
    marking = _StageMarking(content=content, exercise=exercise, stage=stage, part=part, policy=policy, values=values)
    return marking.judge(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _StageMarking:
    """One stage being marked."""

    content: Content
    exercise: str
    stage: str
    part: TracePart
    policy: HandPolicy
    values: Worked

    @property
    def reference(self) -> Any:
        return self.values.floats[self.stage]

    @property
    def words(self) -> Words:
        axes = self.values.chain.axes.get(self.stage, "").split()
        return Words(
            stage=self.stage,
            axes=tuple(axes[max(0, len(axes) - self.reference.ndim) :]),
            decimals=self.part.decimals,
            reference=self.reference.astype(np.float64),
            show_reference=self.policy.show_reference,
        )

    # -- reading

    def judge(self, text: str) -> Judgement:
        if not text.strip():
            return self.judgement(Verdict.MISSING, Fraction(0), f"{self.stage}: no answer")
        grammar = Grammar(decimal_comma=self.policy.decimal_comma, infinity=True, words=self.reference.dtype == bool)
        matrix = read_matrix(text, grammar)
        if isinstance(matrix, Invalid):
            return self.unreadable(matrix)
        try:
            cells = typed_cells(matrix)
        except Refused as refused:
            return self.unreadable(Invalid(message=refused.message, at=refused.at, typed=text))
        if not matrix.fits(self.reference.shape):
            return self.other_shape(matrix, cells)
        return self.judge_cells(matrix, cells)

    def unreadable(self, invalid: Invalid) -> Judgement:
        summary = f"{self.stage}: {invalid.pointed().splitlines()[0]}"
        return self.judgement(Verdict.UNREADABLE, Fraction(0), summary, messages=(invalid.pointed(),))

    def other_shape(self, matrix: Matrix, cells: tuple[Typed, ...]) -> Judgement:
        diagnosis = None
        turned = np.swapaxes(self.reference, -1, -2) if self.reference.ndim > 1 else self.reference
        if matrix.shape == turned.shape:
            marks = direct_marks(
                cells, flat(_turned(self.values.exact[self.stage])), turned.astype(float), self.decimals
            )
            if all(mark is Mark.RIGHT for mark in marks):
                diagnosis = transposed(self.words.first_axes())
        summary = self.words.shape(matrix.shape_text(), diagnosis is not None)
        return self.judgement(
            Verdict.WRONG, Fraction(0), summary, matrix=matrix, diagnosis=diagnosis, seen_shape=matrix.shape
        )

    @property
    def decimals(self) -> int:
        return self.part.decimals

    # -- judging

    def judge_cells(self, matrix: Matrix, cells: tuple[Typed, ...]) -> Judgement:
        reference = self.reference.astype(np.float64)
        marks = direct_marks(cells, flat(self.values.exact[self.stage]), reference, self.decimals)
        if all(mark is Mark.RIGHT for mark in marks):
            self.remember(cells, right=True)
            return self.judgement(Verdict.RIGHT, Fraction(1), f"{self.stage}: right", matrix=matrix, marks=marks)
        followed = self.followed(cells)
        if not self.follows_entirely(followed):
            marks = self.with_early(cells, marks)
        credit = self.credit(cells, marks)
        if credit == 1:
            self.remember(cells, right=True)
            return self.judgement(
                Verdict.RIGHT, credit, self.words.early(full=True), matrix=matrix, marks=marks, cells=cells
            )
        self.remember(cells, right=False)
        if followed is not None:
            judgement = self.from_own(matrix, cells, marks, credit, followed)
            if judgement is not None:
                return judgement
        return self.wrong(matrix, cells, marks, credit)

    def credit(self, cells: tuple[Typed, ...], marks: list[Mark]) -> Fraction:
        early = SHARES[self.policy.early_rounding]
        share = credit_of(marks, self.reference.shape[-1], mode=self.policy.credit, early=early)
        if share in (0, 1):
            return share
        own = array_of(cells, self.reference.shape)
        if too_trivial(np.nan_to_num(own, nan=0.0), self.reference.astype(float), None, over_keys=False):
            return Fraction(0)  # one number everywhere hits some cells, and shows nothing
        return share

    def with_early(self, cells: tuple[Typed, ...], marks: list[Mark]) -> list[Mark]:
        """Mark the wrong cells that come out when every earlier stage is rounded to the digits asked."""
        if not any(mark is Mark.WRONG for mark in marks):
            return marks
        candidates = self.values.early(self.stage, self.decimals)
        names = self.values.nearest_own(self.stage)
        if names and all(self.values.own[name].right for name in names):
            candidates.append(self.values.from_typed(self.stage))
        for candidate in candidates:
            early = close_marks(cells, candidate.astype(np.float64), self.decimals)
            marks = [Mark.EARLY if hit and mark is Mark.WRONG else mark for hit, mark in zip(early, marks, strict=True)]
        return marks

    # -- from own values

    def followed(self, cells: tuple[Typed, ...]) -> tuple[tuple[str, ...], list[Mark] | None] | None:
        """The student's own wrong values behind this stage, and the marks that follow from them.

        None where there are no such values; no marks where the guard refuses them.
        """
        names = self.values.nearest_own(self.stage)
        wrong = tuple(name for name in names if not self.values.own[name].right)
        if not wrong or self.policy.follow_through == "none":
            return None
        if any(self.is_trivial(name) for name in wrong):
            return wrong, None
        values = self.values.followed(self.stage).astype(np.float64)
        hits = close_marks(cells, values, self.decimals)
        if not all(hits):
            hits = close_marks(cells, values, self.decimals, self.values.slack(self.stage, names))
        blank_or_wrong = (Mark.BLANK if cell.tree is None else Mark.WRONG for cell in cells)
        return wrong, [Mark.FOLLOWS if hit else other for hit, other in zip(hits, blank_or_wrong, strict=True)]

    def follows_entirely(self, followed: tuple[tuple[str, ...], list[Mark] | None] | None) -> bool:
        marks = followed[1] if followed is not None else None
        return marks is not None and all(mark is Mark.FOLLOWS for mark in marks)

    def is_trivial(self, name: str) -> bool:
        if self.values.own[name].values.dtype == bool:
            return False  # no mask makes the rest easy
        axes = self.values.chain.axes.get(name, "").split()
        hidden = None
        if "visible" in self.values.floats:
            hidden = ~np.asarray(self.values.floats["visible"], dtype=bool)
        return too_trivial(
            self.values.own[name].values,
            np.asarray(self.values.floats[name], dtype=np.float64),
            hidden,
            over_keys=bool(axes) and axes[-1] in ("T", "T_k"),
        )

    def from_own(
        self,
        matrix: Matrix,
        cells: tuple[Typed, ...],
        marks: list[Mark],
        credit: Fraction,
        followed: tuple[tuple[str, ...], list[Mark] | None],
    ) -> Judgement | None:
        names, own_marks = followed
        if own_marks is None:
            note = self.words.guarded(names)
            return self.wrong(matrix, cells, marks, credit, extra=(note,))
        own_credit = self.credit(cells, own_marks) * SHARES[self.policy.follow_through]
        complete = all(mark is Mark.FOLLOWS for mark in own_marks)
        if own_credit < credit or not own_credit:
            return None
        if complete:
            summary = self.words.follows(names)
            return self.judgement(Verdict.FOLLOWS, own_credit, summary, matrix=matrix, marks=own_marks, follows=names)
        return self.wrong(matrix, cells, own_marks, own_credit, extra=(self.words.judged_from(names),), follows=names)

    def remember(self, cells: tuple[Typed, ...], *, right: bool) -> None:
        """Keep the answer as what later stages may be judged from, if it is complete."""
        if all(cell.tree is not None for cell in cells):
            values = array_of(cells, self.reference.shape)
            halves = half_units(cells, values.shape, self.decimals)
            if self.reference.dtype == bool:  # a mask of other numbers is no mask
                if not np.isin(values, (0, 1)).all():
                    return
                values = values.astype(bool)
            self.values.own[self.stage] = Own(values=values, halves=halves, right=right)

    # -- what is wrong

    def wrong(
        self,
        matrix: Matrix,
        cells: tuple[Typed, ...],
        marks: list[Mark],
        credit: Fraction,
        extra: tuple[str, ...] = (),
        follows: tuple[str, ...] = (),
    ) -> Judgement:
        student = array_of(cells, self.reference.shape)
        return self.judgement(
            Verdict.WRONG,
            credit,
            self.words.wrong(marks),
            messages=extra,
            matrix=matrix,
            marks=marks,
            cells=cells,
            diagnosis=None if np.isnan(student).any() else self.diagnosis(cells, student),
            follows=follows,
        )

    def diagnosis(self, cells: tuple[Typed, ...], student: Any) -> Diagnosis | None:
        reference = self.reference.astype(np.float64)
        if reference.ndim > 1 and reference.shape[-1] == reference.shape[-2]:
            turned = np.swapaxes(reference, -1, -2)
            if all(close_marks(cells, turned, self.decimals)):
                return transposed(self.words.first_axes())
        return diagnosed(self.content, self.values, self.stage, student, self.decimals)

    def judgement(
        self,
        verdict: Verdict,
        credit: Fraction,
        summary: str,
        *,
        messages: tuple[str, ...] = (),
        matrix: Matrix | None = None,
        marks: list[Mark] | None = None,
        cells: tuple[Typed, ...] | None = None,
        diagnosis: Diagnosis | None = None,
        follows: tuple[str, ...] = (),
        seen_shape: tuple[int, ...] | None = None,
    ) -> Judgement:
        words = self.words
        said, cell = words.about(marks, cells) if marks is not None and cells is not None else ((), None)
        return Judgement(
            exercise=self.exercise,
            part=self.stage,
            kind="hand",
            verdict=verdict,
            points=self.part.points * credit,
            maximum=self.part.points,
            summary=summary,
            messages=(*said, *messages),
            axes=" ".join(words.axes),
            seen_shape=self.reference.shape if marks is not None else seen_shape,
            wanted_shape=self.reference.shape,
            cell=cell,
            diagnosis=diagnosis,
            follows=follows,
            shown=words.shown(matrix, marks),
            read_as={} if matrix is None else {self.stage: words.read_as(matrix)},
        )


def _turned(nested: Any) -> Any:
    if isinstance(nested[0][0], list):
        return [_turned(part) for part in nested]
    return [list(column) for column in zip(*nested, strict=True)]
