"""Where a scan of Python's lines stands, without parsing: in a text, in brackets, or where a statement may start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKENS = re.compile(r"""\\.|'{3}|"{3}|['"#()\[\]{}]""", re.DOTALL)
_GOES_ON = re.compile(r"(?:else|elif|except|finally|case)\b|[)\]}]")


@dataclass(frozen=True, slots=True)
class Place:
    """The state after a line: the open quote, the number of open brackets, a backslash at the end."""

    quote: str = ""
    depth: int = 0
    joined: bool = False

    @property
    def inside(self) -> bool:
        """Whether the next line goes on with this one's statement."""
        return bool(self.quote) or self.depth > 0 or self.joined

    def after(self, line: str) -> Place:
        """The state after one more line."""
        quote, depth = self.quote, self.depth
        for match in _TOKENS.finditer(line):
            token = match.group()
            if quote:
                quote = "" if token == quote else quote
            elif token == "#":
                return Place("", depth, False)
            elif token[0] in "'\"":
                quote = token
            elif token in "([{":
                depth += 1
            elif token in ")]}":
                depth = max(0, depth - 1)
        ends = line.endswith("\\")
        return Place(quote if len(quote) == 3 or ends else "", depth, ends)


def statements(source: str) -> Iterator[str]:
    """The source in pieces, each beginning with a statement at the left edge; joined by line ends they are the source."""
    piece: list[str] = []
    place = Place()
    decorated = False
    for line in source.split("\n"):
        starts = bool(line) and not line[0].isspace() and not place.inside and not _GOES_ON.match(line)
        if starts and piece and not decorated:
            yield "\n".join(piece)
            piece = []
        decorated = line.startswith("@") if starts else decorated
        piece.append(line)
        place = place.after(line)
    yield "\n".join(piece)
