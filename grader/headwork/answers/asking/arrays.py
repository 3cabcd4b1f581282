"""Typed matrices as plain floats, for answers that the machine calculates with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAMED = re.compile(r"^[ \t]*([A-Za-z_]\w*)[ \t]*[:=][ \t]*", re.MULTILINE)


def floats_of(typed: str, *, decimal_comma: bool = False) -> NDArray[np.float64] | str:
    """A typed number, row or matrix as an array; a sentence where it cannot be read or is ragged."""
    from headwork.answers.characters import Refused
    from headwork.answers.matrices import read_matrix
    from headwork.answers.reader import Invalid
    from headwork.answers.tokens import Grammar
    from headwork.answers.value import worth

    read = read_matrix(typed, Grammar(decimal_comma=decimal_comma, infinity=True, words=True))
    if isinstance(read, Invalid):
        return read.pointed()
    if read.shape is None:
        return f"{read.shape_text()}; give every row the same length"
    if any(cell is None for cell in read.cells):
        return "there is an empty cell"
    try:
        numbers: list[Any] = [float(worth(cell)) for cell in read.cells if cell is not None]
    except (Refused, OverflowError) as refused:
        return str(refused)
    return np.array(numbers, np.float64).reshape(read.shape)


def named_texts(typed: str, names: tuple[str, ...]) -> dict[str, str] | str:
    """The texts after ``q =``, ``k =`` (or ``q:``) by name; a lone input needs no name.

    A sentence where a name is missing, unknown or there twice.
    """
    heads = [found for found in _NAMED.finditer(typed) if found[1] in names or len(names) > 1]
    if not heads:
        return (
            {names[0]: typed} if len(names) == 1 else f"write {' and '.join(f'{name} =' for name in names)} before each"
        )
    texts: dict[str, str] = {}
    for found, after in zip(heads, [*heads[1:], None], strict=True):
        name = found[1]
        if name not in names or name in texts:
            why = "stands there twice" if name in texts else f"is not asked for; asked are {', '.join(names)}"
            return f"{name[:30]} {why}"
        texts[name] = typed[found.end() : after.start() if after else len(typed)]
    missing = [name for name in names if name not in texts]
    return f"{' and '.join(missing)} missing" if missing else texts
