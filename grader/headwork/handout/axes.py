"""Axis patterns in words: how a shape is written for people."""

from __future__ import annotations

from collections.abc import Mapping


def shape_pattern(axes: str) -> str:
    """``"... T_q d_head"`` as ``"(..., T_q, d_head)"``; one axis as ``"(T,)"``, none as ``"()"``."""
    names = axes.split()
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def sizes_of_pattern(axes: str, sizes: Mapping[str, int]) -> tuple[int | None, ...]:
    """The size of every axis, None where ``sizes`` does not know it; products ("n_heads*d_head") are multiplied out."""
    return tuple(_size(axis, sizes) for axis in axes.split())


def _size(axis: str, sizes: Mapping[str, int]) -> int | None:
    total = 1
    for factor in axis.split("*"):
        size = int(factor) if factor.isdecimal() else sizes.get(factor)
        if size is None:
            return None
        total *= size
    return total


def named_shape(axes: str, shape: tuple[int, ...]) -> str:
    """``"B T"`` and (1, 5) as ``"(B=1, T=5)"``; bare numbers where the pattern does not fit the shape."""
    names = axes.split()
    if "..." in names and len(shape) >= len(names) - 1:
        at = names.index("...")
        lead = len(shape) - (len(names) - 1)
        names = [*names[:at], *[""] * lead, *names[at + 1 :]]
    if len(names) != len(shape):
        return str(shape)
    parts = [f"{name}={size}" if name else str(size) for name, size in zip(names, shape, strict=True)]
    return f"({', '.join(parts)})"
