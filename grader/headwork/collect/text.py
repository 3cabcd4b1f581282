"""Bytes to text, the same on every system and under every locale."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark starts with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What a file says, with line ends as LF; ``notice`` tells staff what had to be guessed."""

    text: str
    notice: str | None = None


def decoded(raw: bytes) -> Text:
    """Read as the byte order mark says, else as UTF-8, else as Windows-1252.

    A coding line (``# -*- coding: … -*-``) has no say: text is what the sandbox gets, never bytes.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            body = raw[len(mark) :] if encoding == "utf-8" else raw
            text = body.decode(encoding, "replace")
            notice = f"damaged {encoding.upper()}: some characters could not be read" if "\ufffd" in text else None
            return Text(text=with_line_feeds(text), notice=notice)
    try:
        return Text(text=with_line_feeds(raw.decode("utf-8")))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
    try:
        text, encoding = raw.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, encoding = raw.decode("latin-1"), "Latin-1"
    return Text(text=with_line_feeds(text), notice=f"not UTF-8 (first seen in line {line}); it was read as {encoding}")


def with_line_feeds(text: str) -> str:
    """The text with CRLF and CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def without_surrogates(text: str) -> str:
    """The text with lone surrogates (from JSON escapes) as U+FFFD, so that it can be stored and sent."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
