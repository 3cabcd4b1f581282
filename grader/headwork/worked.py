"""The worked solution of a student's own numbers: step by step, or from the first wrong cell on.

Steps are those of ``reports.worked``: a sentence, the exact matrix, the decimals. Right values are in
them, so that they are for the instructor, and for students once ``worked_solution`` is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from headwork.handout.prompt import PromptView, given_matrices
from headwork.model import Chain, ContentError, Instance, Judgement, Problem
from headwork.pages.environment import environment
from headwork.pages.markdown import html_of
from headwork.reports.worked import DECIMALS, StepView, WorkedView, exact_texts, sharing, worked_view
from headwork.rooms import Content
from headwork.stages import evaluate, upstream
from headwork.worked_cell import cell_sentence

if TYPE_CHECKING:
    from rich.console import Console

_FINE = ("right", "follows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a student went wrong first: a stage, and a cell of it by its index."""

    stage: str
    cell: tuple[int, ...]


def worked_steps(
    content: Content, chain: Chain, instance: Instance, stages: Sequence[str], *, start: Start | None = None
) -> tuple[StepView, ...]:
    """The steps up to ``stages``, in reading order; with ``start`` from there on, that one cell worked out first.

    Raises ContentError for a stage that the chain does not have.
    """
    for name in (*stages, *((start.stage,) if start else ())):
        if name not in chain.stages:
            raise ContentError(f'stage "{name}" is not in chain "{chain.slug}"; it has {", ".join(chain.stages)}')
    with np.errstate(all="ignore"):
        floats = evaluate(chain, instance.values)
    exact = exact_texts(content, chain, instance) if instance.exact else {}
    view = worked_view(content, chain, instance, titles=(), exact=exact, floats=floats)
    wanted = set(upstream(chain, stages))
    steps = [step for step in view.steps if step.name in wanted]
    if start is None:
        return tuple(steps)
    names = [step.name for step in steps]
    if start.stage not in names:
        return tuple(steps)
    first, *rest = steps[names.index(start.stage) :]
    about = cell_sentence(content, chain, instance, start.stage, start.cell, exact=exact, floats=floats)
    return (_with_sentence(first, about), *rest)


def _with_sentence(step: StepView, about: str) -> StepView:
    if not about:
        return step
    text = f"{step.text}\n\n{about}"
    return replace(step, text=text, html=html_of(text, where=f"worked/cell ({step.name})"))


def first_wrong_cell(chain: Chain, judgements: Iterable[Judgement]) -> Start | None:
    """The first cell, in the order of the chain, that is neither right nor follows from the student's own values.

    None where no stage worked by hand is wrong cell by cell.
    """
    hand = {found.part: found for found in judgements if found.kind == "hand" and found.part in chain.stages}
    for name in chain.stages:
        marks = hand[name].shown.get("cells") if name in hand else None
        if marks is None:
            continue
        array: Any = np.array(cast("list[Any]", marks), dtype=object)
        wrong = np.argwhere(~np.isin(array.astype(str), _FINE))
        if len(wrong):
            return Start(stage=name, cell=tuple(int(at) for at in wrong[0]))
    return None


def worked_for(
    content: Content, chain: Chain, instance: Instance, stages: Sequence[str], judgements: Iterable[Judgement]
) -> tuple[StepView, ...]:
    """The steps from the student's first wrong cell on; all of them where there is none."""
    return worked_steps(content, chain, instance, stages, start=first_wrong_cell(chain, judgements))


def slip_pages(
    content: Content, assignment: str, problems: Mapping[str, Problem], judgements: Sequence[Judgement]
) -> dict[str, str]:
    """``from-first-slip.html`` and ``.md``: every hand problem from its first wrong cell on; empty where none is wrong.

    Problems with the same numbers are one: its stages are those of all its exercises.
    """
    views: list[WorkedView] = []
    for slugs in sharing({slug: problem for slug, problem in problems.items() if problem.instance.exact}):
        instance = problems[slugs[0]].instance
        chain = content.chains[instance.chain]
        own = [found for found in judgements if found.exercise in slugs]
        start = first_wrong_cell(chain, own)
        if start is None:
            continue
        stages = [found.part for found in own if found.kind == "hand" and found.part in chain.stages]
        titles = [content.exercises[slug].title.rstrip(".") for slug in slugs if slug in content.exercises]
        views.append(
            WorkedView(
                titles=tuple(titles),
                words=instance.words,
                given=given_matrices(content, instance),
                steps=worked_steps(content, chain, instance, stages, start=start),
            )
        )
    if not views:
        return {}
    context = {"assignment": f"{assignment}, from your first slip on", "problems": views, "decimals": DECIMALS}
    jinja = environment(content)
    return {
        f"from-first-slip.{ending}": jinja.get_template(f"worked.{ending}.j2").render(context)
        for ending in ("html", "md")
    }


def worked_html(
    content: Content,
    steps: Sequence[StepView],
    *,
    title: str = "Step by step",
    prompts: Sequence[PromptView] = (),
    keys: Sequence[tuple[str, str]] = (),
) -> str:
    """The steps as a page that needs no script and no network; before them the prompts and the key, if given."""
    return _page(content, "worked.html.j2", steps, title, prompts=prompts, keys=keys)


def worked_markdown(content: Content, steps: Sequence[StepView], *, title: str = "Step by step") -> str:
    """The steps as Markdown."""
    return _page(content, "worked.md.j2", steps, title)


def _page(content: Content, template: str, steps: Sequence[StepView], title: str, **more: Any) -> str:
    view = WorkedView(titles=(title,), words=(), given=(), steps=tuple(steps))
    context = {"assignment": "headwork", "problems": [view] if steps else [], "decimals": DECIMALS, **more}
    return environment(content).get_template(template).render(context)


def print_worked(console: Console, steps: Sequence[StepView]) -> None:
    """Print the steps: a rule, the sentence, the exact numbers, and decimals where they are shorter to read."""
    from rich.rule import Rule
    from rich.text import Text

    from headwork.pages.plain_text import plain_of

    for number, step in enumerate(steps, start=1):
        console.print(Rule(Text(f"{number}. {step.name}"), align="left"))
        console.print(Text(plain_of(step.text)))
        for view, caption in ((step.exact, "exactly"), (step.decimal, f"to {DECIMALS} decimals")):
            for table in view.tables if view else ():
                console.print(
                    _table(table, f"{table.caption}, {caption}" if step.exact and step.decimal else table.caption)
                )
        console.print()


def _table(view: Any, caption: str) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(caption), title_justify="left", box=box.SIMPLE, pad_edge=False)
    table.add_column("")
    for label in view.columns:
        table.add_column(Text(label), justify="right", overflow="fold")
    for row in view.rows:
        table.add_row(Text(row.label, style="dim"), *(Text(cell.text) for cell in row.cells))
    return table
