"""The cells of one row: between tabs, bars, ``&``, commas or spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .characters import Plain, Refused


@dataclass(frozen=True, slots=True)
class Span:
    """A cell: from where to where in the plain text."""

    start: int
    end: int


def stripped(text: str, start: int, end: int, characters: str = " \t\r\n") -> tuple[int, int]:
    """The place without blank characters at its ends."""
    while start < end and text[start] in characters:
        start += 1
    while end > start and text[end - 1] in characters:
        end -= 1
    return start, end


class Rows:
    """Splits places of one text."""

    def __init__(self, plain: Plain, *, decimal_comma: bool) -> None:
        """``decimal_comma``: a comma right between digits belongs to a number."""
        self.plain = plain
        self.text = plain.text
        self.decimal_comma = decimal_comma

    def said(self, span: Span) -> str:
        """What stands in a place, without blanks around it."""
        return self.text[span.start : span.end].strip()

    def cells(self, start: int, end: int, *, in_list: bool = True) -> list[Span]:
        """The cells of one row. A comma after the last cell of a list says nothing; on a line it may be a blank."""
        text = self.text[start:end]
        if "&" in text:
            return self.at_marks(start, end, "&")
        if "|" in text:
            if text[0] == "|" and text[-1] == "|" and len(text) > 1:
                start, end = start + 1, end - 1
            return self.at_marks(start, end, "|")
        if "\t" in text:
            return self.at_marks(start, end, "\t")
        commas = self._at_commas(start, end)
        if len(commas) > 1:
            if in_list and not self.said(commas[-1]):
                commas.pop()
            self._check_commas(commas, start, end)
            return commas
        return self._at_spaces(start, end)

    def at_marks(self, start: int, end: int, mark: str) -> list[Span]:
        """What stands between marks outside of all brackets."""
        spans, level, begin = list[Span](), 0, start
        for index in range(start, end):
            character = self.text[index]
            if character in "([{":
                level += 1
            elif character in ")]}":
                level -= 1
            elif character == mark and level <= 0:
                spans.append(Span(begin, index))
                begin = index + 1
        spans.append(Span(begin, end))
        return spans

    def _at_commas(self, start: int, end: int) -> list[Span]:
        spans = self.at_marks(start, end, ",")
        if not self.decimal_comma:
            return spans
        joined: list[Span] = []
        for span in spans:
            if joined and self._within_number(joined[-1], span.start - 1, end):
                joined[-1] = Span(joined[-1].start, span.end)
            else:
                joined.append(span)
        return joined

    def _within_number(self, before: Span, comma: int, end: int) -> bool:
        """Whether a decimal comma stands here: right between digits, in a number without another mark."""
        digits = re.compile(r"\d+").search(self.text[before.start : comma][::-1])
        if not digits or digits.start() != 0 or comma + 1 >= end or not self.text[comma + 1].isdigit():
            return False
        earlier = self.text[comma - digits.end() - 1] if comma - digits.end() - 1 >= before.start else ""
        return earlier not in (",", ".") or not earlier

    def _check_commas(self, cells: list[Span], start: int, end: int) -> None:
        """Refuse "0,5 0,25" where the point is declared: it is two numbers to its author."""
        tight = not self.decimal_comma and ", " not in self.text[start:end] and ",\n" not in self.text[start:end]
        if tight:
            for cell in cells:
                bare = stripped(self.text, cell.start, cell.end)
                if bare[0] < bare[1] and len(self._at_spaces(*bare)) > 1:
                    raise Refused(
                        "commas within numbers, or between them? Write the decimal point", self.plain.at(cells[0].end)
                    )

    def _at_spaces(self, start: int, end: int) -> list[Span]:
        """Cells between spaces, where a space is not beside an operator with a space on its other side."""
        cells: list[Span] = []
        for found in re.finditer(r"\S+", self._masked(start, end)):
            here = Span(start + found.start(), start + found.end())
            if cells and self._goes_on(cells[-1], here):
                cells[-1] = Span(cells[-1].start, here.end)
            else:
                cells.append(here)
        return cells

    def _masked(self, start: int, end: int) -> str:
        """The text with spaces inside of brackets filled, so that they split nothing."""
        level, pieces = 0, list[str]()
        for character in self.text[start:end]:
            level += (character in "([{") - (character in ")]}")
            pieces.append("." if level > 0 and character.isspace() else character)
        return "".join(pieces)

    def _goes_on(self, before: Span, here: Span) -> bool:
        last, first = self.text[before.end - 1], self.text[here.start]
        if last in "+*/^-√" and before.end - before.start > (last == "-"):
            return True
        if last == "-" and before.end - before.start == 1:
            return first.isdigit() or first in ".√(\\"
        if first in "*/^)%" or (first in "+-" and here.end - here.start == 1 and not self._ends(here)):
            return True
        word = re.search(r"(?:sqrt|exp|ln|log|softmax|array|tensor|float\d*)$", self.text[before.start : before.end])
        return word is not None

    def _ends(self, here: Span) -> bool:
        """Whether nothing follows: a lone dash at the end of a row is a blank cell."""
        rest = self.text[here.end : here.end + 40].split("\n")[0].split(";")[0].strip(" ]")
        return not rest
