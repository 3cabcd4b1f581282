"""Prompts: an assignment's exercises with the student's own numbers, as Markdown and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headwork.answers.asking.scene import LETTERS
from headwork.draw.digest import digest_of, inputs_of
from headwork.handout.answers_toml import fields_of
from headwork.handout.asked import AskedField, AskedFunction, asked_fields, asked_functions, with_question
from headwork.handout.axes import shape_pattern
from headwork.model import Exercise, Instance, Problem
from headwork.pages.environment import environment, rendered_text
from headwork.pages.markdown import html_of
from headwork.pages.matrix import MatrixView, decimal_texts, matrix_view
from headwork.reports.figures import show_points
from headwork.rooms import Content

SHOWN_SIZES = ("B", "T", "T_q", "T_k", "d_model", "d_head", "n_heads")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One line of "what to hand in"."""

    what: str
    axes: str
    how: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """A question that is asked beside code and matrices, with its options and listing."""

    name: str
    markdown: str
    html: str
    how: str
    points: str
    options: tuple[tuple[str, str, str], ...]
    """Letter, Markdown, HTML."""
    listing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptView:
    """One exercise of a prompt page."""

    number: int
    slug: str
    title: str
    markdown: str
    html: str
    sizes: Mapping[str, Any]
    words: tuple[tuple[str, ...], ...]
    matrices: tuple[MatrixView, ...]
    same_as: int | None
    """The number of an earlier exercise with the same numbers."""
    wanted: tuple[Wanted, ...]
    questions: tuple[QuestionView, ...]
    fields: tuple[AskedField, ...]
    """The typed answers, as this student is asked for them."""


def given_matrices(content: Content, instance: Instance) -> tuple[MatrixView, ...]:
    """The arrays of an instance, exact where they have an exact text."""
    sources = content.chains[instance.chain].sources
    order = {name: place for place, name in enumerate(sources)}
    names = [name for name, value in instance.values.items() if np.ndim(value) > 0]
    # A second prompt's matrix (x_b) stands beside the first one's.
    names.sort(key=lambda name: (order.get(name, order.get(name.removesuffix("_b"), len(order))), name))
    return tuple(_given(content, instance, name, instance.values[name]) for name in names)


def _given(content: Content, instance: Instance, name: str, value: Any) -> MatrixView:
    axes = content.chains[instance.chain].axes
    # x_b is the second prompt's x: same axes, its own words.
    second = name.endswith("_b") and name not in axes
    pattern = axes.get(name.removesuffix("_b") if second else name, "")
    words = instance.words[1:] if second else instance.words
    entries = instance.exact.get(name, decimal_texts(value, 6))
    return matrix_view(name, entries, axes=pattern, numbers=value, words=words, exact=True)


def prompt_context(content: Content, instance: Instance, matrices: Sequence[MatrixView]) -> dict[str, object]:
    """The names that a prompt may use: sizes, words, axes, and every given matrix by its name."""
    sizes = {name: value for name, value in instance.values.items() if np.ndim(value) == 0}
    chain = content.chains[instance.chain]
    return {
        **sizes,
        **{matrix.name: matrix for matrix in matrices},
        "sizes": sizes,
        "words": instance.words,
        **{f"prompt_{letter}": " ".join(prompt) for letter, prompt in zip("abcdef", instance.words, strict=False)},
        "matrices": matrices,
        "axes": {name: shape_pattern(axes) for name, axes in chain.axes.items()},
    }


