"""Typed matrices: cells read one by one, the shape judged first and by itself.

An empty cell is a wrong cell and no reason to refuse the rest; an unreadable one makes the answer
invalid, with the cell and the character named.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from .characters import Plain, Refused, plain
from .layout import Grid, grid_of
from .literals import number_of
from .parser import parsed_softmax
from .reader import PLAIN_GRAMMAR, Invalid, read_plain
from .rows import Span
from .tokens import Grammar
from .tree import Call, Quotient, Sum, Tree, show
from .wrapping import unwrap

MAX_LENGTH = 8000
MAX_CELLS = 400
BLANKS = frozenset(("", "_", "__", "___", "?", "-", "--", "…", "...", ".", "none", "nan", "np.nan", "n/a", "x?"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """A typed matrix: cells row by row, None where one is blank."""

    cells: tuple[Tree | None, ...]
    shape: tuple[int, ...] | None
    """None where rows differ in length."""
    lengths: tuple[int, ...]
    """Of the innermost rows."""
    bracketed: bool
    """Whether brackets said the axes; plain lines are a list or a matrix, as asked."""

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Whether this is an array of ``shape``; leading axes of length 1 may be left out."""
        if self.shape is None:
            return False
        bare = shape
        while len(bare) > len(self.shape) and bare[0] == 1:
            bare = bare[1:]
        if self.shape == bare:
            return True
        return not self.bracketed and len(bare) <= 1 and 1 in self.shape and math.prod(self.shape) == math.prod(bare)

    def nested(self, text: Callable[[Tree | None], Any]) -> Any:
        """Nested lists of what ``text`` says of every cell."""
        return _nested([text(cell) for cell in self.cells], self.shape, self.lengths)

    def shape_text(self) -> str:
        """The shape as a message says it."""
        if self.shape is None:
            return "rows of " + ", ".join(map(str, self.lengths)) + " numbers"
        return f"({', '.join(map(str, self.shape))}{',' if len(self.shape) == 1 else ''})"


def _nested(values: list[Any], shape: tuple[int, ...] | None, lengths: tuple[int, ...]) -> Any:
    if shape is None:
        rows = iter(values)
        return [[next(rows) for _ in range(length)] for length in lengths]
    for size in reversed(shape[1:]):
        values = [values[start : start + size] for start in range(0, len(values), size)] if size else []
    return values if shape else values[0]


def shown(matrix: Matrix) -> Any:
    """Nested canonical text, to show back; a blank cell is an empty text."""
    return matrix.nested(lambda cell: "" if cell is None else show(cell))


def read_matrix(answer: str, grammar: Grammar = PLAIN_GRAMMAR) -> Matrix | Invalid:
    """Read a typed or pasted matrix. Any text at all ends in a Matrix or an Invalid."""
    if len(answer) > MAX_LENGTH:
        return Invalid(message=f"longer than {MAX_LENGTH} characters", at=MAX_LENGTH, typed=answer[:MAX_LENGTH])
    try:
        text = unwrap(_unquoted(plain(answer)))
        grid, bracketed = grid_of(text, decimal_comma=grammar.decimal_comma)
        return _filled(grid, text, grammar, bracketed)
    except Refused as refused:
        return Invalid(message=refused.message, at=refused.at, so_far=refused.so_far, typed=answer)


def _unquoted(text: Plain) -> Plain:
    """Quotes around the cells of a CSV file say nothing."""
    if '"' in text.text or "'" in text.text:
        return replace(text, text=text.text.replace('"', " ").replace("'", " "))
    return text


def _filled(grid: Grid, text: Plain, grammar: Grammar, bracketed: bool) -> Matrix:
    rows: list[list[Tree | None]] = []
    outer = _walk(grid, text, grammar, rows)
    lengths = tuple(len(row) for row in rows)
    cells = tuple(cell for row in rows for cell in row)
    if outer is None or len(set(lengths)) > 1:
        return Matrix(cells=cells, shape=None, lengths=lengths, bracketed=bracketed)
    return Matrix(cells=cells, shape=(*outer, *lengths[:1]), lengths=lengths, bracketed=bracketed)


def _walk(grid: Grid, text: Plain, grammar: Grammar, rows: list[list[Tree | None]]) -> tuple[int, ...] | None:
    """Read the rows of a grid into ``rows``; the axes outside of a row, or None where they are ragged."""
    if not grid or isinstance(grid[0], Span):
        rows.append(_row(cast("list[Span]", grid), text, grammar, len(rows)))
        if sum(map(len, rows)) > MAX_CELLS:
            raise Refused(f"more than {MAX_CELLS} cells", text.at(0))
        return ()
    inner = {_walk(part, text, grammar, rows) for part in cast("list[Grid]", grid)}
    if len(inner) > 1 or None in inner:
        return None
    return (len(grid), *cast("tuple[int, ...]", inner.pop()))


def _row(spans: list[Span], text: Plain, grammar: Grammar, row: int) -> list[Tree | None]:
    cells: list[Tree | None] = []
    for column, span in enumerate(spans):
        part = text.slice(span.start, span.end)
        bare = part.text.strip().lower()
        if bare in BLANKS:
            cells.append(None)
        elif grammar.words and bare in ("true", "false"):
            cells.append(number_of(str(int(bare == "true"))))
        else:
            try:
                if bare.startswith(("softmax", "\\softmax")):
                    cells.extend(_softmax(parsed_softmax(part, grammar)))
                else:
                    cells.append(read_plain(part, grammar))
            except Refused as refused:
                where = f"row {row + 1}, column {column + 1}: {refused.message}"
                raise Refused(where, refused.at, refused.so_far) from None
    return cells


def _softmax(scores: list[Tree]) -> list[Tree]:
    powers: list[Tree] = [Call(function="exp", argument=score) for score in scores]
    total = Sum(terms=tuple(powers)) if len(powers) > 1 else powers[0]
    return [Quotient(top=power, bottom=total) for power in powers]
