"""Where the cells of a pasted matrix stand: brackets, lines, tabs, commas, ``&`` or plain spaces.

Only places are found here; what a cell says is the reader's. A grid is nested lists of spans.
"""

from __future__ import annotations

import re
from typing import TypeAlias, cast

from .characters import Plain, Refused
from .rows import Rows, Span, stripped

Grid: TypeAlias = "list[Span] | list[Grid]"

_ENVIRONMENT = re.compile(
    r"\\begin\s*\{(?:[pbBvV]?matrix|smallmatrix|array)\*?\}(?:\s*\{[clr| ]*\})?(.*?)\\end\s*\{[A-Za-z*]+\}", re.DOTALL
)
_RULE = re.compile(r"[\s|:+=_-]*-{2,}[\s|:+=_-]*")
MAX_NESTING = 5


def grid_of(plain: Plain, *, decimal_comma: bool) -> tuple[Grid, bool]:
    """The cells of an answer, and whether brackets said its axes. Raises Refused."""
    if "(" in plain.text and not decimal_comma:
        plain = Plain(text=tuples_as_lists(plain.text), origin=plain.origin)
    text = plain.text
    start, end = stripped(text, 0, len(text))
    if start == end:
        raise Refused("nothing is there", plain.at(0))
    while (
        text[start] == "(" and text[end - 1] == ")" and text[start + 1 : end].lstrip(" (").startswith(("[", "\\begin"))
    ):
        start, end = stripped(text, start + 1, end - 1)
    splitter = _Splitter(plain, decimal_comma)
    if "\\begin" in text[start:end]:
        return splitter.latex(start, end), True
    if "\\\\" in text[start:end]:
        return splitter.latex_rows(start, end), False
    if text[start] == "[" or text[start : start + 2].replace(" ", "") == "{{":
        return splitter.bracketed(start, end), True
    return splitter.lines(start, end), False


def tuples_as_lists(text: str) -> str:
    """Python's tuples in square brackets: groups with a comma right inside that are no function's arguments."""
    found, opened = list(text), list[tuple[int, bool]]()
    for index, character in enumerate(text):
        if character in "([{":
            before = text[:index].rstrip()[-1:]
            opened.append((index, character == "(" and not before.isalnum()))
        elif character == "," and opened and opened[-1][1]:
            found[opened[-1][0]] = "["
        elif character in ")]}" and opened:
            start, plain_group = opened.pop()
            if plain_group and character == ")" and found[start] == "[":
                found[index] = "]"
    return "".join(found)


