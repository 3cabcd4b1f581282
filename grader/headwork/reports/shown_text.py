"""Text of others, made harmless for a terminal or a spreadsheet.

Pages are not served from here: Jinja's autoescape does that. Everything returned is one line unless said otherwise.
"""

from __future__ import annotations

import re
import unicodedata

_GUARDED = re.compile(r"""(?:^|[;,|\n\r\t])[\s"'`]*[=+\-@＝＋－＠﹢﹣]""")
"""What a spreadsheet would take for a formula: at the start of a cell, or of a piece that a sloppy reader cuts off."""

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _code(character: str) -> str:
    point = ord(character)
    if character in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[character]
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _coded(text: str, kept: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in kept or unicodedata.category(c) not in _UNSEEN else _code(c) for c in text)


def shown_line(text: str, *, longest: int = 200) -> str:
    r"""One line for a terminal, a log or a message; control, bidi and invisible characters as codes (``\x1b``).

    Text of more than ``longest`` characters is cut, and says so by an ellipsis.
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return _coded(cut, "")


def shown_text(text: str, *, longest: int = 20_000) -> str:
    """Several lines for a terminal: as ``shown_line``, but line ends stay and tabs become spaces."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return _coded(cut.replace("\r\n", "\n").replace("\t", "    "), "\n")


def csv_cell(text: str) -> str:
    """A cell for ``csv.writer`` that no spreadsheet runs as a formula.

    For text only: write numbers of our own as numbers. Line ends and other control characters are shown as codes, so
    that a row stays a row; a formula's first sign gets an apostrophe before it.
    """
    plain = _coded(text, "")
    return f"'{plain}" if _GUARDED.search(text) or text[:1] in ("\t", "\r", "\n") else plain
