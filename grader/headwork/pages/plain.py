"""Text of others inside Markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>#|$&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|~(?=~)|(?<=~)~|^[-+=]")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])")
_LINK = re.compile(r"(https?|ftp|www|mailto)([:.])", re.IGNORECASE)


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is: one line, no markup, no HTML, no formula, no link."""
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))
    return _LINK.sub("\\1\u200b\\2", _NUMBERED.sub(r"\1\\\2", line))
