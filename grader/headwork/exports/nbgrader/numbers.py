"""``numbers.json``: the problems of a whole class in one file, for a notebook that finds its student at run time.

It holds what each student is given and nothing else: no answers, no hidden draws, no names. Entries are
found by a salted hash of the student's id.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import zlib
from collections.abc import Sequence
from typing import Any

from headwork.assignment import Assignment
from headwork.draw.student import Sheet
from headwork.handout.problem_json import problem_json
from headwork.handout.prompt import own_fields, prompt_views
from headwork.pages.environment import environment
from headwork.rooms import Content

FORMAT = "headwork numbers 1"
NAME = "numbers.json"
_WINDOW = 1 << 15
"""How far back zlib looks: of the text that entries share, no more than this helps."""


def numbers_json(content: Content, assignment: Assignment, sheets: Sequence[Sheet], *, secret: bytes) -> bytes:
    """The file. Entries are packed against the text that they have in common, so a class of 300 stays small."""
    salt = hmac.new(secret, b"nbgrader numbers\0" + assignment.name.encode(), hashlib.sha256).hexdigest()[:16]
    entries = {key_of(sheet.student, salt): _entry(content, assignment, sheet) for sheet in sheets}
    shared = next(iter(entries.values()), b"")[-_WINDOW:]
    record = {
        "format": FORMAT,
        "assignment": assignment.name,
        "salt": salt,
        "shared": base64.b64encode(zlib.compress(shared, 9)).decode(),
        "students": {key: _packed(entries[key], shared) for key in sorted(entries)},
    }
    return (json.dumps(record, indent=0) + "\n").encode()


def key_of(student: str, salt: str) -> str:
    """What an entry is found by."""
    return hashlib.sha256(f"{salt}/{student}".encode()).hexdigest()[:32]


def _packed(entry: bytes, shared: bytes) -> str:
    packer = zlib.compressobj(9, zdict=shared)
    return base64.b64encode(packer.compress(entry) + packer.flush()).decode()


def _entry(content: Content, assignment: Assignment, sheet: Sheet) -> bytes:
    problems = {exercise.slug: sheet.problems[exercise.slug] for exercise in assignment.exercises}
    # The id is put in by whoever knows it; in this file it would tell who is in the class.
    problem: dict[str, Any] = json.loads(problem_json(assignment.name, "", problems))
    template = environment(content).get_template("notebook_prompt.md.j2")
    shown: dict[str, str] = {}
    for view, exercise in zip(prompt_views(content, problems, assignment.exercises), assignment.exercises, strict=True):
        fields = own_fields(content, exercise, problems[exercise.slug].instance)
        questions = [f"**{field.name}** {' '.join(field.question.split())}" for field in fields if field.question]
        shown[exercise.slug] = "\n\n".join([template.render(view=view).strip(), *questions])
    return json.dumps({"problem": problem, "shown": shown}, ensure_ascii=False, separators=(",", ":")).encode()
