"""What students hand in as notebooks: the release with their work in it, and what goes wrong on the way."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwork.collect.lines import statements
from headwork.course import Course
from headwork.demo import right_answers
from headwork.solution_file import solution_source

CASES = Path(__file__).resolve().parent.parent / "cases"
ATTACKS = Path(__file__).resolve().parent.parent / "hostile" / "attacks"

ZEROS = "def {name}(*arguments):\n    return np.zeros((2, 2))"
INPUT_TRANSFORMER = (
    'ip = get_ipython()\nip.input_transformers_cleanup.append(lambda lines: [l for l in lines if "assert" not in l])\n'
)
MESSY = (
    "!pip install attention\n%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
    "name = input('your name? ')\nfrom google.colab import drive\n"
)


def grade_id(cell: Mapping[str, Any]) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def functions_of(course: Course, name: str, *, instead: Mapping[str, str] | None = None) -> dict[str, str]:
    """Right code by function, some of it replaced."""
    source = solution_source(course.content(), course.assignment(name).exercises, instead=instead)
    pieces = [piece.strip() for piece in statements(source) if piece.startswith("def ")]
    return {piece[4 : piece.index("(")]: piece for piece in pieces}


def answers_of(course: Course, name: str, student: str) -> dict[str, str]:
    """Right typed answers by grade id."""
    typed = tomllib.loads(right_answers(course, course.assignment(name), student))
    return {f"answer-{slug}--{key}": text for slug, fields in typed.items() for key, text in fields.items()}


def worked(release: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The released notebook with these texts in its cells."""
    notebook = copy.deepcopy(dict(release))
    for cell in notebook["cells"]:
        if grade_id(cell) in texts:
            cell["source"] = texts[grade_id(cell)]
    return notebook


def code_cell(source: str, name: str = "extra") -> dict[str, Any]:
    cell = {"cell_type": "code", "id": name, "metadata": {}, "source": source}
    return {**cell, "outputs": [], "execution_count": None}


def tampered(notebook: dict[str, Any]) -> dict[str, Any]:
    """Copied, retyped, moved, edited and lost cells; the work in it stays right."""
    cells = notebook["cells"]
    solution = next(cell for cell in cells if grade_id(cell) == "scaled")
    wrong_first = {**copy.deepcopy(solution), "id": "copy-1", "source": ZEROS.format(name="scaled")}
    test = next(cell for cell in cells if grade_id(cell) == "test-scale--scaled")
    copied_test = {**copy.deepcopy(test), "id": "copy-2"}
    for cell in cells:
        if grade_id(cell).startswith("test-"):
            cell["source"] = "pass"
            cell["metadata"]["nbgrader"] |= {"points": 500, "schema_version": 99, "locked": False}
        if grade_id(cell) == "weights":
            cell["cell_type"] = "raw"
            cell["metadata"]["nbgrader"]["cell_type"] = "raw"
            cell.pop("outputs")
            cell.pop("execution_count")
    lost = {"test-mix-values--heads", "problem-scale"}
    kept = [cell for cell in cells if grade_id(cell) not in lost]
    moved = [cell for cell in kept if grade_id(cell) == "project"]
    notebook["cells"] = [wrong_first, *[cell for cell in kept if cell not in moved], copied_test, *moved]
    return notebook


def as_file(notebook: Mapping[str, Any]) -> bytes:
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode()


def attack_source(name: str) -> str:
    """The solution cell of one of the attack notebooks."""
    path = next(ATTACKS.glob(f"{name}_*.ipynb"))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return "".join(next(cell["source"] for cell in notebook["cells"] if grade_id(cell) == "attention"))
