"""What a student receives: pure functions from problems to files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from headwork.handout.answers_toml import answers_toml
from headwork.handout.problem_json import problem_json
from headwork.handout.prompt import prompt_html, prompt_md, prompt_views
from headwork.handout.public_test import public_test_py
from headwork.handout.stubs import attention_py
from headwork.model import Exercise, Problem
from headwork.rooms import Content

Form = Literal["py", "notebook"]


def handout_files(
    content: Content,
    assignment_name: str,
    student: str,
    problems: Mapping[str, Problem],
    exercises: Sequence[Exercise],
    *,
    form: Form = "py",
) -> dict[str, bytes]:
    """The files of one student's handout by name: text in UTF-8 with line feeds, no answers anywhere.

    Raises ContentError where an exercise's prompt or parts are not as they must be.
    """
    views = prompt_views(content, problems, exercises)
    fields = [field for view in views for field in view.fields]
    texts = {
        "prompt.md": prompt_md(content, assignment_name, views, form=form),
        "prompt.html": prompt_html(content, assignment_name, views, form=form),
        "problem.json": problem_json(assignment_name, student, problems),
        "test_public.py": public_test_py(exercises, content),
    }
    if form == "notebook":
        from headwork.handout.notebook import notebook_bytes

        notebook = notebook_bytes(assignment_name, views, exercises, fields, content)
        return {f"{assignment_name}.ipynb": notebook, **_encoded(texts)}
    texts["attention.py"] = attention_py(exercises, content)
    if fields:
        texts["answers.toml"] = answers_toml(fields, {exercise.slug: exercise.title for exercise in exercises})
    return _encoded(texts)


def _encoded(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in texts.items()}
