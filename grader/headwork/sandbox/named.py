"""Modules that are loaded only for a submission that names them.

Every module that is loaded before the fork costs every child: its pages are copied with the others. What
only few submissions use is imported in the child, before it is locked in, where the submission's text has
its name. Later the disk may be out of reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from headwork.model import Call

ON_DEMAND = (
    "argparse", "asyncio", "atexit", "bz2", "calendar", "cmd", "code", "concurrent.futures", "csv", "decimal", "difflib",
    "doctest", "email", "fnmatch", "fractions", "gettext", "glob", "importlib.metadata", "importlib.resources", "logging",
    "lzma", "mmap", "numpy.ma", "numpy.polynomial", "numpy.testing", "numpy.typing", "pdb", "pkgutil", "pprint",
    "queue", "shutil", "ssl", "statistics", "subprocess", "sysconfig", "tempfile", "termios", "timeit",
    "unittest.mock", "urllib.parse", "uuid", "zipfile",
)  # fmt: skip
_WITH_SOCKET = "encodings.idna"
"""What a socket looks names up with."""
_WORD = re.compile(r"[A-Za-z_]+")


def named_in(cells: Iterable[str], calls: Iterable[Call]) -> tuple[str, ...]:
    """Those of ``ON_DEMAND`` of which the last part is a word of the code, wherever it stands.

    Code may be among the arguments as well: as text, or compiled, where its names are plain bytes.
    """
    words = {word for text in (*cells, *_texts(calls)) for word in _WORD.findall(text)}
    named = tuple(name for name in ON_DEMAND if name.rsplit(".", 1)[-1] in words)
    return (*named, _WITH_SOCKET) if "socket" in words else named


def _texts(calls: Iterable[Call]) -> Iterator[str]:
    for call in calls:
        arguments: Sequence[Any] = call.arguments
        for argument in arguments:
            if isinstance(argument, str):
                yield argument
            elif isinstance(argument, np.ndarray) and argument.dtype == np.uint8:
                yield argument.tobytes().decode("latin-1")
