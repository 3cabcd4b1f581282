"""The public checks run with NumPy and pytest alone, let every right way pass, and catch known mistakes."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest
from headwork.checking import mistaken_source
from headwork.demo_class import STYLES
from headwork.draw.certify import code_scope, in_scope, stage_for
from headwork.handout.asked import asked_functions
from headwork.handout.public_test import public_test_py
from headwork.handout.stubs import attention_py
from headwork.mistakes import applicable
from headwork.model import ComposePart
from headwork.mutants.compositions import mistaken_composition
from headwork.solution_file import solution_source
from sheets import SLUGS, content
from test_handout import files_of

CASES = Path(__file__).parent / "cases"


@cache
def compiled(slug: str) -> CodeType:
    return compile(public_test_py([content().exercises[slug]], content()), "test_public.py", "exec")


def checks_of(slug: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "test_public", "__file__": "/nowhere/test_public.py"}
    exec(compiled(slug), space)
    return space


def complaints(space: dict[str, Any], source: str, *, only: str = "") -> list[str]:
    written: dict[str, Any] = {}
    exec(source, written)
    space["FUNCTIONS"].clear()
    space["FUNCTIONS"].update(written)
    return list(_failing(space["CHECKS"], only))


def _failing(checks: dict[str, Any], only: str) -> Iterator[str]:
    for name, tests in checks.items():
        for test in tests if name == only or not only else ():
            try:
                with np.errstate(all="ignore"):
                    test()
            except Exception as error:
                yield f"{test.__name__}: {error}"


# --- as a student runs them -------------------------------------------------------------------


def run_pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    """pytest in ``folder``, where headwork cannot be imported."""
    blocked = folder / "blocked" / "headwork"
    blocked.mkdir(parents=True)
    (blocked / "__init__.py").write_text("raise ImportError('headwork is not here')\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        "test_public.py",
    ]
    environment = {**os.environ, "PYTHONPATH": str(blocked.parent), "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_solutions_pass_without_headwork(tmp_path: Path) -> None:
    exercises = list(content().exercises.values())
    (tmp_path / "test_public.py").write_text(public_test_py(exercises, content()), encoding="utf-8")
    (tmp_path / "attention.py").write_text(solution_source(content(), exercises), encoding="utf-8")
    done = run_pytest(tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]


def test_stubs_fail_without_headwork(tmp_path: Path) -> None:
    files = files_of("causal-mask")
    for name in ("test_public.py", "attention.py"):
        (tmp_path / name).write_text(files[name], encoding="utf-8")
    done = run_pytest(tmp_path)
    assert done.returncode == 1
    assert "passed" not in done.stdout.splitlines()[-1]
    assert "NotImplementedError" in done.stdout


def test_a_worked_notebook_is_checked_without_an_attention_py(tmp_path: Path) -> None:
    files = files_of("scale", form="notebook")
    notebook = json.loads(files["hw1.ipynb"])
    for cell in notebook["cells"]:
        if cell["metadata"].get("headwork", {}).get("role") == "solution":
            cell["source"] = "%matplotlib inline\n" + solution_source(content(), [content().exercises["scale"]])
    (tmp_path / "hw1.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (tmp_path / "test_public.py").write_text(files["test_public.py"], encoding="utf-8")
    done = run_pytest(tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_file_imports_numpy_and_the_standard_library_only(slug: str) -> None:
    tree = ast.parse(public_test_py([content().exercises[slug]], content()))
    names = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    names |= {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names - set(sys.stdlib_module_names) == {"numpy"}


# --- right ways pass, mistakes do not ---------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_the_solution_passes(slug: str) -> None:
    assert complaints(checks_of(slug), solution_source(content(), [content().exercises[slug]])) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_every_check_fails_on_the_stub(slug: str) -> None:
    space = checks_of(slug)
    failed = complaints(space, attention_py([content().exercises[slug]], content()))
    assert len(failed) == sum(len(tests) for tests in space["CHECKS"].values())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", SLUGS)
def test_other_right_ways_pass(slug: str, style: str) -> None:
    source = solution_source(content(), [content().exercises[slug]], instead=STYLES[style])
    assert complaints(checks_of(slug), source) == []


def isolated_mistakes() -> Iterator[tuple[str, str, str]]:
    """Exercise, operation and mistake, wherever the mistake fits into the function that is asked."""
    for slug, exercise in content().exercises.items():
        for asked in asked_functions(content(), [exercise]):
            if asked.target is None:
                chain = content().chains[asked.chains[0]]
                stage = stage_for(chain, asked.name)
                for mistake in content().mistakes_of(chain):
                    needs = frozenset(chain.stages[stage].needs)
                    if mistake.target == asked.name and applicable(chain, mistake, needs, stage=stage):
                        yield slug, asked.name, mistake.slug


@pytest.mark.parametrize("slug", sorted({slug for slug, _, _ in isolated_mistakes()}))
def test_mistakes_in_single_functions_are_caught(slug: str) -> None:
    space = checks_of(slug)
    missed = [
        mistake
        for found, name, mistake in isolated_mistakes()
        if found == slug and not complaints(space, _mistaken(slug, name, mistake), only=name)
    ]
    assert missed == []


def _mistaken(slug: str, name: str, mistake: str) -> str:
    exercise = content().exercises[slug]
    chain = content().chains[next(one for one in asked_functions(content(), [exercise]) if one.name == name).chains[0]]
    operation = chain.stages[stage_for(chain, name)].operation
    return mistaken_source(content(), [exercise], operation, content().mistakes[mistake])


def composed_parts() -> Iterator[tuple[str, ComposePart]]:
    for slug, exercise in content().exercises.items():
        yield from ((slug, part) for part in exercise.parts if isinstance(part, ComposePart))


# In self-attention the asking sequence is the one that is read; no mask is asked for in cross-attention.
SELF_ATTENTION = {"k/taken-from-the-asking-sequence", "v/taken-from-the-asking-sequence"}
INVISIBLE: dict[str, set[str]] = {
    "cross_attention": {"heads/future-mixed-in", "weights/mask-left-out"},
    "multi_head_attention": SELF_ATTENTION,
    "stacked_attention": SELF_ATTENTION,
    "attention_backward": SELF_ATTENTION,
    "decode": set(),
    "prefill_and_decode": set(),
}


@pytest.mark.parametrize(("slug", "part"), [pytest.param(*found, id=found[1].name) for found in composed_parts()])
def test_mistakes_inside_a_composed_function_are_caught(slug: str, part: ComposePart) -> None:
    exercise, chain = content().exercises[slug], content().chains[part.chain]
    asked = next(one for one in asked_functions(content(), [exercise]) if one.name == part.name)
    right = solution_source(content(), [exercise])
    space = checks_of(slug)
    missed: set[str] = set()
    for found in in_scope(content(), chain.slug, code_scope(chain, part)):
        wrong = mistaken_composition(asked, chain, found.mistake)
        assert wrong is not None, found.mistake.slug
        if not complaints(space, f"{right}\n\n{wrong}", only=part.name):
            missed.add(found.mistake.slug)
    assert missed == INVISIBLE[part.name]


def test_every_mistake_of_the_bank_is_caught_by_the_checks_of_some_exercise() -> None:
    alone = {mistake for _, _, mistake in isolated_mistakes()}
    composed = {
        found.mistake.slug
        for _, part in composed_parts()
        for found in in_scope(content(), part.chain, code_scope(content().chains[part.chain], part))
        if found.mistake.slug not in INVISIBLE[part.name]
    }
    assert alone | composed == set(content().mistakes)


# --- what they say ----------------------------------------------------------------------------


def say(slug: str, body: str) -> str:
    source = "import numpy as np\n" + body
    return "\n".join(complaints(checks_of(slug), source))


def test_a_factor_is_named_by_the_size_it_is_made_of() -> None:
    said = say("scale", "def scaled(scores, d_head): return scores / d_head")
    assert "scaled: wrong values; the shape is right (T_q=4, T_k=4)" in said
    assert "worst at t=" in said
    assert "yours / expected = 0.4472 everywhere, which is 1/sqrt(d_head) for d_head=5" in said


def test_a_softmax_down_the_columns_is_told_from_one_along_the_rows() -> None:
    body = "def weights(logits):\n    e = np.exp(logits)\n    return e / e.sum(axis=-2, keepdims=True)"
    assert "Your columns sum to 1; the rows should." in say("softmax-rows", body)


def test_a_reading_of_the_future_is_told_as_such() -> None:
    exercise = content().exercises["multi-head-attention"]
    everything = {"visible": "return np.ones((T, T), dtype=bool)"}
    said = complaints(checks_of("multi-head-attention"), solution_source(content(), [exercise], instead=everything))
    assert "multi_head_attention: an earlier position reads a later one" in "\n".join(said)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("def scaled(scores, d_head): pass", "nothing came back (None); is there a return?"),
        ("def scaled(scores, d_head): return 'x'", "numbers expected, got text"),
        ("def scaled(scores, d_head): return scores[0]", "wrong shape"),
        ("def scaled(scores, d_head): return scores * np.nan", "a value is not finite"),
        ("def other(): pass", "there is no function of this name"),
    ],
)
def test_other_failures_are_said_in_words(body: str, words: str) -> None:
    assert words in say("scale", body)


def test_two_numbers_never_look_alike_in_a_message() -> None:
    # Case E03: right up to a relative error of 4e-4, and numbers as text.
    space = checks_of("softmax-rows")
    case: dict[str, Any] = {}
    exec((CASES / "E03-unreadable-difference" / "hw3_attention.py").read_text(encoding="utf-8"), case)
    reference = np.full((2, 2), 0.5)
    with pytest.raises(
        AssertionError, match=r"worst at t=0 s=0: yours 0\.5002, expected 0\.5\n.* = 1\.0004 everywhere"
    ) as told:
        space["same"]("softmax", case["softmax"](np.zeros((2, 2))), reference, axes="T T", sizes={})
    with pytest.raises(AssertionError, match="numbers expected, got text"):
        space["same"]("attention_scores", case["attention_scores"](reference, reference), reference, "T T", {})
    assert "wrong values; the shape is right (T=2, T=2)" in str(told.value)


def test_the_self_check_of_a_notebook_prints_and_does_not_raise(capsys: pytest.CaptureFixture[str]) -> None:
    space = checks_of("scale")

    def scaled(scores: Any, d_head: int) -> Any:
        return scores / d_head

    space["check"](scaled)
    printed = capsys.readouterr().out
    assert "scaled: wrong values" in printed
    assert f"scaled: 0 of {len(space['CHECKS']['scaled'])} checks passed" in printed
