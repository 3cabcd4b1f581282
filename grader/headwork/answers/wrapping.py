"""What only wraps a value: printed types of NumPy and torch, LaTeX spacing and delimiters."""

from __future__ import annotations

import re

from .characters import Plain

_WRAPPER = re.compile(
    r"(?<![A-Za-z_.])(?:(?:np|numpy|torch|jnp)\.)?"
    r"(?:array|asarray|tensor|matrix|Matrix|float(?:16|32|64)|int(?:8|16|32|64)|float|longdouble)\s*(?=\()"
)
_WRAPPED_END = re.compile(
    r",\s*(?:dtype|device|requires_grad|grad_fn|shape)\s*=[^()\[\]]*(?:\([^()]*\))?(?=[^\[\]]*\))"
)
_MODULE = re.compile(r"(?<![A-Za-z_.])(?:np|numpy|math|torch|mpmath)\.(?=[A-Za-z])")
_UPRIGHT = re.compile(r"\\(?:mathrm|mathit|mathbf|text|textrm|operatorname\*?|rm)\s*\{([A-Za-z0-9_ ]*)\}")
_SPACING = re.compile(
    r"\\(?:left|right|bigl|bigr|Bigl|Bigr|big|Big|bigg|Bigg|displaystyle|textstyle|quad|qquad|limits)(?![A-Za-z])"
    r"|(?<!\\)\\[,;:! ]|(?<!\\)\\(?=$)"
)
_ASSIGNED = re.compile(r"\A\s*(?:[A-Za-z][A-Za-z0-9_]*\s*)?[=~](?!=)")
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))


def unwrap(plain: Plain) -> Plain:
    """Blank out what only wraps: ``np.float64(``, ``, dtype=…``, ``math.``, ``\\left``, ``$ … $``, ``q =``.

    Every character keeps its place, so positions stay true.
    """
    text = plain.text
    if "(" in text:
        text = _WRAPPER.sub(_blank, text)
        if "=" in text:
            text = _WRAPPED_END.sub(_blank, text)
    if "." in text:
        text = _MODULE.sub(_blank, text)
    if "\\" in text:
        text = _UPRIGHT.sub(lambda found: " " * (found.start(1) - found.start()) + found[1] + " ", text)
        text = _SPACING.sub(_blank, text)
    text = _undelimited(text)
    if "=" in text or "~" in text:
        text = _ASSIGNED.sub(_blank, text, count=1)
    return Plain(text=text, origin=plain.origin)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _undelimited(text: str) -> str:
    bare = text.strip()
    for opening, closing in _DELIMITERS:
        if len(bare) >= len(opening) + len(closing) and bare.startswith(opening) and bare.endswith(closing):
            start = text.index(opening)
            end = text.rindex(closing)
            inner = text[start + len(opening) : end]
            return " " * (start + len(opening)) + inner + " " * (len(text) - end)
    return text
