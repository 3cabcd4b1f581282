r"""Markdown with ``$formulas$`` as HTML: formulas become MathML, raw HTML stays text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from headwork.model import ContentError

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def html_of(text: str, *, where: str = "prompt") -> str:
    """HTML of Markdown text, headings starting at level 3. Needs no script, no network, and lets no HTML through.

    Raises ContentError, naming ``where``, for a formula that is not TeX.
    """
    try:
        return _parser().render(text)
    except FormulaError as error:
        raise ContentError(f"{where}: {error}") from error


class FormulaError(ValueError):
    """A formula that cannot be read."""


@lru_cache(maxsize=4096)
def mathml(tex: str, *, block: bool = False) -> str:
    """A TeX formula as a ``<math>`` element, its source kept as the text alternative.

    Raises FormulaError for what is not TeX.
    """
    from latex2mathml.converter import convert

    try:
        element = convert(tex, display="block" if block else "inline")
    except Exception as error:  # the converter has no common base for what it raises
        raise FormulaError(f"formula ${tex}$ cannot be read ({type(error).__name__})") from error
    return element.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    dollarmath_plugin(parser, allow_space=False, double_inline=True)
    parser.add_render_rule("math_inline", _inline)
    parser.add_render_rule("math_inline_double", _block)
    parser.add_render_rule("math_block", _block)
    for rule in ("heading_open", "heading_close"):
        parser.add_render_rule(rule, _lowered)
    return parser


def _inline(self: Any, tokens: Sequence[Any], at: int, options: Any, env: Any) -> str:
    return mathml(tokens[at].content.strip())


def _block(self: Any, tokens: Sequence[Any], at: int, options: Any, env: Any) -> str:
    return f'<div class="formula">{mathml(tokens[at].content.strip(), block=True)}</div>\n'


def _lowered(self: Any, tokens: Sequence[Any], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    level = min(6, int(token.tag[1]) + 2)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"
