"""Coverage-guided strings for the reader: every one ends in a value or in an Invalid, within 50 ms.

python bench/fuzz_guided.py [-atheris_runs=100000]     (needs: pip install atheris)
"""

from __future__ import annotations

import sys
import time

import atheris

with atheris.instrument_imports(include=["headwork.answers"]):
    from headwork.answers.matrices import read_matrix
    from headwork.answers.reader import read
    from headwork.answers.tokens import Grammar

SLOWEST = 0.050
GRAMMARS = (
    Grammar(),
    Grammar(decimal_comma=True, infinity=True),
    Grammar(symbols={"p_1": "positive", "g_2": "real", "d_head": "positive"}),
)


def one(data: bytes) -> None:
    """Read one string in every grammar; an exception or a slow reading is a finding."""
    text = atheris.FuzzedDataProvider(data).ConsumeUnicodeNoSurrogates(400)
    for grammar in GRAMMARS:
        for reader in (read, read_matrix):
            started = time.thread_time()
            reader(text, grammar)
            took = time.thread_time() - started
            if took > SLOWEST:
                raise RuntimeError(f"{took:.3f} s for {text!r}")


if __name__ == "__main__":
    arguments = sys.argv if len(sys.argv) > 1 else [*sys.argv, "-atheris_runs=100000"]
    atheris.Setup(arguments, one)
    atheris.Fuzz()
