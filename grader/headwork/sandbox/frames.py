"""The wire between grader and child: a job goes out, plain numbers and short words come back.

A frame is two little-endian u32 (length of the header, length of the body), a header and raw bytes. What goes out
has its header by marshal, for the same interpreter reads it; what comes back has it in JSON: nothing is ever
unpickled, no dtype is made from a text of the child, every length is checked first.
"""

from __future__ import annotations

import json
import marshal
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from headwork.model import Array, Call, GraderFault, Result

_HEAD = struct.Struct("<II")
MOST_HEADER = 1 << 15
LEAST_CAP, UNKNOWN_CAP = 1 << 16, 1 << 20
_SENDABLE = "fiub"
_read = json.JSONDecoder().raw_decode


def cap_of(call: Call) -> int:
    """How many bytes the result of ``call`` may have."""
    return max(4 * call.expected_bytes, LEAST_CAP) if call.expected_bytes else UNKNOWN_CAP


def job(
    cells: Sequence[str],
    calls: Sequence[Call],
    known: Mapping[int, Array],
    positions: Mapping[int, int],
    *,
    skip: Sequence[int] = (),
    definitions: Sequence[int] = (),
) -> bytes:
    """One job as bytes.

    ``known`` are values that earlier calls of the submission returned, ``positions`` says where in
    ``calls`` the others stand. Arrays that several calls share are sent once.
    Raises GraderFault for an argument that is none of those a Call may have.
    """
    sources = [cell.encode("utf-8", "replace") for cell in cells]
    bodies = list(sources)
    arrays: list[tuple[str, tuple[int, ...]]] = []
    reused: list[int] = []
    sent: dict[int, int] = {}
    keep: list[Any] = []  # an id() is only good while its object lives

    def spelled(argument: Any) -> tuple[str, Any]:
        if isinstance(argument, Result):
            if argument.index not in known:
                reused.append(positions[argument.index])
                return "result", reused[-1]
            argument = known[argument.index]
        if isinstance(argument, np.ndarray) and argument.dtype.kind in _SENDABLE:
            array = cast(Array, argument)
            place = sent.get(id(array))
            if place is None:
                place = sent[id(array)] = len(arrays)
                keep.append(array)
                array = array.astype(array.dtype.newbyteorder("<"), copy=False)
                arrays.append((array.dtype.str, array.shape))
                bodies.append(array.tobytes())
            return "array", place
        if isinstance(argument, np.generic) and argument.dtype.kind in _SENDABLE:
            return "value", cast(Any, argument).item()
        if argument is None or isinstance(argument, bool | int | float | str):
            return "value", argument
        kind = type(cast(Any, argument)).__name__
        raise GraderFault(f"an argument is a {kind}, which cannot be sent to a submission")

    told = [
        (call.function, tuple(spelled(argument) for argument in call.arguments), cap_of(call), call.picks)
        for call in calls
    ]
    header = marshal.dumps(
        {
            "cells": [len(source) for source in sources],
            "calls": told,
            "arrays": arrays,
            "reused": reused,
            "skip": list(skip),
            "definitions": list(definitions),
        }
    )
    body = b"".join(bodies)
    return _HEAD.pack(len(header), len(body)) + header + body


class FrameReader:
    """Cuts what a child sends into frames. The first thing that is not as it must be ends the reading."""

    def __init__(self, *, most_body: int) -> None:
        """``most_body`` is the largest body that any frame may have."""
        self._most_body = most_body
        self._buffer = bytearray()
        self.broken = False

    def feed(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The frames that ``data`` completes."""
        buffer, at = self._buffer, 0
        buffer += data
        try:
            while not self.broken and len(buffer) - at >= _HEAD.size:
                header_size, body_size = _HEAD.unpack_from(buffer, at)
                if header_size > MOST_HEADER or body_size > self._most_body:
                    self.broken = True
                    return
                start = at + _HEAD.size + header_size
                if len(buffer) < start + body_size:
                    return
                try:
                    header, end = _read(buffer[at + _HEAD.size : start].decode("ascii"))
                except (ValueError, RecursionError):
                    header, end = None, 0
                if type(header) is not dict or end != header_size:
                    self.broken = True
                    return
                at = start + body_size
                yield cast(dict[str, Any], header), bytes(buffer[start:at])
        finally:
            del buffer[:at]