def prompt_views(
    content: Content, problems: Mapping[str, Problem], exercises: Sequence[Exercise]
) -> tuple[PromptView, ...]:
    """What the pages show, exercise by exercise."""
    views: list[PromptView] = []
    first: dict[str, int] = {}
    given: dict[str, tuple[MatrixView, ...]] = {}
    for number, exercise in enumerate(exercises, start=1):
        instance = problems[exercise.slug].instance
        where = str(exercise.path or exercise.slug)
        # Exercises that share their numbers share the work of laying them out.
        numbers = digest_of("", 0, instance.chain, inputs_of(instance))
        if numbers not in given:
            given[numbers] = given_matrices(content, instance)
        context = prompt_context(content, instance, given[numbers])
        text = rendered_text(exercise.prompt, where=where, content=content, context=context).strip()
        functions = asked_functions(content, [exercise])
        shown = exercise.shows_numbers
        earlier = first.setdefault(numbers, number) if shown else number
        fields = own_fields(content, exercise, instance)
        views.append(
            PromptView(
                number=number,
                slug=exercise.slug,
                title=exercise.title.rstrip("."),
                markdown=text,
                html=html_of(text, where=where),
                sizes=_shown_sizes(content, instance),
                words=instance.words,
                matrices=given[numbers] if shown else (),
                same_as=earlier if earlier != number else None,
                wanted=(*map(_wanted_function, functions), *map(_wanted_field, fields_of(exercise.slug, fields))),
                questions=tuple(_question(field, where) for field in fields if field.question),
                fields=fields,
            )
        )
    return tuple(views)


def own_fields(content: Content, exercise: Exercise, instance: Instance) -> tuple[AskedField, ...]:
    """The typed answers of an exercise; axes that the student's own numbers do not have are left out."""
    chain = content.chains[instance.chain]
    single = not any({"T_q", "T_k"} & set(chain.axes.get(name, "").split()) for name in chain.sources)

    def own(field: AskedField) -> AskedField:
        kept = [axis for axis in field.axes.split() if axis != "B" or "B" in instance.values]
        return replace(field, axes=" ".join("T" if single and axis in ("T_q", "T_k") else axis for axis in kept))

    return tuple(with_question(own(field), content, exercise, instance) for field in asked_fields(content, [exercise]))


def _shown_sizes(content: Content, instance: Instance) -> dict[str, Any]:
    chain = content.chains[instance.chain]
    patterns = [chain.axes.get(name, "") for name in chain.sources]
    used = {size for axes in patterns for axis in axes.split() for size in axis.split("*")} | set(chain.sources)
    return {
        name: value
        for name, value in instance.values.items()
        if np.ndim(value) == 0 and (name in used or name not in SHOWN_SIZES)
    }


def _wanted_function(asked: AskedFunction) -> Wanted:
    names = ", ".join(parameter.name for parameter in asked.parameters)
    return Wanted(
        what=f"{asked.name}({names})",
        axes=shape_pattern(asked.axes),
        how="code",
        points=show_points(asked.points),
    )


def _question(field: AskedField, where: str) -> QuestionView:
    return QuestionView(
        name=field.name,
        markdown=field.question,
        html=html_of(field.question, where=where),
        how=field.how,
        points=show_points(field.points),
        options=tuple(
            (letter, text, html_of(text, where=where).strip().removeprefix("<p>").removesuffix("</p>"))
            for letter, text in zip(LETTERS, field.options, strict=False)
        ),
        listing=field.listing,
    )


def _wanted_field(field: AskedField) -> Wanted:
    if field.question:
        return Wanted(what=field.name, axes="", how=field.how, points=show_points(field.points))
    digits = f"by hand, exact or to {field.decimals} decimals" if field.decimals is not None else "by hand"
    return Wanted(
        what=field.name,
        axes=shape_pattern(field.axes) if field.axes else "",
        how=digits,
        points=show_points(field.points),
    )


def prompt_md(content: Content, assignment: str, views: Sequence[PromptView], *, form: str) -> str:
    """prompt.md: the text, the numbers as pipe tables, and what to hand in."""
    return environment(content).get_template("prompt.md.j2").render(assignment=assignment, views=views, form=form)


def prompt_html(content: Content, assignment: str, views: Sequence[PromptView], *, form: str) -> str:
    """prompt.html: the same as a page that needs no script and no network."""
    return environment(content).get_template("prompt.html.j2").render(assignment=assignment, views=views, form=form)
