"""Right implementations are right, wrong ones make their mistake, and a test file is judged by what it tells apart."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from headwork.cli import app
from headwork.draw.certify import stage_for
from headwork.draw.dense import dense_inputs
from headwork.draw.stream import Stream
from headwork.handout.public_test import public_test_py
from headwork.marking.compare import GAP, TOL, relative_distance
from headwork.model import CourseError, Limits, Parameters
from headwork.mutants.catching import Catch, catch_for
from headwork.mutants.implementations import Implementation, also_right, bench_for, right_ones, wrong_ones
from headwork.mutants.trial import Trial, compiled_tests, try_out
from headwork.mutating import Findings, bench_of, functions_spoken_of, mutate
from headwork.rooms import load_content
from headwork.sandbox import open_runner
from headwork.stages import evaluate
from typer.testing import CliRunner

CONTENT = load_content()
EXERCISES = list(CONTENT.exercises.values())
BENCH = bench_for(CONTENT, EXERCISES)
RIGHT = {one.slug: one for one in right_ones(BENCH)}
WRONG = {f"{one.slug} in {one.function}": one for one in wrong_ones(BENCH)}
GOOD = """
import numpy as np
import pytest
from attention import scaled

@pytest.mark.parametrize("d_head", [2, 5, 9])
def test_scores_are_divided_by_the_root(d_head):
    scores = np.arange(12.0).reshape(3, 4) - 5
    assert scaled(scores, d_head) == pytest.approx(scores / np.sqrt(d_head), rel=1e-5)
"""
WEAK = """
from attention import scaled

def test_four():
    assert abs(scaled(8.0, 4) - 4.0) < 1e-6
"""
STRICT = GOOD.replace("rel=1e-5", "rel=1e-12")


@pytest.fixture(scope="module")
def runner():
    with open_runner() as opened:
        yield opened


def functions(source: str) -> dict[str, Any]:
    """Our own files, so they may run here."""
    space: dict[str, Any] = {}
    exec(compile(source, "implementation", "exec"), space)
    return space


@cache
def drawn(chain: str, seed: int) -> dict[str, Any]:
    stream = Stream(f"mutants {chain} {seed}".encode())
    with np.errstate(all="ignore"):
        return evaluate(CONTENT.chains[chain], dense_inputs(stream, CONTENT.chains[chain], Parameters()))


def found(test: str, runner: Any, *exercises: str) -> Findings:
    bench = bench_of(CONTENT, test, [CONTENT.exercises[slug] for slug in exercises])
    *_, findings = mutate(bench, test, runner, limits=Limits(wall=3.0, total=3.0))
    assert isinstance(findings, Findings)
    return findings


def tried(runner: Any, test: str, implementation: str = "reference", **limits: float) -> Trial:
    bounds = Limits(**limits)  # pyright: ignore[reportArgumentType]
    tests = compiled_tests(runner, test, limits=bounds)
    if isinstance(tests, Trial):
        return tests
    source = RIGHT[implementation].source
    return try_out(runner, implementation=source, test=tests, limits=bounds, to_the_end=True)


# --- the implementations ----------------------------------------------------------------------


def distance(source: str, function: Any) -> float:
    """How far a function of a file is from the reference on a dense draw."""
    chain = CONTENT.chains[function.chains[0]]
    values = drawn(chain.slug, 0)
    target = function.target or stage_for(chain, function.name)
    needs = [one.name for one in function.parameters] if function.target else chain.stages[target].needs
    with np.errstate(all="ignore"):
        made = functions(source)[function.name](*copied(values[need] for need in needs))
    return relative_distance(values[target], np.asarray(made))


def copied(values: Iterable[Any]) -> list[Any]:
    return [np.copy(value) if np.ndim(value) else value for value in values]


@cache
def catch(name: str) -> Catch | None:
    return catch_for(BENCH, WRONG[name])


@pytest.mark.parametrize("slug", RIGHT)
def test_right_ones_give_the_reference(slug: str):
    far = {function.name: distance(RIGHT[slug].source, function) for function in BENCH.functions}
    assert {name: off for name, off in far.items() if off > TOL} == {}


@pytest.mark.parametrize("slug", sorted({one.slug for one in WRONG.values()}))
def test_wrong_ones_make_their_mistake_where_it_can_show(slug: str):
    shown = {name: catch(name) for name, one in WRONG.items() if one.slug == slug}
    wrong = [name for name, found in shown.items() if found is not None and not makes(WRONG[name], found)]
    assert wrong == []
    assert any(found is not None for found in shown.values())


def makes(wrong: Implementation, found: Catch) -> bool:
    """Whether the file gives what the mistake gives, on arguments on which that is wrong."""
    function = functions(wrong.source)[wrong.function]
    try:
        with np.errstate(all="ignore"):
            made = np.asarray(function(*copied(found.arguments.values())))
    except Exception:
        return found.wrong is None
    same = relative_distance(np.asarray(found.wrong), made) <= TOL or np.array_equal(found.wrong, made, equal_nan=True)
    return bool(same) and relative_distance(np.asarray(found.right), made) > GAP


def test_nearly_every_mistake_is_in_some_function():
    assert len({one.slug for one in WRONG.values()}) >= 0.9 * len(CONTENT.mistakes)


def test_sources_say_nothing_about_themselves():
    for one in (*RIGHT.values(), *WRONG.values()):
        assert '"""' not in one.source
        assert "#" not in one.source


