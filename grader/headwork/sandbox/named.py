"""Modules that are loaded only for a submission that names them.

Every module that is loaded before the fork costs every child: its pages are copied with the others. What
only few submissions use is imported in the child, before it is locked in, where the submission's text has
its name. Later the disk may be out of reach.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

import numpy as np

from headwork.model import Call

_ALSO_FOR = {
    "_strptime": ("strptime",),
    "calendar": ("strptime",),
    "encodings.idna": ("socket",),
    "numpy.ma": (
        "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile", "histogram", "histogram_bin_edges",
        "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values",
        "genfromtxt", "in1d", "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d",
    ),
    "subprocess": ("platform",),
    "zipfile": ("savez", "savez_compressed"),
}  # fmt: skip
"""Words of those that import a module by themselves, when they are first called."""
_MODULES = (
    "_strptime", "argparse", "asyncio", "atexit", "bz2", "calendar", "cmd", "code", "concurrent.futures", "csv", "decimal",
    "difflib", "doctest", "email", "encodings.idna", "fnmatch", "fractions", "gettext", "glob", "importlib.metadata",
    "importlib.resources", "logging", "lzma", "mmap", "numpy.char", "numpy.ma", "numpy.polynomial", "numpy.rec", "numpy.strings",
    "numpy.testing", "numpy.typing", "pdb", "pkgutil", "pprint", "queue", "shutil", "ssl", "statistics", "subprocess",
    "sysconfig", "tempfile", "termios", "timeit", "unittest", "unittest.mock", "urllib.parse", "uuid", "zipfile",
)  # fmt: skip
ON_DEMAND = {name: frozenset((name.rsplit(".", 1)[-1], *_ALSO_FOR.get(name, ()))) for name in _MODULES}
"""Module -> the words that call for it: the last part of its name, and what needs it unasked."""
_WANTED = frozenset(word.encode() for words in ON_DEMAND.values() for word in words)
_LETTERS = f"{string.ascii_letters}{string.digits}_".encode()
_SPACED = bytes(code if code in _LETTERS else ord(" ") for code in range(256))
"""For ``bytes.translate``: leaves words, with spaces between them."""


def named_in(cells: Iterable[str], calls: Iterable[Call]) -> tuple[str, ...]:
    """Those of ``ON_DEMAND`` that a word of the code calls for, wherever it stands.

    Code may be among the arguments as well: as text, or compiled, where names stand between bytes of any kind.
    """
    texts, compiled = list(cells), b""
    for call in calls:
        for argument in call.arguments:
            if isinstance(argument, str):
                texts.append(argument)
            elif isinstance(argument, np.ndarray) and argument.dtype.char == "B":
                compiled += argument.tobytes()
    found: set[bytes] = set()
    for text in texts:
        found |= _WANTED.intersection(text.encode("utf-8", "replace").translate(_SPACED).split())
    if compiled:
        found |= {word for word in _WANTED if word in compiled}
    words = {word.decode() for word in found}
    return tuple(name for name, wanted in ON_DEMAND.items() if not wanted.isdisjoint(words)) if words else ()
