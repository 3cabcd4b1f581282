"""Matrices for pages: labelled rows and columns, one table per leading index, a shade per cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from headwork.pages.tex import matrix_tex, name_tex

SHORT = {"B": "b", "T": "t", "T_q": "t", "T_k": "s", "n_heads": "head"}
SHADES = 5
Words = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """One entry: its text, and the class that shades it ("p3": positive, third of five).

    ``note`` says in words what is wrong with it, empty where nothing is.
    """

    text: str
    shade: str = ""
    note: str = ""


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
    notes: Mapping[tuple[int, ...], str] | None = None,
    exact: bool = False,
) -> MatrixView:
    """A view of nested lists of text.

    ``numbers`` (of the same shape) shade the cells, ``words`` label positions, ``notes`` stand at cells by index.
    """
    texts = np.array(entries, dtype=object)
    names = fitting_axes(axes, texts.ndim).split() or [""] * texts.ndim
    shades = _shades(numbers, texts.shape)
    # A number or a row is shown as a table of one row.
    grid = texts.reshape((1,) * (2 - texts.ndim) + texts.shape)
    grid_names = [""] * (2 - texts.ndim) + names

    def cell(place: tuple[int, ...]) -> CellView:
        own = place[len(place) - texts.ndim :]
        return CellView(text=str(grid[place]), shade=shades.get(own, ""), note=(notes or {}).get(own, ""))

    tables = tuple(_table(name, index, grid_names, grid.shape, words, cell) for index in np.ndindex(*grid.shape[:-2]))
    return MatrixView(
        name=name, axes=" ".join(names), shape=texts.shape, entries=texts.tolist(), tables=tables, exact=exact
    )


def _table(
    name: str,
    index: tuple[int, ...],
    names: Sequence[str],
    shape: tuple[int, ...],
    words: Words,
    cell: Callable[[tuple[int, ...]], CellView],
) -> TableView:
    """The table of one leading index."""
    leading = dict(zip(names, index, strict=False))
    prompt = leading.get("B", 0)
    spoken = words[prompt] if prompt < len(words) else ()
    down, across = names[-2:]
    rows = tuple(
        RowView(label=_label(down, i, spoken), cells=tuple(cell((*index, i, j)) for j in range(shape[-1])))
        for i in range(shape[-2])
    )
    # Of two position axes the second is the one that is read.
    across = "T_k" if across == down and across in ("T", "T_q") else across
    columns = tuple(_label(across, j, spoken) for j in range(shape[-1]))
    where = ", ".join(f"{SHORT.get(axis, 'index')} = {i}" for axis, i in zip(names, index, strict=False))
    return TableView(caption=f"{name}, {where}" if where else name, columns=columns, rows=rows)


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
