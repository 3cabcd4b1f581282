"""The built wheel: installed elsewhere, with the tree out of sight, it has its content and runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import headwork
import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.skipif(not os.environ.get("HEADWORK_INSTALLED"), reason="runs where the wheel is under test")
def test_what_is_tested_is_the_installed_package():
    assert "site-packages" in Path(headwork.__file__).parts
    assert not (ROOT / "grader").exists()


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "grader").exists(), reason="the tree is out of sight")
def test_an_installed_wheel_draws_hands_out_and_grades(tmp_path):
    place = tmp_path / "Kurs für Köpfe"
    place.mkdir()
    run(sys.executable, "-m", "build", "--wheel", "--outdir", str(place / "dist"), str(ROOT), cwd=place)
    (wheel,) = (place / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", str(place / "venv"), cwd=place)
    binaries = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(str(binaries / "python"), "-m", "pip", "install", "--quiet", str(wheel), cwd=place)
    command = str(binaries / "headwork")

    assert "softmax-rows" in run(command, "list", cwd=place)
    run(command, "new", "Mein Kurs", cwd=place)
    course = place / "Mein Kurs"
    run(command, "assign", "attention", "--student", "ada", cwd=course)
    run(command, "collect", "attention", "handouts/attention", cwd=course)
    assert "graded 1, unchanged 0, faults 0" in run(command, "grade", "attention", cwd=course)
    run(command, "feedback", "attention", cwd=course)
    assert (course / "feedback" / "ada" / "attention" / "feedback.html").exists()


def run(*words: str, cwd: Path) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout
