"""The work of a child: read one job, load the submission, make the calls, send what came back.

Everything a student can replace (``json.dumps``, ``numpy.asarray``, built-ins) is bound before their code
runs. That is courtesy to honest code which patches things, not a defence: the parent believes nothing.
"""

from __future__ import annotations

import gc
import json
import marshal
import os
import struct
import sys
from collections.abc import Callable
from typing import Any, cast

import load
import numpy as np
from room import ANSWERS, JOB

_HEAD = struct.Struct("<II")
_PLAIN = frozenset(("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1"))
_MOST_AXES = 8
_MOST_TEXT = 300
_Argument = tuple[str, Any]
"""("array", place), ("result", number of an earlier call) or ("value", itself)."""
_Call = tuple[str, tuple[_Argument, ...], int, "int | None"]
"""Function, arguments, how many bytes may come back, and which item of a tuple is wanted."""


class Job:
    """What the parent sent: cells, calls, and the arrays that calls share."""

    def __init__(self, header: dict[str, Any], body: bytes) -> None:
        """Cut ``body`` as ``header`` says."""
        self.calls: list[_Call] = header["calls"]
        self.skipped: list[int] = header["skip"]
        self.definitions_only: list[int] = header["definitions"]
        self.cells: list[str] = []
        at = 0
        for size in header["cells"]:
            self.cells.append(body[at : at + size].decode("utf-8"))
            at += size
        self.arrays: list[Any] = []
        for kind, shape in header["arrays"]:
            array: Any = np.ndarray(shape, kind, body, at)
            self.arrays.append(array)
            at += array.nbytes
        self.reused = frozenset(header["reused"])


def read_job(descriptor: int) -> Job:
    """Read one job to its end."""
    header_size, body_size = _HEAD.unpack(_read(descriptor, _HEAD.size))
    header = marshal.loads(_read(descriptor, header_size))
    return Job(header, _read(descriptor, body_size))


def _read(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise EOFError("the job ended early")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class Sender:
    """Frames to the parent, after what was printed so far."""

    def __init__(self, descriptor: int) -> None:
        """Bind what is needed later."""
        self._descriptor = descriptor
        self._pack, self._write = _HEAD.pack, os.write
        self._streams = (sys.stdout, sys.stderr)

    def send(self, header: str, body: bytes = b"") -> None:
        """Send one frame; ``header`` is JSON text."""
        for stream in self._streams:
            try:
                stream.flush()
            except (OSError, ValueError):
                continue  # closed by the submission, or nobody reads it
        text = header.encode("ascii")
        left = memoryview(self._pack(len(text), len(body)) + text + body)
        while left:
            left = left[self._write(self._descriptor, left) :]


def work(job: Job, sender: Sender) -> None:
    """Load and call. Each cell and each call is one frame, in order; then one that says it is the end."""
    caller, dumps = _Caller(job), json.dumps
    names = load.namespace()
    for number, source in enumerate(job.cells):
        errors: list[dict[str, Any]] = []
        if number not in job.skipped:
            only = number in job.definitions_only
            errors.extend(_told(error) for error in load.load(number, source, names, definitions_only=only))
        sender.send(f'{{"cell": {number}, "errors": {dumps(errors) if errors else "[]"}}}')
    for number, call in enumerate(job.calls):
        header, body = caller.answer(number, call, names)
        sender.send(f'{{"call": {number}, {header[1:]}', body)
    sender.send('{"end": true}')


class _Caller:
    def __init__(self, job: Job) -> None:
        self._arrays, self._reused, self._array_type = job.arrays, job.reused, np.ndarray
        self._values: dict[int, Any] = {}
        self._asarray: Callable[[Any], Any] = np.asarray
        self._dumps = json.dumps

    def answer(self, number: int, call: _Call, names: dict[str, Any]) -> tuple[str, bytes]:
        """A call's answer: header (a JSON object as text) and body."""
        name, spelled_arguments, _, _ = call
        try:
            function = names[name]
        except KeyError:
            return '{"missing": true}', b""
        if not callable(function):
            return self._dumps({"uncallable": type(function).__name__[:_MOST_TEXT]}), b""
        given: list[Any] = []
        for kind, told in spelled_arguments:
            if kind == "array":
                given.append(self._arrays[told])
            elif kind == "value":
                given.append(told)
            elif told in self._values:
                given.append(self._values[told])
            else:  # an earlier call gave no value
                return '{"unfed": true}', b""
        # What is left as it was given can be told from what was changed, and is there for the next call.
        arguments: list[Any] = [one.copy() if isinstance(one, self._array_type) else one for one in given]
        try:
            value = function(*arguments)
            return self._converted(number, call, value, given, arguments)
        except BaseException as error:
            return self._dumps({"raised": _told(error)}), b""

    def _converted(
        self, number: int, call: _Call, value: Any, given: list[Any], arguments: list[Any]
    ) -> tuple[str, bytes]:
        kind = type(value).__name__[:_MOST_TEXT]
        _, _, cap, picks = call
        if picks is not None:
            if not isinstance(value, tuple | list) or len(cast(list[Any], value)) <= picks:
                return self._unusable("single", kind)
            value = cast(list[Any], value)[picks]
            kind = type(value).__name__[:_MOST_TEXT]
        if value is None or isinstance(value, str | bytes | dict | set):
            return self._unusable("none" if value is None else "type", kind)
        try:
            array = self._asarray(value)
        except ValueError:  # what NumPy says of rows of different lengths
            return self._unusable("ragged", kind)
        spelled = array.dtype.str
        if spelled not in _PLAIN:
            if array.dtype.kind == "f" and array.dtype.itemsize > 8:
                array = array.astype("<f8")
            spelled = array.dtype.newbyteorder("<").str
        if spelled not in _PLAIN:
            return self._unusable("dtype", kind, dtype=array.dtype.name[:_MOST_TEXT])
        if array.ndim > _MOST_AXES or array.nbytes > cap:
            return self._unusable("large", kind)
        if spelled != array.dtype.str:
            array = array.astype(spelled)
        shape = list(array.shape)
        body = array.tobytes()
        if number in self._reused:
            self._values[number] = array.copy()
        changed = [
            place
            for place, (kept, argument) in enumerate(zip(given, arguments, strict=True))
            if kept is not argument and (kept.shape != argument.shape or kept.tobytes() != argument.tobytes())
        ]
        # Put together by hand: nearly all answers are this one, and json.dumps takes almost three times as long for it.
        return f'{{"dtype": "{spelled}", "shape": {shape}, "type": {self._dumps(kind)}, "changed": {changed}}}', body

    def _unusable(self, why: str, kind: str, **more: str) -> tuple[str, bytes]:
        return self._dumps({"unusable": why, "type": kind, **more}), b""


def _told(error: BaseException) -> dict[str, Any]:
    """An exception in plain words; its own ``__str__`` may fail, too."""
    try:
        text = str(error)[:_MOST_TEXT]
    except BaseException:
        text = ""
    return {"exception": type(error).__name__[:_MOST_TEXT], "message": text, "line": load.line_of(error)}


def main() -> None:
    """Do the job on descriptors 3 and 4 and end the process, whatever happens."""
    status = 3
    try:
        sender = Sender(ANSWERS)
        sender.send('{"ready": true}')  # locked in: from here on all is the submission's doing
        job = read_job(JOB)
        gc.enable()
        work(job, sender)
        status = 0
    finally:
        os._exit(status)
