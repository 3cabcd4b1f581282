"""How fast, and in how much memory. One command prints the table:

    python bench/run.py [--quick]

Times are CPU (user and system, children included) unless a line says wall clock.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys

# Read by OpenBLAS when it is loaded: one thread, and no tuning that a machine's owner has set. Installed packages have
# their byte code beside them, so ours is kept as well.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONDONTWRITEBYTECODE")


def main() -> None:
    quick = "--quick" in sys.argv
    wanted = {**{name: value for name, value in os.environ.items() if name not in UNSET}, **ONE_THREAD}
    if wanted != dict(os.environ):
        raise SystemExit(subprocess.run([sys.executable, *sys.argv], env=wanted, check=False).returncode)

    import drawing
    import grading
    import numpy
    import start_up

    print(
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, {os.cpu_count()} cores, {platform.machine()}"
    )
    print(f"load average at the start {os.getloadavg()[0]:.1f} (on a busy machine only the ratios mean something)")
    sections = {
        "Starting": start_up.lines(5 if quick else 21),
        "Drawing, with certificate": drawing.lines(3 if quick else 20),
        "Grading the sample assignment, a submission": grading.lines(1 if quick else 7),
        "Memory": grading.memory_lines(240 if quick else 1000),
    }
    for title, found in sections.items():
        print(f"\n{title}")
        for line in found:
            print(f"  {line}", flush=True)


if __name__ == "__main__":
    main()
