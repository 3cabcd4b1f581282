"""Modules that are loaded only for a submission that names them.

Every module that is loaded before the fork costs every child: its pages are copied with the others. What
only few submissions use is imported in the child, before it is locked in, where the submission's text has
its name. Later the disk may be out of reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from headwork.model import Call

_ALSO_FOR = {
    "_strptime": ("strptime",),
    "calendar": ("strptime",),
    "encodings.idna": ("socket",),
    "subprocess": ("platform",),
    "zipfile": ("savez", "savez_compressed"),
}
"""Words of those that import a module by themselves, when they are first called."""
_MODULES = (
    "_strptime", "argparse", "asyncio", "atexit", "bz2", "calendar", "cmd", "code", "concurrent.futures", "csv", "decimal",
    "difflib", "doctest", "email", "encodings.idna", "fnmatch", "fractions", "gettext", "glob", "importlib.metadata",
    "importlib.resources", "logging", "lzma", "mmap", "numpy.char", "numpy.polynomial", "numpy.rec", "numpy.strings",
    "numpy.testing", "numpy.typing", "pdb", "pkgutil", "pprint", "queue", "shutil", "ssl", "statistics", "subprocess",
    "sysconfig", "tempfile", "termios", "timeit", "unittest.mock", "urllib.parse", "uuid", "zipfile",
)  # fmt: skip
ON_DEMAND = {name: frozenset((name.rsplit(".", 1)[-1], *_ALSO_FOR.get(name, ()))) for name in _MODULES}
"""Module -> the words that call for it: the last part of its name, and what needs it unasked."""
_WANTED = frozenset(word for words in ON_DEMAND.values() for word in words)
_WORD = re.compile(r"\w+")


def named_in(cells: Iterable[str], calls: Iterable[Call]) -> tuple[str, ...]:
    """Those of ``ON_DEMAND`` that a word of the code calls for, wherever it stands.

    Code may be among the arguments as well: as text, or compiled, where names stand between bytes of any kind.
    """
    arguments: list[Any] = [argument for call in calls for argument in call.arguments]
    texts = [*cells, *(argument for argument in arguments if isinstance(argument, str))]
    compiled = b"".join(part.tobytes() for part in arguments if isinstance(part, np.ndarray) and part.dtype.char == "B")
    words = _WANTED.intersection(word for text in texts for word in _WORD.findall(text))
    if compiled:
        words |= {word for word in _WANTED if word.encode() in compiled}
    return tuple(name for name, wanted in ON_DEMAND.items() if not wanted.isdisjoint(words)) if words else ()