class _Splitter:
    def __init__(self, plain: Plain, decimal_comma: bool) -> None:
        self.plain = plain
        self.text = plain.text
        self.rows = Rows(plain, decimal_comma=decimal_comma)

    # -- LaTeX

    def latex(self, start: int, end: int) -> Grid:
        found = list(_ENVIRONMENT.finditer(self.text, start, end))
        if not found or self.text[start:end].replace(found[0][0], "", 1).strip(" \n\r\t,.;[]"):
            raise Refused("one LaTeX matrix is asked, with its \\begin and \\end", self.plain.at(start))
        return self.latex_rows(*found[0].span(1))

    def latex_rows(self, start: int, end: int) -> Grid:
        rows = self.cut(start, end, r"\\\\(?:\[[^\]]*\])?|\\hline")
        rows = [row for row in rows if self.text[row.start : row.end].strip() or "&" in self.text[row.start : row.end]]
        return [self.rows.at_marks(row.start, row.end, "&") for row in rows]

    def cut(self, start: int, end: int, pattern: str) -> list[Span]:
        spans: list[Span] = []
        begin = start
        for found in re.finditer(pattern, self.text[start:end]):
            spans.append(Span(begin, start + found.start()))
            begin = start + found.end()
        return [*spans, Span(begin, end)]

    # -- brackets

    def bracketed(self, start: int, end: int) -> Grid:
        found: list[Grid] = []
        position = start
        while position < end:
            grid, position = self.group(position, end, 1)
            found.append(grid)
            position, _ = stripped(self.text, position, end, " \t\r\n,;")
            if position < end and self.text[position] not in "[{":
                raise Refused(f'"{self.text[position]}" stands outside of the brackets', self.plain.at(position))
        return found[0] if len(found) == 1 else found

    def group(self, start: int, end: int, level: int) -> tuple[Grid, int]:
        """The list that opens at ``start``, and where the text goes on after it."""
        if level > MAX_NESTING:
            raise Refused(f"lists nested deeper than {MAX_NESTING}", self.plain.at(start))
        close = self.closing(start, end)
        inner, stop = stripped(self.text, start + 1, close)
        if inner < stop and self.text[inner] in "[{" and not (self.text[start] == "[" and self.text[inner] == "{"):
            parts: list[Grid] = []
            while inner < stop:
                part, inner = self.group(inner, stop, level + 1)
                parts.append(part)
                inner, _ = stripped(self.text, inner, stop, " \t\r\n,;")
                if inner < stop and self.text[inner] not in "[{":
                    raise Refused("a list holds rows or numbers, not both", self.plain.at(inner))
            return parts, close + 1
        rows = self.rows.at_marks(inner, stop, ";")
        if level > 1 and len(rows) > 1:  # a list within a list: ";" stands between its numbers
            return rows, close + 1
        if len(rows) == 1 and level == 1 and "," not in self.text[inner:stop]:
            rows = [
                row for row in self.rows.at_marks(inner, stop, "\n") if self.text[row.start : row.end].strip()
            ] or rows
        rows = rows[:-1] if len(rows) > 1 and not self.text[rows[-1].start : rows[-1].end].strip() else rows
        if len(rows) > 1:
            return [self.rows.cells(*stripped(self.text, row.start, row.end)) for row in rows], close + 1
        return (self.rows.cells(inner, stop) if inner < stop else []), close + 1

    def closing(self, start: int, end: int) -> int:
        closers, stack = {"[": "]", "{": "}", "(": ")"}, list[str]()
        for index in range(start, end):
            character = self.text[index]
            if character in closers:
                stack.append(closers[character])
            elif character in ")]}":
                if stack[-1] != character:
                    raise Refused(f'"{character}" closes nothing here', self.plain.at(index))
                stack.pop()
                if not stack:
                    return index
        raise Refused(f'this "{self.text[start]}" is never closed', self.plain.at(start))

    # -- lines

    def lines(self, start: int, end: int) -> Grid:
        start, end = self.kept_tabs(start, end)
        lines = [line for line in self.rows.at_marks(start, end, "\n") if not self.is_rule(line)]
        if len(lines) == 1:
            lines = self.rows.at_marks(start, end, ";")
            lines = lines[:-1] if len(lines) > 1 and not self.rows.said(lines[-1]) else lines
        blocks: list[list[Grid]] = [[]]
        for line in lines:
            if self.rows.said(line) or "\t" in self.text[line.start : line.end]:
                blocks[-1].append(self.line(line))
            elif len(lines) > 1 and blocks[-1]:
                blocks.append([])
            elif len(lines) > 1 and self.plain.text.count(";"):
                raise Refused("a row is empty", self.plain.at(line.start))
        blocks = [self.without_last_commas(block) for block in blocks if block]
        return cast(Grid, blocks[0] if len(blocks) == 1 else blocks)

    def without_last_commas(self, rows: list[Grid]) -> list[Grid]:
        """Lines that all end in a comma: it stands between them, and no cell follows it."""
        if not all(rows):
            return rows
        ends = [cast("list[Span]", row)[-1] for row in rows]
        if any(self.rows.said(end) or not self.text[: end.start].endswith(",") for end in ends):
            return rows
        return [row[:-1] for row in rows]

    def kept_tabs(self, start: int, end: int) -> tuple[int, int]:
        """Tabs at either end of pasted cells are blank cells too."""
        while start > 0 and self.text[start - 1] in "\t ":
            start -= 1
        while end < len(self.text) and self.text[end] in "\t ":
            end += 1
        return start, end

    def is_rule(self, span: Span) -> bool:
        said = self.rows.said(span)
        return "|" in said and _RULE.fullmatch(said) is not None

    def line(self, span: Span) -> list[Span]:
        start, end = span.start, span.end
        text = self.text[start:end]
        if "\t" in text:
            return self.rows.at_marks(start, end, "\t")
        start, end = stripped(self.text, start, end)
        if self.text[end - 1] == ";":
            start, end = stripped(self.text, start, end - 1)
        if start < end and self.text[start] == "[" and self.text[end - 1] == "]":
            start, end = stripped(self.text, start + 1, end - 1)
        if ";" in self.text[start:end]:
            return self.rows.at_marks(start, end, ";")
        return self.rows.cells(start, end, in_list=False)
