"""``test_public.py``: the checks a student runs, with numbers of their own and nothing of ours installed."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from headwork.handout.asked import asked_functions
from headwork.handout.public_check import Check, Tables
from headwork.handout.public_composed import composed_checks
from headwork.handout.public_numbers import literal
from headwork.handout.public_operations import operation_checks
from headwork.model import Exercise
from headwork.pages.environment import environment
from headwork.rooms import Content


def public_test_py(exercises: Sequence[Exercise], content: Content) -> str:
    """The source of ``test_public.py``: per function the shape, the values and the laws it keeps.

    It has numbers of its own, so one file serves a whole class.
    """
    return _source(tuple(exercises), content)


@lru_cache(maxsize=64)
def _source(exercises: tuple[Exercise, ...], content: Content) -> str:
    functions = asked_functions(content, exercises)
    numbers: Tables = {}
    checks: dict[str, list[Check]] = {}
    for asked in functions:
        made = checks.setdefault(asked.name, [])
        for slug in asked.chains:
            chain = content.chains[slug]
            if asked.target is None:
                made += operation_checks(asked, chain, numbers, first=slug == asked.chains[0])
            else:
                made += composed_checks(asked, chain, asked.target, numbers)
    template = environment(content).get_template("test_public.py.j2")
    return template.render(
        functions=functions,
        checks=checks,
        numbers={name: {key: _indented(value) for key, value in entries.items()} for name, entries in numbers.items()},
    )


def _indented(value: Any) -> str:
    return textwrap.indent(literal(value), "    ").lstrip()
