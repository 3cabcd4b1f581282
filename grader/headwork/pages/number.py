"""One number of a table cell as HTML."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_EXACT = re.compile(r"[-+*/^() 0-9.]*(?:(?:sqrt|ln|exp|e|pi)[-+*/^() 0-9.]*)*")


@lru_cache(maxsize=4096)
def decimal_html(text: str) -> Markup:
    """A decimal with a real minus sign, anything else escaped: for text that a student typed."""
    from markupsafe import Markup, escape

    if text in ("-inf", "inf"):
        return Markup("−∞" if text[0] == "-" else "∞")
    return escape(text.replace("-", "−") if _PLAIN.fullmatch(text) else text)


@lru_cache(maxsize=4096)
def number_html(text: str) -> Markup:
    """A number of our own: an exact one as a formula, a decimal with a real minus sign."""
    from markupsafe import Markup, escape

    if text in ("-inf", "inf") or _PLAIN.fullmatch(text):
        return decimal_html(text)
    if len(text) < 400 and text.strip() and _EXACT.fullmatch(text):
        from headwork.pages.markdown import FormulaError, mathml
        from headwork.pages.tex import number_tex

        try:
            element = mathml(number_tex(text), block=True)
            # Full-size fractions, in the line of the cell.
            return Markup(element.replace('display="block"', 'displaystyle="true"'))
        except FormulaError:
            return escape(text)
    return escape(text)
