"""What is imported before a child is locked: later the disk may be out of reach."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

_MODULES = """
    __future__ abc array ast bisect builtins cmath codecs collections collections.abc contextlib copy ctypes dataclasses
    datetime dis enum functools gc hashlib heapq importlib.util inspect io itertools json keyword linecache locale math
    numbers operator os os.path pathlib pickle platform random re secrets signal socket string struct sys textwrap
    threading time token tokenize traceback types typing warnings weakref fcntl resource select zlib unicodedata
    encodings.ascii encodings.latin_1 encodings.utf_8_sig encodings.utf_16 numpy numpy.exceptions numpy.fft
    numpy.lib.stride_tricks numpy.linalg numpy.random
"""
"""What few use is in ``../named.py``. The compiler needs ``unicodedata`` for names that are not ASCII."""
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def warm(numpy_home: str) -> list[str]:
    """Import what submissions use, run each part once, and say what an import may read later.

    ``numpy_home`` is the folder that NumPy lies in. It leaves ``sys.path`` again, so that of all that
    is installed beside NumPy nothing can be imported.
    """
    for name in _ONE_THREAD:
        os.environ[name] = "1"
    sys.path.append(numpy_home)
    bring(_MODULES.split())
    _run_once()
    importlib.import_module("rehearsal")  # and with it work: after NumPy, and while our own folder can still be found
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path not in (numpy_home, own)]
    sys.path_importer_cache.clear()
    readable = [os.path.join(numpy_home, name) for name in os.listdir(numpy_home) if name in ("numpy", "numpy.libs")]
    for folder in sys.path:
        if os.path.isdir(folder):
            readable += [os.path.join(folder, name) for name in os.listdir(folder) if "-packages" not in name]
    return readable


def bring(modules: Sequence[str]) -> None:
    """Import some more, and run once what imports more yet when it is first used."""
    for name in modules:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue  # not on this platform or in this version
        if name == "numpy.testing":
            module.assert_allclose([0.0, 1.0], [0.0, 1.0])


def _run_once() -> None:
    import numpy as np

    generator = np.random.default_rng(0)  # noqa: TID251 (only to have it loaded)
    numbers = generator.standard_normal((4, 4))
    np.linalg.inv(numbers @ numbers.T + np.eye(4))
    np.einsum("ij,kj->ik", numbers, numbers, optimize=True)
    np.fft.fft(numbers)
    np.exp(numbers - numbers.max(-1, keepdims=True)).sum(-1)
    np.where(np.tril(np.ones((4, 4), bool)), numbers, -np.inf)
    np.random.seed(0)  # noqa: TID251, NPY002
    np.nan_to_num(np.broadcast_to(numbers, (2, 4, 4)))
    np.concatenate([numbers, np.stack([numbers])[0]])
    for shown in (numbers, numbers.astype(int), numbers > 0):
        str(shown)
