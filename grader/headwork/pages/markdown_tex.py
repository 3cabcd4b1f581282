r"""Markdown with ``$formulas$`` as LaTeX that plain pdflatex compiles with amsmath."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "\u2212": "$-$",
    "\u221e": r"$\infty$",
    "\u2013": "--",
    "\u2014": "---",
    "\u2018": "`",
    "\u2019": "'",
    "\u201c": "``",
    "\u201d": "''",
    "\u2026": r"\ldots{}",
    "\u2192": r"$\to$",
    "\u00a0": "~",
}
_COMPOSED = 0x17F
"""The last letter of Latin Extended-A, which pdflatex knows without another package."""
_CODE = {" ": r"\ ", "'": r"\textquotesingle{}", "-": "{-}"}


def tex_text(text: str) -> str:
    """Plain text for LaTeX; a character that plain pdflatex does not know becomes a question mark."""
    return "".join(_SPECIAL.get(each, each if each == "\n" or 31 < ord(each) <= _COMPOSED else "?") for each in text)


def tex_code(text: str) -> str:
    """Code in a typewriter face, its spaces kept."""
    return rf"\texttt{{{''.join(_CODE.get(each) or tex_text(each) for each in text)}}}"


def tex_of(markdown: str) -> str:
    """Paragraphs, emphasis, code, lists and formulas as LaTeX; anything else stands as plain text."""
    lines: list[str] = []
    for token in _parser().parse(markdown):
        lines.append(_block(token))
    return re.sub(r"\n{3,}", "\n\n", "".join(lines)).strip()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": False})
    dollarmath_plugin(parser, allow_space=False, double_inline=True)
    return parser


_BLOCKS = {
    "paragraph_close": "\n\n",
    "bullet_list_open": "\\begin{itemize}\n",
    "bullet_list_close": "\\end{itemize}\n",
    "ordered_list_open": "\\begin{enumerate}\n",
    "ordered_list_close": "\\end{enumerate}\n",
    "list_item_open": "\\item ",
    "heading_open": "\\textbf{",
    "heading_close": "}\n\n",
}
_INLINE = {
    "strong_open": "\\textbf{",
    "strong_close": "}",
    "em_open": "\\emph{",
    "em_close": "}",
    "softbreak": "\n",
    "hardbreak": "\\\\\n",
}


def _block(token: Any) -> str:
    if token.type == "inline":
        return "".join(_inline(child) for child in token.children or ())
    if token.type in ("math_block", "math_inline_double"):
        return f"\\[ {token.content.strip()} \\]\n"
    if token.type in ("fence", "code_block"):
        lines = [tex_code(line) for line in token.content.rstrip().splitlines()]
        return "\n\n\\noindent " + "\\\\\n".join(lines) + "\n\n"
    return _BLOCKS.get(token.type, "")


def _inline(token: Any) -> str:
    if token.type == "math_inline":
        return f"${token.content.strip()}$"
    if token.type in ("math_inline_double", "math_block"):
        return f"\\[ {token.content.strip()} \\]"
    if token.type == "code_inline":
        return tex_code(token.content)
    return _INLINE.get(token.type) or tex_text(token.content)