def test_every_file_of_also_right_is_used():
    assert {"scaled", "weights", "logits"} <= set(also_right(CONTENT))
    assert {slug.split("/")[1] for slug in RIGHT if slug.count("/") == 2} == {
        operation.replace("_", "-") for operation in also_right(CONTENT)
    }


# --- the verdict ------------------------------------------------------------------------------


def test_a_good_test_misses_nothing(runner: Any):
    findings = found(GOOD, runner)
    assert findings.fine
    assert findings.functions == ("scaled",)
    assert len(findings.caught) >= 9


def test_a_weak_test_is_told_an_input_for_each_miss(runner: Any):
    findings = found(WEAK, runner)
    missed = {one.slug: one for one in findings.missed}
    assert "scaled/divided-by-half-of-d-head" in missed
    assert "scaled/not-scaled" in findings.caught
    catch = missed["scaled/divided-by-half-of-d-head"].catch
    call = eval(catch.call(), {"np": np, **functions(RIGHT["reference"].source)})  # ours
    assert relative_distance(np.asarray(catch.right), np.asarray(call)) < 1e-3
    assert catch.arguments["d_head"] != 4


def test_a_test_that_rejects_a_right_answer_is_reported(runner: Any):
    rejected = {one.slug: one.why for one in found(STRICT, runner).rejected}
    assert "right/scaled/in-float32" in rejected
    assert "test_scores_are_divided_by_the_root" in rejected["right/scaled/in-float32"]


@pytest.mark.parametrize("slug", ["scale", "causal-mask", "softmax-rows"])
def test_the_public_checks_catch_every_mistake_of_an_exercise(slug: str, runner: Any):
    findings = found(public_test_py([CONTENT.exercises[slug]], CONTENT), runner, slug)
    assert ([one.slug for one in findings.missed], findings.rejected) == ([], ())
    assert findings.caught


@pytest.mark.slow
def test_the_public_checks_catch_the_whole_bank(runner: Any):
    findings = found(public_test_py(EXERCISES, CONTENT), runner, *CONTENT.exercises)
    assert ([one.slug for one in findings.missed], findings.rejected) == ([], ())


def test_a_test_without_tests_says_nothing(runner: Any):
    with pytest.raises(CourseError, match="no function whose name begins with test"):
        found("from attention import scaled\n", runner)


def test_a_test_that_rejects_the_reference_is_refused(runner: Any):
    with pytest.raises(CourseError, match="do not accept the reference: test_it: AssertionError in line 3"):
        found("from attention import scaled\ndef test_it():\n    assert scaled(1.0, 4) == 1.0\n", runner)


@pytest.mark.parametrize(
    ("test", "names"),
    [
        ("from attention import (\n    scaled,\n    weights as w,\n)", ("scaled", "weights")),
        ("import attention as a\na.scaled(1, 2)", ("scaled",)),
        ("import attention\nattention.weights([1])", ("weights",)),
        ("def test_x(scaled):\n    pass", ("scaled",)),
        ("run('scaled', 1)\nweights(2)", ("scaled", "weights")),
        ("out = 3  # the heads", ()),
    ],
)
def test_functions_are_found_in_the_text(test: str, names: tuple[str, ...]):
    assert functions_spoken_of(test, ("scaled", "weights", "heads", "out")) == names


