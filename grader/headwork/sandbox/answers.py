"""What a frame of a child means. Every word of it may be a lie; what is kept is bounded and plain."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from headwork.model import Array, Call, Killed, Missing, Outcome, Raised, Returned, TimedOut, Unusable

_DTYPES: Mapping[str, Any] = {
    name: np.dtype(name)
    for name in ("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1")
}
_MOST_AXES = 8
_MOST_LENGTH = 1 << 30
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_MOST_MESSAGE = 300
_MOST_ERRORS = 16
_KINDS = {"str": "text", "bytes": "bytes", "dict": "a dict", "set": "a set"}


class Malformed(Exception):
    """A frame is not one that our own code in the child sends."""


def outcome_of(
    header: Mapping[str, Any],
    body: bytes,
    call: Call,
    load_errors: Callable[[], Sequence[Raised | TimedOut | Killed]],
    *,
    cap: int,
) -> Outcome:
    """The outcome that a frame tells for ``call``, whose value has at most ``cap`` bytes. Raises Malformed."""
    if "dtype" in header and "unusable" not in header:
        return Returned(
            value=array_of(header.get("dtype"), header.get("shape"), body, cap=cap),
            type_name=name_in(header.get("type"), otherwise="object"),
            changed_arguments=_places(header.get("changed"), len(call.arguments)),
        )
    if body:
        raise Malformed("a body without an array")
    if "raised" in header:
        return raised_of(header["raised"])
    if "unusable" in header:
        return Unusable(seen=_seen(header, call))
    if "uncallable" in header:
        return Missing(reason=f"`{call.function}` is not a function, it is of type {name_in(header['uncallable'])}")
    if header.get("missing") is True:
        return Missing(reason=f"there is no function `{call.function}`{_after(load_errors())}")
    raise Malformed("no answer that we know")


def array_of(dtype: Any, shape: Any, body: bytes, *, cap: int) -> Array:
    """A read-only array. Raises Malformed where dtype, shape and length do not fit together."""
    if type(dtype) is not str or dtype not in _DTYPES or type(shape) is not list:
        raise Malformed("dtype or shape")
    lengths = cast(list[Any], shape)
    if len(lengths) > _MOST_AXES:
        raise Malformed("shape")
    size = _DTYPES[dtype].itemsize
    for length in lengths:
        if type(length) is not int or not 0 <= length <= _MOST_LENGTH:
            raise Malformed("shape")
        size *= length
    if size != len(body) or size > cap:
        raise Malformed("length")
    try:
        return np.ndarray(lengths, _DTYPES[dtype], body)
    except ValueError as error:  # nothing in it, and yet axes that NumPy finds too long together
        raise Malformed("shape") from error


def raised_of(told: Any) -> Raised:
    """An exception as the child tells it. Raises Malformed."""
    if type(told) is not dict:
        raise Malformed("exception")
    fields = cast(dict[str, Any], told)
    message, line, cell = fields.get("message"), fields.get("line"), fields.get("cell")
    return Raised(
        exception=name_in(fields.get("exception"), otherwise="Exception"),
        message=message[:_MOST_MESSAGE] if type(message) is str else "",
        line=line if type(line) is int and 0 < line < 1 << 20 else None,
        cell=cell if type(cell) is int and 0 <= cell < 1 << 16 else None,
    )


def load_errors_of(told: Any) -> list[Raised]:
    """The errors of one cell. Raises Malformed."""
    if type(told) is not list:
        raise Malformed("errors of a cell")
    return [raised_of(error) for error in cast(list[Any], told)[:_MOST_ERRORS]]


def name_in(text: Any, *, otherwise: str = "unknown") -> str:
    """A name of the child's, if it is one and short: it may be shown for a hidden draw."""
    return text if type(text) is str and _NAME.fullmatch(text) else otherwise


def _places(told: Any, count: int) -> tuple[int, ...]:
    if not told or type(told) is not list:
        return ()
    found = {place for place in cast(list[Any], told) if type(place) is int and 0 <= place < count}
    return tuple(sorted(found))


def _seen(header: Mapping[str, Any], call: Call) -> str:
    kind = name_in(header.get("type"))
    match header["unusable"]:
        case "none":
            return "nothing (None)"
        case "single":
            return f"one value of type {kind}, where item {(call.picks or 0) + 1} of a tuple was wanted"
        case "ragged":
            return f"a {kind} whose parts have different shapes"
        case "large":
            return f"a {kind} with far too many numbers"
        case "dtype":
            dtype = name_in(header.get("dtype"))
            return _values_of(dtype) if dtype != "object" or kind in ("ndarray", "list", "tuple") else f"a {kind}"
        case _:
            return _KINDS.get(kind, f"a {kind}")


def _values_of(dtype: str) -> str:
    """What an array holds, by the name of its dtype ("str96", "complex128", "object")."""
    kinds = {"str": "text", "bytes": "bytes", "complex": "complex numbers", "object": "objects, not plain numbers"}
    return kinds.get(dtype.rstrip("0123456789"), f"values of type {dtype}")


def _after(load_errors: Sequence[Raised | TimedOut | Killed]) -> str:
    if not load_errors:
        return ""
    match load_errors[0]:
        case Raised() as first:
            at = f" in line {first.line}" if first.line else ""
            return f"; before that, loading the file met {first.exception}{at}"
        case TimedOut() as first:
            return f"; loading the file took longer than {first.seconds:g} s"
        case Killed() as first:
            return f"; loading the file ended the process ({first.reason})"
