"""Drawn problems for tests: one sheet per set of exercises, drawn once per run."""

from __future__ import annotations

from functools import cache

from headwork.assignment import Assignment, ad_hoc
from headwork.draw.seeds import seed_from_integer
from headwork.draw.student import Sheet, draw_sheet
from headwork.rooms import Content, load_content

SECRET = seed_from_integer(5)


def content() -> Content:
    return load_content()


SLUGS = tuple(content().exercises)


@cache
def assignment_of(*slugs: str) -> Assignment:
    return ad_hoc("hw1", [content().exercises[slug] for slug in slugs])


@cache
def sheet_of(*slugs: str) -> Sheet:
    return draw_sheet(content(), assignment_of(*slugs), secret=SECRET, student="ada")