# --- what a child may do ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("def test_x():\n    while True: pass", "longer than"),
        ("import os\ndef test_x():\n    os._exit(0)", "ended the run"),
        ("import sys\ndef test_x():\n    sys.exit(0)", "SystemExit"),
        ("def test_x(tmp_path):\n    pass", "the fixture tmp_path"),
        ("def test_x(:\n", "line 1 is not Python"),
        ("import nowhere", "ModuleNotFoundError in line 1"),
        ("raise SystemExit", "SystemExit"),
        ("def test_x():\n    np.ones(3)", "NameError in line 2"),
        ("open('/etc/passwd').read()", "PermissionError"),
        ("import numpy as np\nnp.frombuffer = lambda *a: 3\ndef test_x(): pass", ""),
        ("#" * (1 << 18), "was not run"),
    ],
)
def test_no_test_is_accepted_for_what_it_does_to_the_child(test: str, reason: str, runner: Any):
    trial = tried(runner, test, wall=2.0, total=2.0)
    assert not trial.accepts
    assert reason in trial.reason


def test_nothing_is_left_for_the_next_child(runner: Any):
    leaves = "import numpy, attention\ndef test_x():\n    assert not hasattr(numpy, 'seen')\n    numpy.seen = 1\n"
    assert [tried(runner, leaves).accepts for _ in range(3)] == [True] * 3


# --- as pytest would --------------------------------------------------------------------------

SAMPLES = {
    "asserts": "from attention import scaled\ndef test_a():\n    assert scaled(4.0, 4) == 2\ndef test_b():\n    assert 0\n",
    "parametrized": (
        "import pytest\n@pytest.mark.parametrize('a', [1, pytest.param(2, marks=pytest.mark.skip), 3])\n"
        "@pytest.mark.parametrize('b,c', [(1, 2), (3, 4)])\ndef test_p(a, b, c):\n    assert a + b != 4\n"
    ),
    "raises": (
        "import pytest\ndef test_a():\n    with pytest.raises(ValueError, match='b.d') as e:\n        raise ValueError('bad')\n"
        "    assert e.value.args == ('bad',)\ndef test_b():\n    with pytest.raises(ValueError):\n        pass\n"
        "def test_c():\n    with pytest.raises((TypeError, KeyError)):\n        {}['a']\n"
        "def test_d():\n    with pytest.raises(ValueError, match='x'):\n        raise ValueError('bad')\n"
    ),
    "approx": (
        "import numpy as np, pytest\nA = np.arange(3.0)\n"
        "def test_a():\n    assert A + 1e-9 == pytest.approx(A, abs=1e-6)\n"
        "def test_b():\n    assert A == pytest.approx(A + 1e-3)\n"
        "def test_c():\n    assert 0.1 + 0.2 == pytest.approx(0.3)\n"
        "def test_d():\n    assert [1.0, 2.0] == pytest.approx([1.0, 2.0000001])\n"
        "def test_e():\n    assert {'a': 1.0} == pytest.approx({'a': 1.1})\n"
        "def test_f():\n    assert pytest.approx(A) == A\n"
        "def test_g():\n    assert float('nan') == pytest.approx(float('nan'))\n"
        "def test_h():\n    assert float('nan') == pytest.approx(float('nan'), nan_ok=True)\n"
        "def test_i():\n    assert -np.inf == pytest.approx(-np.inf)\n"
        "def test_j():\n    assert np.zeros((2, 3)) == pytest.approx(np.zeros((3, 2)))\n"
        "def test_k():\n    assert A != pytest.approx(A + 1)\n"
        "def test_l():\n    assert 1000.0 == pytest.approx(1000.5, abs=1e-3)\n"
    ),
    "fixtures": (
        "import pytest\nSEEN = []\n@pytest.fixture\ndef one():\n    yield 1\n    SEEN.append('closed')\n"
        "@pytest.fixture(params=[1, 2])\ndef two(request, one):\n    return request.param + one\n"
        "@pytest.fixture(autouse=True)\ndef always():\n    SEEN.append('before')\n"
        "def test_a(one):\n    assert one == 1\ndef test_b(two):\n    assert two == 2\n"
        "def test_c():\n    assert 'closed' in SEEN and 'before' in SEEN\n"
    ),
    "marks": (
        "import pytest\n@pytest.mark.skip(reason='no')\ndef test_a():\n    assert 0\n"
        "@pytest.mark.skipif(True, reason='no')\ndef test_b():\n    assert 0\n@pytest.mark.filterwarnings('ignore')\n"
        "def test_c():\n    pytest.skip('no')\ndef test_d():\n    pytest.fail('yes')\n"
    ),
    "classes": (
        "import unittest\nclass TestIt:\n    def setup_method(self):\n        self.a = 1\n    def test_a(self):\n        assert self.a == 1\n"
        "    def test_b(self):\n        assert self.a == 2\n"
        "class Old(unittest.TestCase):\n    def test_c(self):\n        self.assertEqual(1, 1)\n    def test_d(self):\n        self.assertEqual(1, 2)\n"
    ),
    "built in": (
        "import attention\ndef test_a(capsys):\n    print('x')\n    assert capsys.readouterr().out == 'x\\n'\n"
        "def test_b(monkeypatch):\n    monkeypatch.setattr(attention, 'scaled', 3)\n    assert attention.scaled == 3\n"
        "def test_c():\n    assert attention.scaled != 3\n"
    ),
    "warnings": (
        "import warnings, pytest\ndef test_a():\n    with pytest.warns(UserWarning):\n        warnings.warn('x')\n"
        "def test_b():\n    with pytest.warns(UserWarning):\n        pass\n"
    ),
    "beside the file": (
        "import importlib.util\nfrom pathlib import Path\nFILE = Path(__file__).parent / 'attention.py'\n"
        "def test_a():\n    assert FILE.exists()\n    spec = importlib.util.spec_from_file_location('a', FILE)\n"
        "    module = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(module)\n    assert module.scaled(4.0, 4) == 2\n"
    ),
}


