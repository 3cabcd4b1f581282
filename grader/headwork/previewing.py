"""Preview: exercises with drawn numbers, as a student would see them, and for the instructor the key."""

from __future__ import annotations

from collections.abc import Mapping

from headwork.assignment import Assignment
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import draw_sheet
from headwork.handout import handout_files
from headwork.handout.prompt import prompt_views
from headwork.model import CodePart, ComposePart, Exercise, Problem, TracePart
from headwork.rooms import Content
from headwork.solution_file import solution_source

STUDENT = "preview"


def _drawn(content: Content, assignment: Assignment, seed: int) -> Mapping[str, Problem]:
    return draw_sheet(content, assignment, secret=seed_from_integer(seed), student=STUDENT).problems


def print_preview(content: Content, assignment: Assignment, *, seed: int, answers: bool) -> None:
    """Print the prompt, the stubs and, with ``answers``, the key with the worked solution."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.syntax import Syntax

    problems = _drawn(content, assignment, seed)
    console = Console()
    files = handout_files(content, assignment.name, STUDENT, problems, assignment.exercises)
    console.print(Markdown(files["prompt.md"].decode()))
    if not answers:
        console.print(Syntax(files["attention.py"].decode(), "python", word_wrap=True))
        return
    from headwork.worked import print_worked, worked_steps

    for group in assignment.own_groups:
        stages = [stage for one in group for part in one.parts if isinstance(part, TracePart) for stage in part.stages]
        if stages:
            instance = problems[group[0].slug].instance
            print_worked(console, worked_steps(content, content.chains[instance.chain], instance, stages))
    for exercise in assignment.exercises:
        for name, key in _keys(content, exercise, problems[exercise.slug]).items():
            console.print(f"{exercise.slug}, {name}: {key}", markup=False, highlight=False)
    source = solution_source(content, assignment.exercises)
    if "def " in source:
        console.print(Syntax(source, "python", word_wrap=True))


def _keys(content: Content, exercise: Exercise, problem: Problem) -> dict[str, str]:
    """Right answers to the questions of an exercise, by field."""
    from headwork.answers.asking import key_for, options_seed

    asked = [part for part in exercise.parts if not isinstance(part, CodePart | ComposePart | TracePart)]
    seed = options_seed(exercise, problem.instance)
    return {part.slug: key_for(part, content, exercise, problem.instance, seed) for part in asked}


def preview_html(content: Content, assignment: Assignment, *, seed: int, answers: bool) -> str:
    """The prompt as a page; with ``answers`` also the key and the worked solution."""
    problems = _drawn(content, assignment, seed)
    if not answers:
        files = handout_files(content, assignment.name, STUDENT, problems, assignment.exercises)
        return files["prompt.html"].decode()
    from headwork.reports.worked import StepView
    from headwork.worked import worked_html, worked_steps

    steps: list[StepView] = []
    for group in assignment.own_groups:
        stages = [stage for one in group for part in one.parts if isinstance(part, TracePart) for stage in part.stages]
        if stages:
            instance = problems[group[0].slug].instance
            steps += worked_steps(content, content.chains[instance.chain], instance, stages)
    keys = [
        (f"{exercise.slug}, {name}", key)
        for exercise in assignment.exercises
        for name, key in _keys(content, exercise, problems[exercise.slug]).items()
    ]
    prompts = prompt_views(content, problems, assignment.exercises)
    return worked_html(content, steps, prompts=prompts, keys=keys)
