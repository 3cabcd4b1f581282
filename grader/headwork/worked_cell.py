"""One cell of one stage worked out in a sentence, from ``templates/worked/cell/``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headwork.model import Chain, Instance
from headwork.pages.environment import environment
from headwork.pages.matrix import decimal_text, decimal_texts
from headwork.pages.tex import name_tex, number_tex
from headwork.rooms import Content

Texts = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The values that a stage is made of, as text: what a sentence may take rows, columns and cells from."""

    values: tuple[Any, ...]

    def row(self, need: int, at: int) -> Sequence[str]:
        """A row of the value number ``need``."""
        return self.values[need][at]

    def column(self, need: int, at: int) -> Sequence[str]:
        """A column of it."""
        return [line[at] for line in self.values[need]]

    def cell(self, need: int, row: int, column: int) -> str:
        """A cell of it."""
        return str(self.values[need][row][column])


def cell_sentence(
    content: Content,
    chain: Chain,
    instance: Instance,
    stage: str,
    cell: tuple[int, ...],
    *,
    exact: Mapping[str, Any],
    floats: Mapping[str, Any],
) -> str:
    """How the cell comes about, in numbers; empty where no sentence is written, or the value is no matrix."""
    from jinja2 import TemplateNotFound

    found = chain.stages[stage]
    if np.ndim(floats[stage]) != 2 or len(cell) != 2:
        return ""
    try:
        template = environment(content).get_template(f"worked/cell/{found.operation.name}.md.j2")
    except TemplateNotFound:
        return ""
    t, s = cell
    needs = Needs(values=tuple(_texts(need, instance, exact, floats) for need in found.needs))
    decimal = decimal_text(float(floats[stage][t, s]))
    return template.render(
        t=t,
        s=s,
        needs=[name_tex(need) for need in found.needs],
        sizes={name: value for name, value in instance.values.items() if np.ndim(value) == 0},
        row=needs.row,
        column=needs.column,
        cell=needs.cell,
        tex=number_tex,
        sum_of=sum_of,
        power=power_tex,
        powers=powers_tex,
        decimals=decimals,
        result=number_tex(str(exact[stage][t][s])) if stage in exact else decimal,
        decimal=decimal,
    ).strip()


def _texts(name: str, instance: Instance, exact: Mapping[str, Any], floats: Mapping[str, Any]) -> Any:
    if name in exact:
        return exact[name]
    return instance.exact[name] if name in instance.exact else decimal_texts(floats[name], 6)


def sum_of(left: Sequence[str], right: Sequence[str]) -> str:
    """ "2 · 1 + 3 · 4" as TeX; products with 0 are left out where anything else is there."""
    pairs = [(str(one), str(other)) for one, other in zip(left, right, strict=True)]
    kept = [pair for pair in pairs if "0" not in pair] or pairs[:1]
    return " + ".join(rf"{_factor(one)} \cdot {_factor(other)}" for one, other in kept)


def _factor(text: str) -> str:
    tex = number_tex(text)
    return rf"\left({tex}\right)" if tex.startswith("-") or " + " in tex or " - " in tex else tex


def power_tex(text: str) -> str:
    """e to a number."""
    return number_tex("0" if text == "-inf" else f"exp({text})")


def powers_tex(row: Sequence[str]) -> str:
    """The powers of a row, added up; hidden cells add nothing."""
    return " + ".join(power_tex(text) for text in row if text != "-inf")


def decimals(row: Sequence[str]) -> list[str]:
    """Exact numbers to three decimals."""
    return [_decimal(text) for text in row]


def _decimal(text: str) -> str:
    from headwork.answers.reader import Invalid, read
    from headwork.answers.value import worth

    reading = read(text)
    return text if isinstance(reading, Invalid) else decimal_text(float(worth(reading.tree)))