@pytest.fixture(scope="module")
def as_pytest_says(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Sample -> how its tests ended in pytest itself, sorted."""
    folder = tmp_path_factory.mktemp("samples")
    (folder / "attention.py").write_text(RIGHT["reference"].source, encoding="utf-8")
    files = {name: f"test_{number}.py" for number, name in enumerate(SAMPLES)}
    for name, file in files.items():
        (folder / file).write_text(SAMPLES[name], encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--tb=no", "--color=no", "."]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120).stdout
    lines = re.findall(r"^(test_\d+\.py)::.* (PASSED|FAILED|SKIPPED)\b", said, re.MULTILINE)
    return {name: sorted(ended.lower() for found, ended in lines if found == file) for name, file in files.items()}


@pytest.mark.parametrize("name", SAMPLES)
def test_outcomes_are_those_of_pytest(name: str, as_pytest_says: dict[str, list[str]], runner: Any):
    assert sorted(one.ended for one in tried(runner, SAMPLES[name]).tests) == as_pytest_says[name]
    assert as_pytest_says[name]


# --- the command ------------------------------------------------------------------------------


def test_the_command_says_what_is_missed_and_leaves_with_1(tmp_path: Path):
    (tmp_path / "test_weak.py").write_text(WEAK, encoding="utf-8")
    result = CliRunner().invoke(app, ["mutate", str(tmp_path / "test_weak.py")])
    assert result.exit_code == 1
    assert "MISSES scaled/divided-by-half-of-d-head" in result.stdout
    assert "  try scaled(scores=" in result.stdout


def test_the_command_leaves_with_0_where_all_is_caught(tmp_path: Path):
    (tmp_path / "test_good.py").write_text(GOOD, encoding="utf-8")
    result = CliRunner().invoke(app, ["mutate", str(tmp_path / "test_good.py"), "--json", "--exercise", "scale"])
    assert result.exit_code == 0
    record = json.loads(result.stdout)
    assert record["missed"] == record["rejected"] == []
    assert record["functions"] == ["scaled"]
