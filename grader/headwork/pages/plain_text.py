r"""Markdown with ``$formulas$`` as plain text for a terminal: ``\sqrt{2}`` is √2, ``\le`` is ≤."""

from __future__ import annotations

import re

_SIGNS = {
    r"\cdot": "·",
    r"\times": "×",
    r"\leq": "≤",
    r"\le": "≤",
    r"\geq": "≥",
    r"\ge": "≥",
    r"\approx": "≈",
    r"\infty": "∞",
    r"\sum": "Σ",
    r"\top": "T",
    r"\pi": "π",
    r"\to": "→",
    r"\ln": "ln",
    r"\exp": "exp",
    r"\partial": "∂",
    r"\qquad": "  ",
    r"\quad": "  ",
    r"\left": "",
    r"\right": "",
    r"\,": " ",
    r"\;": " ",
    r"\!": "",
}
_INNER = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FORMULA = re.compile(r"\$\$?(.+?)\$\$?", re.DOTALL)


def plain_of(markdown: str) -> str:
    """The text without marks, formulas in the signs that a terminal has."""
    text = _FORMULA.sub(lambda found: formula_text(found[1]), markdown)
    return re.sub(r"\*\*(.+?)\*\*|`(.+?)`", lambda found: found[1] or found[2], text)


def formula_text(tex: str) -> str:
    """A formula on one line."""
    text = tex.strip()
    for _ in range(8):  # inner ones first; nothing of ours is nested deeper
        before = text
        text = re.sub(r"\\(?:text|mathrm)" + _INNER, r"\1", text)
        text = re.sub(r"\\frac\s*" + _INNER + r"\s*" + _INNER, lambda found: _over(found[1], found[2]), text)
        text = re.sub(r"\\sqrt\s*" + _INNER, lambda found: f"√{_grouped(found[1])}", text)
        text = re.sub(r"([_^])" + _INNER, lambda found: found[1] + _grouped(found[2]), text)
        if text == before:
            break
    for sign, plain in sorted(_SIGNS.items(), key=lambda item: -len(item[0])):
        text = text.replace(sign, plain)
    return " ".join(text.replace("{", "").replace("}", "").split())


def _over(top: str, bottom: str) -> str:
    return f"{_grouped(top)}/{_grouped(bottom)}"


def _grouped(inner: str) -> str:
    text = inner.strip()
    return text if re.fullmatch(r"-?[\w.√∞]+", text) or not text else f"({text})"
