"""The Jinja environment: strict names everywhere, escaping in everything that is HTML."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from headwork.model import ContentError
from headwork.pages.number import decimal_html, number_html
from headwork.pages.plain import markdown_text
from headwork.rooms import Content, template_folders

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def environment(content: Content) -> Environment:
    """Templates of all content folders, a course's own first. HTML templates escape what they print."""
    return _environment(tuple(template_folders(content)))


@cache
def _environment(folders: tuple[Path, ...]) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and ".html" in name,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["md"] = markdown_text
    made.filters["decimal"] = decimal_html  # pyright: ignore[reportArgumentType]
    made.filters["number"] = number_html  # pyright: ignore[reportArgumentType]
    return made


@lru_cache(maxsize=512)
def _template(folders: tuple[Path, ...], source: str) -> Template:
    return _environment(folders).from_string(source)


def rendered_text(source: str, *, where: str, content: Content, context: dict[str, object]) -> str:
    """An author's own text with its names filled in, unescaped.

    Raises ContentError, naming ``where``, for a name that does not exist or a template that cannot be read.
    """
    from jinja2 import TemplateError

    try:
        return _template(tuple(template_folders(content)), source).render(context)
    except TemplateError as error:
        known = ", ".join(sorted(context))
        raise ContentError(f"{where}: the prompt cannot be filled in: {error}; known names: {known}") from error
