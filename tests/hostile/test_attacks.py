"""Every attack against the sandbox: no mark, no trace, and the next submission gets what it deserves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from headwork.model import Call, Limits, Returned
from headwork.sandbox import IsolationError, open_runner

sys.path.insert(0, str(Path(__file__).parent))
import lab as labs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="locking in is Linux only")
QUICK = Limits(wall=0.7, total=2.0)
PATIENT = Limits(wall=20.0, total=40.0)
LIGHTER = [name for name in labs.attacks("ABDF") if name not in ("B36_cancel_alarm.py", "B40_slow_result.py")]


@pytest.fixture(scope="module")
def lab():
    made = labs.Lab()
    os.environ["AG_CANARY"] = repr(labs.WANTED[0].tolist())
    yield made
    del os.environ["AG_CANARY"]
    made.close()


@pytest.fixture(scope="module")
def canary():
    """What an attack on our memory looks for."""
    return b"AG-CANARY" + b"-EXPECTED:" + labs.WANTED[0].tobytes()


@pytest.fixture(scope="module")
def base():
    with open_runner("base") as runner:  # on Linux this must hold; nothing is skipped
        yield runner


@pytest.fixture(scope="module")
def full():
    try:
        runner = open_runner("full")
    except IsolationError as error:
        pytest.skip(str(error))
    with runner:
        yield runner


def marks(runner, source, limits):
    calls = [Call(function="attention", arguments=tuple(case), expected_bytes=256) for case in labs.CASES]
    run = runner.run([source], calls, limits)
    right = [
        isinstance(outcome, Returned)
        and outcome.value.shape == wanted.shape
        and np.allclose(outcome.value, wanted, rtol=1e-5)
        for outcome, wanted in zip(run.outcomes, labs.WANTED, strict=True)
    ]
    return sum(right), run


def left_over(runner):
    """Processes that a submission has left behind: the zygote adopts them, however often they were forked."""
    zygote = runner._worker._zygote.process.pid
    return Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split()


def hold_against(name, runner, lab):
    expected = labs.expectation(name)
    before = lab.state()
    got, run = marks(runner, lab.source(name), PATIENT if expected == "full" else QUICK)
    assert expected == "any" or got == {"zero": 0, "full": 3}[expected], run
    assert lab.state() == before
    assert lab.arrived() == []
    assert "AG-ESCAPE" not in run.printed
    assert left_over(runner) == []
    assert marks(runner, labs.HONEST, PATIENT)[0] == 3


@pytest.mark.parametrize("name", labs.attacks("ABCDF"))
def test_base_holds_against(name, base, lab, canary):
    hold_against(name, base, lab)


@pytest.mark.parametrize("name", LIGHTER)
def test_full_holds_against(name, full, lab, canary):
    hold_against(name, full, lab)


@pytest.mark.parametrize("name", labs.attacks("AD"))
def test_a_filter_without_files_holds_against(name, without_landlock, lab, canary):
    hold_against(name, without_landlock, lab)


@pytest.fixture(scope="module")
def without_landlock():
    """As on a kernel that has no landlock."""
    from headwork.sandbox.tiers import _locked_in
    from headwork.sandbox.workers import place

    runner = _locked_in(place(), ("base",), landlock=False)
    assert not isinstance(runner, str), runner
    assert runner.tier.landlock_abi == 0
    with runner:
        yield runner


@pytest.mark.slow
def test_base_holds_for_a_grader_that_is_not_root():
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become somebody else")
    reading = ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]  # the interpreter may be root's
    ordinary = ["setpriv", "--reuid", "61234", "--regid", "61234", "--clear-groups", *reading]
    picked = "base_holds_against and (A0 or A1 or A2 or B0 or B3 or D)"
    test = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", picked]
    found = subprocess.run([*ordinary, *test], capture_output=True, text=True, check=False, cwd="/")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
def test_a_naive_grader_falls_for_many_of_them(lab):
    if os.geteuid() != 0:
        pytest.skip("attacks run unlocked here, as a user that nobody is")
    fallen = [name for name in LIGHTER if naive_grader_falls_for(name, lab)]
    assert len(fallen) >= 18, fallen


def naive_grader_falls_for(name, lab):
    """Run, compared and counted in one process, the last line that looks like a score wins."""
    before = lab.state()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        naive_grader(lab, name, writer)
    os.close(writer)
    printed = b""
    while part := os.read(reader, 1 << 16):
        printed += part
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    changed = lab.state() != before or bool(lab.arrived()) or b"AG-ESCAPE" in printed
    scores = [line.partition(b'"score": ')[2] for line in printed.splitlines() if b'"score": ' in line]
    points = scores[-1][:1] != b"0" if scores else status == 0
    wrong = points != (labs.expectation(name) == "full") and labs.expectation(name) != "any"
    for path in lab.folder.rglob("*"):
        if path.is_file() and str(path.relative_to(lab.folder)) not in before:
            path.unlink()
    return changed or wrong


def naive_grader(lab, name, printed):
    """Never returns. It is a child of the tests, so that the attacks have a user of their own to be."""
    import resource

    status = 1
    try:
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        os.closerange(3, 256)
        os.setsid()
        os.chdir(lab.folder / "results")
        for limit, most in ((resource.RLIMIT_CPU, 5), (resource.RLIMIT_NPROC, 20), (resource.RLIMIT_FSIZE, 1 << 20)):
            resource.setrlimit(limit, (most, most))
        os.setgroups([])
        os.setresgid(61235, 61235, 61235)
        os.setresuid(61235, 61235, 61235)
        names = {}
        exec(compile(lab.source(name), name, "exec"), names)
        expected = [labs.reference(*case) for case in labs.CASES]
        passed = 0
        for case, wanted in zip(labs.CASES, expected, strict=True):
            passed += bool(np.allclose(names["attention"](*case), wanted))
        os.write(1, b'{"score": %d}\n' % passed)
        status = 0
    finally:
        os._exit(status)
