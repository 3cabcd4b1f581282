"""Matrices for pages: labelled rows and columns, one table per leading index, a shade per cell."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from headwork.pages.tex import matrix_tex, name_tex

SHORT = {"B": "b", "T": "t", "T_q": "t", "T_k": "s", "n_heads": "head"}
SHADES = 5
Words = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """One entry: its text, and the class that shades it ("p3": positive, third of five)."""

    text: str
    shade: str = ""
    wrong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A row of a table and its label."""

    label: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """One table: a matrix, or one leading index of an array."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[RowView, ...]

    @property
    def text(self) -> str:
        """The same as plain text, columns aligned."""
        widths = [max((len(row.cells[i].text) for row in self.rows), default=0) for i in range(len(self.columns))]
        return "\n".join(
            "  ".join(cell.text.rjust(width) for cell, width in zip(row.cells, widths, strict=True))
            for row in self.rows
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixView:
    """A named value as a page shows it. As text it is its TeX, for use inside a prompt."""

    name: str
    axes: str
    shape: tuple[int, ...]
    entries: Any
    tables: tuple[TableView, ...]
    exact: bool = False
    """Our own numbers, which may be shown as formulas; what students typed is shown as typed."""

    @property
    def tex(self) -> str:
        r"""``\begin{bmatrix}...``; only for one or two axes."""
        rows = self.entries if len(self.shape) == 2 else [self.entries]
        return matrix_tex(cast(list[list[str]], rows))

    @property
    def shape_text(self) -> str:
        """The shape by axis name: ``(T=3, d_model=5)``."""
        names = self.axes.split()
        if len(names) != len(self.shape):
            return str(self.shape)
        return f"({', '.join(f'{name}={size}' for name, size in zip(names, self.shape, strict=True))})"

    @property
    def symbol(self) -> str:
        """The name as TeX."""
        return name_tex(self.name)

    def __str__(self) -> str:
        """The matrix as an inline formula."""
        return f"${self.tex}$"


def fitting_axes(axes: str, dimensions: int) -> str:
    """The last ``dimensions`` names of a pattern: hand-sized values have no batch axis."""
    names = axes.split()
    return " ".join(names[len(names) - dimensions :]) if len(names) >= dimensions else ""


def matrix_view(
    name: str,
    entries: Any,
    *,
    axes: str = "",
    numbers: Any = None,
    words: Words = (),
    wrong: frozenset[tuple[int, ...]] = frozenset(),
    exact: bool = False,
) -> MatrixView:
    """A view of nested lists of text. ``numbers`` (the same shape) shade the cells; ``words`` label positions."""
    texts = np.array(entries, dtype=object)
    names = fitting_axes(axes, texts.ndim).split() or [""] * texts.ndim
    shades = _shades(numbers, texts.shape)
    shape = texts.shape
    grid = texts.reshape((1,) * (2 - texts.ndim) + shape) if texts.ndim < 2 else texts
    grid_names = [""] * (2 - texts.ndim) + names
    lead = grid.shape[:-2]
    tables: list[TableView] = []
    for index in itertools.product(*(range(size) for size in lead)):
        prompt = index[names.index("B")] if "B" in names[: len(index)] else 0
        spoken = words[prompt] if prompt < len(words) else ()
        rows = tuple(
            RowView(
                label=_label(grid_names[-2], i, spoken),
                cells=tuple(
                    CellView(
                        text=str(grid[(*index, i, j)]),
                        shade=shades.get((*index, i, j)[-texts.ndim :] if texts.ndim else (), ""),
                        wrong=((*index, i, j)[-texts.ndim :] if texts.ndim else ()) in wrong,
                    )
                    for j in range(grid.shape[-1])
                ),
            )
            for i in range(grid.shape[-2])
        )
        same = grid_names[-1] == grid_names[-2] and grid_names[-1] in ("T", "T_q")
        column_axis = "T_k" if same else grid_names[-1]
        columns = tuple(_label(column_axis, j, spoken) for j in range(grid.shape[-1]))
        where = ", ".join(f"{SHORT.get(names[at], 'index')} = {i}" for at, i in enumerate(index))
        tables.append(TableView(caption=f"{name}, {where}" if where else name, columns=columns, rows=rows))
    return MatrixView(
        name=name, axes=" ".join(names), shape=shape, entries=texts.tolist(), tables=tuple(tables), exact=exact
    )


def _label(axis: str, number: int, words: Sequence[str]) -> str:
    if axis in ("T", "T_q", "T_k"):
        spoken = f" {words[number]}" if number < len(words) else ""
        return f"{SHORT[axis]}={number}{spoken}"
    return f"{SHORT[axis]}={number}" if axis in SHORT else str(number)


def _shades(numbers: Any, shape: tuple[int, ...]) -> dict[tuple[int, ...], str]:
    if numbers is None or np.shape(numbers) != shape:
        return {}
    array = np.asarray(numbers, dtype=np.float64)
    finite = np.isfinite(array)
    top = np.abs(array[finite]).max(initial=0.0) or 1.0
    return {tuple(index): _shade(float(array[tuple(index)]), top) for index in np.ndindex(shape)}


def _shade(number: float, top: float) -> str:
    if not np.isfinite(number):
        return "hidden" if number == -np.inf else ""
    level = int(np.ceil(round(abs(number) / top * SHADES, 6)))
    return f"{'p' if number > 0 else 'm'}{level}" if level else "zero"


def decimal_text(number: float, decimals: int = 3) -> str:
    """A number at ``decimals``, without trailing zeros; "-inf" where hidden, never "-0"."""
    if np.isnan(number):
        return "nan"
    if np.isinf(number):
        return "-inf" if number < 0 else "inf"
    text = f"{number:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def decimal_texts(values: Any, decimals: int = 3) -> Any:
    """Nested lists of ``decimal_text`` (booleans as True and False)."""
    array = np.asarray(values)
    if array.dtype == bool:
        flags = [str(bool(flag)) for flag in array.ravel()]
        return np.array(flags, dtype=object).reshape(array.shape).tolist()
    flat = [decimal_text(float(number), decimals) for number in array.astype(np.float64).ravel()]
    return np.array(flat, dtype=object).reshape(array.shape).tolist()
