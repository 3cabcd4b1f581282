"""What is imported before a child is locked: later the disk may be out of reach."""

from __future__ import annotations

import importlib
import os
import sys

_MODULES = """
    __future__ abc argparse array ast bisect builtins calendar cmath codecs collections collections.abc contextlib
    copy csv ctypes dataclasses datetime decimal difflib dis doctest enum fractions functools gc glob hashlib heapq
    inspect io itertools json keyword linecache locale logging math numbers operator os os.path pathlib pdb pickle
    platform pprint queue random re secrets shutil signal socket statistics string struct subprocess sys tempfile
    textwrap threading time timeit token tokenize traceback types typing unittest unittest.mock uuid warnings
    weakref fcntl mmap resource select termios zlib encodings.ascii encodings.idna encodings.latin_1
    encodings.utf_8_sig encodings.utf_16 numpy numpy.exceptions numpy.fft numpy.lib.stride_tricks numpy.linalg
    numpy.ma numpy.polynomial numpy.random numpy.testing numpy.typing
"""
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def warm(numpy_home: str) -> list[str]:
    """Import what submissions use, run each part once, and say what an import may read later.

    ``numpy_home`` is the folder that NumPy lies in. It leaves ``sys.path`` again, so that of all that
    is installed beside NumPy nothing can be imported.
    """
    for name in _ONE_THREAD:
        os.environ[name] = "1"
    sys.path.append(numpy_home)
    for name in _MODULES.split():
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # not on this platform or in this version
    _run_once()
    importlib.import_module("work")  # after NumPy, and while our own folder can still be found
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path not in (numpy_home, own)]
    sys.path_importer_cache.clear()
    readable = [os.path.join(numpy_home, name) for name in os.listdir(numpy_home) if name in ("numpy", "numpy.libs")]
    for folder in sys.path:
        if os.path.isdir(folder):
            readable += [os.path.join(folder, name) for name in os.listdir(folder) if "-packages" not in name]
    return readable


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
    np.ma.masked_invalid(numbers)
    np.testing.assert_allclose(numbers, numbers)
    np.nan_to_num(np.broadcast_to(numbers, (2, 4, 4)))
    np.concatenate([numbers, np.stack([numbers])[0]])
    for shown in (numbers, numbers.astype(int), numbers > 0):
        str(shown)
