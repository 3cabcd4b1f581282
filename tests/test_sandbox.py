"""What the sandbox says of submissions, and what it does when they, or its own processes, go wrong."""

from __future__ import annotations

import json
import marshal
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from headwork.model import (
    Call,
    CourseError,
    GraderFault,
    Killed,
    Limits,
    Missing,
    NotRun,
    Raised,
    Result,
    Returned,
    TimedOut,
    Unusable,
)
from headwork.sandbox import IsolationError, open_runner, tiers
from headwork.sandbox.named import ON_DEMAND, named_in
from headwork.sandbox.processes import ProcessWorker
from headwork.sandbox.progress import Heard
from headwork.sandbox.runner import ChildRunner, Tier
from headwork.sandbox.workers import INSIDE, Place, place
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

X = np.arange(6.0).reshape(2, 3)
QUICK = Limits(wall=0.6, total=6.0)
PATIENT = Limits(wall=20.0, total=40.0)


@pytest.fixture(scope="module", params=["base", "full"] if sys.platform == "linux" else ["limits"])
def runner(request):
    try:
        opened = open_runner(request.param)
    except IsolationError as error:
        if request.param == "base":
            raise
        pytest.skip(str(error))
    with opened:
        yield opened


def run(runner, source, *names, limits=PATIENT, arguments=(X,)):
    cells = [source] if isinstance(source, str) else source
    return runner.run(cells, [Call(function=name, arguments=arguments) for name in names], limits)


def outcome(runner, body, limits=PATIENT):
    return run(runner, f"import numpy as np\ndef f(x):\n    {body}\n", "f", limits=limits).outcomes[0]


# --- what comes back -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "value", "type_name"),
    [
        ("return x * 2", X * 2, "ndarray"),
        ("return x.tolist()", X, "list"),
        ("return 3", np.array(3), "int"),
        ("return np.float32(0.5)", np.float32(0.5), "float32"),
        ("return np.asfortranarray(x)[::-1]", X[::-1], "ndarray"),
        ("return x.astype('>i2')", X.astype("<i2"), "ndarray"),
        ("return x > 2", X > 2, "ndarray"),
        ("return x.astype(np.longdouble)", X, "ndarray"),
        ("return np.empty((0, 3))", np.empty((0, 3)), "ndarray"),
    ],
)
def test_numbers_come_back_as_plain_arrays(runner, body, value, type_name):
    found = outcome(runner, body)
    assert isinstance(found, Returned)
    assert type(found.value) is np.ndarray
    assert found.value.dtype == np.asarray(value).dtype
    assert found.type_name == type_name
    np.testing.assert_array_equal(found.value, value, strict=True)


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("pass", "nothing (None)"),
        ("return 'text'", "text"),
        ("return {'a': x}", "a dict"),
        ("return [[1], [1, 2]]", "a list whose parts have different shapes"),
        ("return (i for i in x)", "a generator"),
        ("return np.array([None])", "objects, not plain numbers"),
        ("return x + 1j", "complex numbers"),
        ("return np.ones(1 << 20)", "a ndarray with far too many numbers"),
    ],
)
def test_other_values_are_named(runner, body, seen):
    assert outcome(runner, body) == Unusable(seen=seen)


def test_an_exception_has_its_line(runner):
    assert outcome(runner, "\n    raise ValueError('no')") == Raised(exception="ValueError", message="no", line=4)


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "MemoryError", "RecursionError"])
def test_exceptions_that_end_programs_end_only_the_call(runner, name):
    found = run(runner, f"def f(x): raise {name}\ndef g(x): return x", "f", "g").outcomes
    assert isinstance(found[0], Raised)
    assert found[0].exception == name
    assert isinstance(found[1], Returned)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("import os; os._exit(0)", Killed(reason="exit")),
        ("import os; os._exit(77)", Killed(reason="exit")),
        ("import ctypes; ctypes.string_at(0)", Killed(reason="signal 11")),
        ("print('a' * 5_000_000)", Killed(reason="output")),
        ("import os; os.write(4, b'x' * 99)", Killed(reason="answers that cannot be read")),
        ("while True: pass", TimedOut(seconds=0.6)),
    ],
)
def test_a_lost_call_costs_only_that_function(runner, body, found):
    source = f"def f(x):\n    {body}\ndef g(x): return x"
    run_ = run(runner, source, "g", "f", "g", "f", "g", limits=QUICK)
    assert [type(o) for o in run_.outcomes] == [Returned, type(found), Returned, type(found), Returned]
    assert run_.outcomes[1] == run_.outcomes[3] == found


def test_memory_is_limited(runner):
    found = outcome(runner, "return np.ones(1 << 40).sum()")
    assert isinstance(found, Raised)
    assert "MemoryError" in found.exception


def test_what_is_printed_is_kept_in_part(runner):
    found = run(runner, "print('é' * 20)\ndef f(x): print('b' * 200_000); return x", "f")
    assert found.printed.startswith("é" * 20 + "\nbbb")
    assert len(found.printed.encode()) == PATIENT.output
    assert isinstance(found.outcomes[0], Returned)


def test_a_missing_function_says_what_came_before(runner):
    found = run(runner, "import no_such_module_at_all\nf = 3", "g", "f").outcomes
    reason = "there is no function `g`; before that, loading the file met ModuleNotFoundError in line 1"
    assert found == (Missing(reason=reason), Missing(reason="`f` is not a function, it is of type int"))


def test_results_are_passed_on_and_a_lost_one_is_blamed(runner):
    calls = [
        Call(function="double", arguments=(X,)),
        Call(function="double", arguments=(Result(0),)),
        Call(function="hang", arguments=(X,)),
        Call(function="double", arguments=(Result(2),)),
        Call(function="double", arguments=(Result(3),)),
        Call(function="double", arguments=(Result(1),)),
    ]
    source = "def double(x):\n    x *= 2\n    return x\ndef hang(x):\n    while True: pass"
    found = runner.run([source], calls, QUICK).outcomes
    np.testing.assert_array_equal(found[1].value, 4 * X)
    np.testing.assert_array_equal(found[5].value, 8 * X)
    assert found[2:5] == (TimedOut(seconds=0.6), NotRun(blame=2), NotRun(blame=2))


def test_an_item_of_a_tuple_can_be_picked(runner):
    calls = [Call(function="f", arguments=(X,), picks=i) for i in (0, 1, 2)]
    calls.append(Call(function="g", arguments=(Result(1), Result(0))))
    found = runner.run(["def f(x): return x, x[:1]\ndef g(k, v): return k + v[:1]"], calls, PATIENT).outcomes
    assert [getattr(o, "value", X[:0]).shape for o in found] == [(2, 3), (1, 3), (0, 3), (1, 3)]
    assert found[2] == Unusable(seen="one value of type tuple, where item 3 of a tuple was wanted")


def test_every_call_has_arguments_of_its_own(runner):
    found = run(runner, "def f(x):\n    x += 1\n    return x", "f", "f").outcomes
    assert [o.changed_arguments for o in found] == [(0,), (0,)]
    np.testing.assert_array_equal(found[1].value, X + 1)


@settings(max_examples=15, deadline=None)
@given(
    stn.arrays(
        st.sampled_from(["<f8", ">f8", "<f4", "<f2", "<i8", "<i4", "|i1", "<u2", "|b1"]),
        stn.array_shapes(min_dims=0, min_side=0, max_dims=4),
    )
)
def test_arrays_survive_the_way_there_and_back(runner, array):
    found = run(runner, "def f(x): return x", "f", arguments=(array,)).outcomes[0]
    np.testing.assert_array_equal(found.value, array)
    assert found.changed_arguments == ()


def test_numbers_arrive_as_what_they_are(runner):
    source = "def f(*a): return [type(v) is t for v, t in zip(a, (int, float, bool, int))]"
    found = run(runner, source, "f", arguments=(3, 2.0, True, np.int64(4))).outcomes[0]
    assert found.value.all()


def test_an_argument_that_cannot_be_sent_is_our_fault(runner):
    with pytest.raises(GraderFault, match="an argument is a dict"):
        run(runner, "", "f", arguments=({},))
    with pytest.raises(GraderFault, match="later call"):
        run(runner, "", "f", arguments=(Result(0),))


# --- loading -------------------------------------------------------------------------------------


def values(found):
    return [isinstance(o, Returned) for o in found.outcomes]


@pytest.mark.parametrize(
    "breaks",
    [
        "1 / 0",
        "import sys; sys.exit()",
        "input('?')",
        "raise KeyboardInterrupt",
        "import matplotlib.pyplot as plt",
        "x =",
    ],
)
def test_an_error_while_loading_costs_only_what_it_touches(runner, breaks):
    source = f"import math\ndef f(x):\n    return x\n\n{breaks}\n\ndef g(x):\n    return x * math.pi\n"
    found = run(runner, source, "f", "g")
    assert values(found) == [True, True]
    assert len(found.load_errors) == 1
    assert found.load_errors[0].line == 5
    assert found.load_errors[0].cell == 0


def test_a_function_that_is_no_python_leaves_the_others(runner):
    source = "import numpy as np\n\n@staticmethod\ndef f(x):\n    return np.exp(x\n\n@np.vectorize\ndef g(x):\n    return x\n"
    found = run(runner, source, "f", "g")
    assert values(found) == [False, True]
    assert found.load_errors[0].exception == "SyntaxError"
    assert "SyntaxError" in found.outcomes[0].reason


def test_cells_share_one_namespace_and_fail_alone(runner):
    cells = ["a = 1\ndef f(x): return x + a", "b = nothing\n", "a = 2", "def g(x): return x["]
    found = run(runner, cells, "f", "g")
    np.testing.assert_array_equal(found.outcomes[0].value, X + 2)
    assert [error.cell for error in found.load_errors] == [1, 3]


def test_a_loop_at_the_end_of_a_file_costs_time_only(runner):
    found = run(runner, "import numpy as np\ndef f(x): return np.exp(x)\nwhile True: pass\ny = f(3)", "f", limits=QUICK)
    assert values(found) == [True]
    assert found.load_errors == (TimedOut(seconds=0.6),)


def test_a_cell_that_hangs_twice_is_left_out(runner):
    hangs = "def forever(f):\n    while True: pass\n@forever\ndef g(x): return x"
    found = run(runner, ["def f(x): return x", hangs], "f", "g", limits=QUICK)
    assert values(found) == [True, False]
    assert "longer than 0.6 s" in found.outcomes[1].reason


def test_dataclasses_and_postponed_annotations_load(runner):
    source = "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\n"
    found = run(runner, source + "1 / 0\ndef f(x: Undefined): return A(2).n * x", "f")
    assert values(found) == [True]


def test_the_whole_submission_has_a_limit(runner):
    names = [f"f{i}" for i in range(9)]
    source = "import time\n" + "\n".join(f"def {name}(x): time.sleep(0.4)" for name in names)
    start = time.monotonic()
    found = run(runner, source, *names, limits=Limits(wall=1.0, total=1.0))
    assert time.monotonic() - start < 5
    assert found.outcomes[-1] == TimedOut(seconds=1.0)


def test_too_much_source_is_not_run(runner):
    assert "not run" in run(runner, "#" * 300_000, "f").outcomes[0].reason


# --- one submission and the next -------------------------------------------------------------------


def test_nothing_of_one_submission_is_left_for_the_next(runner):
    dirty = (
        "import numpy as np, warnings, os, sys, builtins, json\nnp.seterr(all='raise')\nwarnings.simplefilter('error')\n"
        "os.environ['A'] = 'b'\nsys.path.append('x')\nsys.modules['left'] = np\nbuiltins.left = 1\nnp.left = json.left = 1\n"
        "np.set_printoptions(precision=1)\nsys.setrecursionlimit(99)\ndef f(x): return x"
    )
    asks = (
        "import numpy as np, warnings, os, sys, builtins, json\nstate = [np.geterr()['over'] == 'warn', not os.environ,"
        " 'left' not in sys.modules, not hasattr(builtins, 'left'), not hasattr(np, 'left'), not hasattr(json, 'left'),"
        " 'x' not in sys.path, np.get_printoptions()['precision'] == 8, sys.getrecursionlimit() == 1000, os.getcwd() == '/']\n"
        "def f(x): return state"
    )
    assert values(run(runner, dirty, "f")) == [True]
    np.testing.assert_array_equal(run(runner, asks, "f").outcomes[0].value, [True] * 10)


def test_nothing_of_ours_can_be_imported_or_is_open(runner):
    source = (
        "import os, importlib\ndef f(x):\n    found = 0\n    for name in ('headwork', 'sympy', 'pytest', 'nbformat'):\n"
        "        try:\n            importlib.import_module(name)\n            found += 1\n        except ImportError: pass\n"
        "    return found\ndef g(x):\n    found = []\n    for fd in range(64):\n        try:\n            os.fstat(fd)\n"
        "            found.append(fd)\n        except OSError: pass\n    return found"
    )
    found = run(runner, source, "f", "g").outcomes
    assert found[0].value == 0
    assert found[1].value.tolist() == [0, 1, 2, 3, 4]


linux = pytest.mark.skipif(sys.platform != "linux", reason="a zygote is Linux only")


@pytest.fixture(scope="module")
def no_files():
    """As on a kernel without landlock: what is not loaded before cannot be loaded any more."""
    opened = tiers._locked_in(place(), ("base",), landlock=False)
    assert isinstance(opened, ChildRunner), opened
    with opened:
        yield opened


@linux
@pytest.mark.parametrize("name", ON_DEMAND)
def test_a_module_that_is_named_is_there(name, no_files):
    assert values(run(no_files, f"import {name}\ndef f(x): return 1", "f")) == [True]


ORDINARY = """
    np.unique(x); np.median(x); np.nanmedian(x); np.percentile(x, 5); np.quantile(x, 0.5); np.histogram(x, "auto"); np.cov(x); np.isin(x, 1); np.kron(x, x)
    np.polyfit(x[0], x[1], 1); np.poly1d(x[0]); np.matrix(x); np.vectorize(abs)(x); np.pad(x, 1); np.linalg.svd(x)
    np.random.default_rng(0).permutation(3); np.einsum_path('ij,kj', x, x); np.loadtxt(io.StringIO('1 2')); repr(x)
    np.savetxt(io.StringIO(), x); np.savez(io.BytesIO(), x); np.ma.masked_invalid(x); np.testing.assert_allclose(x, x)
    np.char.upper('a'); np.strings.upper('a'); np.rec.array([(1, 2)]); np.polynomial.Polynomial([1]); np.float64(1) / 0
    datetime.datetime.strptime('2026', '%Y'); platform.platform(); copy.deepcopy(x); pickle.dumps(x); random.random()
    unittest.TestCase().assertEqual([x.shape], [x.shape]); unittest.mock.Mock()(); warnings.warn('x'); traceback.format_exc()
    enum.Flag('A', 'B C'); dataclasses.make_dataclass('A', ['b']); inspect.signature(np.median); pathlib.Path('a').match('*')
"""


@linux
@pytest.mark.parametrize("call", [call.strip() for line in ORDINARY.splitlines() for call in line.split(";") if call])
def test_an_ordinary_call_finds_all_that_it_loads_by_itself(call, no_files):
    module = call.split(".")[0].split("(")[0]
    needs = (
        "import unittest.mock, io"
        if module == "unittest"
        else f"import io{'' if module in ('np', 'repr') else ', ' + module}"
    )
    assert values(run(no_files, f"import numpy as np\n{needs}\ndef f(x):\n    {call}\n    return 1", "f")) == [True]


def test_what_few_use_is_not_loaded_for_the_others(runner):
    asks = "import sys\ndef f(x): return [name in sys.modules for name in ('log' + 'ging', 'numpy.test' + 'ing')]"
    assert run(runner, asks, "f").outcomes[0].value.tolist() == [False, False]


@pytest.mark.parametrize("name", ON_DEMAND)
@pytest.mark.parametrize("after", ["", "x = 1", "x = None", "x = 'ab'", "import sys as x"])
def test_a_module_named_in_code_among_the_arguments_is_found(name, after):
    text = f"import {name} as name\n{after}"
    compiled = np.frombuffer(marshal.dumps(compile(text, "test", "exec")), np.uint8)
    for argument in (text, compiled):
        assert name in named_in([], [Call(function="f", arguments=(argument,))])


def test_names_that_are_not_ascii_are_read(runner):
    assert values(run(runner, "def f(x):\n    größe = 1\n    ｆｕｌｌ = größe\n    return full", "f")) == [1]


def test_a_socket_is_refused_and_not_unknown(runner):
    source = (
        "import socket\ndef f(x):\n    try:\n        socket.create_connection(('localhost', 1))\n"
        "    except OSError:\n        return 1\n    return 0"
    )
    assert run(runner, source, "f").outcomes[0].value == 1


@linux
def test_an_ordinary_submission_is_one_fork(runner):
    before = runner._worker._zygote.jobs
    run(runner, "def f(x): return x", *["f"] * 35)
    assert runner._worker._zygote.jobs == before + 1


@linux
def test_memory_is_flat_and_zygotes_are_renewed():
    def memory():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    with open_runner("base") as runner:
        first = runner._worker._zygote.process.pid
        for _ in range(50):
            run(runner, "def f(x): return x", *["f"] * 5)
        before, descriptors = memory(), len(os.listdir("/proc/self/fd"))
        for _ in range(260):
            run(runner, "def f(x): return x", *["f"] * 5)
        assert memory() - before < 2 << 20
        assert len(os.listdir("/proc/self/fd")) <= descriptors
        assert runner._worker._zygote.process.pid != first


@linux
@pytest.mark.parametrize("moment", ["between", "during"])
def test_a_lost_zygote_is_replaced(moment):
    with open_runner("base") as runner:
        victim = runner._worker._zygote.process.pid
        killing = threading.Timer(0.0 if moment == "between" else 0.3, os.kill, (victim, signal.SIGKILL))
        killing.start()
        if moment == "between":
            killing.join()
            time.sleep(0.05)
        found = run(runner, "import time\ntime.sleep(0.6)\ndef f(x): return x", "f")
        assert values(found) == [True]


@linux
def test_our_memory_is_hidden(runner):
    import ctypes

    assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0


# --- tiers -----------------------------------------------------------------------------------------


@linux
def test_all_that_is_tried_is_denied(runner):
    from headwork.sandbox.probe import ATTEMPTS

    assert runner.tier.denied == ATTEMPTS
    assert runner.tier.name in ("base", "full")


@linux
def test_full_has_processes_and_a_network_of_its_own(runner):
    if runner.tier.name != "full":
        pytest.skip("the other tier")
    # Every child is the first in its process namespace; what one started could not outlive it.
    assert values(run(runner, "import os\ndef f(x): return os.getpid() == 1", "f", "f")) == [1, 1]
    assert values(run(runner, "import os\ndef f(x): return os.getppid() == 0", "f")) == [1]
    zygote = f"/proc/{runner._worker._zygote.process.pid}/ns"
    if os.geteuid() == 0:
        for kind in ("net", "ipc", "uts"):
            assert os.readlink(f"{zygote}/{kind}") != os.readlink(f"/proc/self/ns/{kind}")


@linux
def test_auto_takes_a_tier_that_locks_in():
    with open_runner() as opened:
        assert opened.tier.name in ("full", "base")


def test_auto_never_falls_to_limits(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(IsolationError, match=r"(?s)cannot be locked in .* `--isolation limits`"):
        open_runner()


@linux
def test_a_machine_without_an_interpreter_has_no_tier():
    broken = Place(python="/bin/false", numpy="/nowhere", uid=None)
    assert tiers._locked_in(broken, ("full", "base")) == "the zygote has ended"


def test_an_unknown_isolation_is_refused():
    with pytest.raises(CourseError, match="none of auto, full, base, limits"):
        open_runner("strong")


@pytest.mark.parametrize("threads", [False, True])
def test_limits_are_the_same_by_poll_and_by_threads(threads):
    tier = Tier(name="limits", platform="", landlock_abi=0, denied=(), note="")
    with ChildRunner(ProcessWorker(place(), threads=threads), tier) as runner:
        source = "print('hello')\ndef f(x): return x\ndef g(x):\n    while True: pass\ndef h(x): import os; os._exit(5)"
        found = run(runner, source, "f", "g", "h", "f", limits=QUICK)
    assert [type(o) for o in found.outcomes] == [Returned, TimedOut, Killed, Returned]
    assert found.printed.startswith("hello\n")
    assert found.tier == "limits"


# --- the wire --------------------------------------------------------------------------------------


def frame(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<II", len(text), len(body)) + text + body


GOOD = [
    frame({"ready": True}),
    frame({"cell": 0, "errors": []}),
    frame({"call": 0, "dtype": "<f8", "shape": [2], "type": "ndarray", "changed": []}, bytes(16)),
    frame({"end": True}),
]
WORDS = st.sampled_from(
    [
        "ready",
        "cell",
        "call",
        "errors",
        "dtype",
        "shape",
        "type",
        "changed",
        "raised",
        "unusable",
        "missing",
        "<f8",
        "|O",
        "end",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers(-2, 1 << 70) | st.floats() | WORDS
HEADERS = st.dictionaries(
    WORDS,
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=9) | st.dictionaries(WORDS, inner), max_leaves=9),
)


def heard(data):
    listener = Heard(1, [Call(function="f", arguments=(X,), expected_bytes=16)], ())
    listener.feed(data)
    return listener


def test_what_is_allocated_after_the_gaps_are_filled_lies_elsewhere():
    script = (
        f"import sys; sys.path.insert(0, {str(INSIDE)!r}); import gaps; kept = []\n"
        "for size in (48, 64, 256, 512):\n"
        "    before = [bytes(size - 33) for _ in range(800)]\n"
        "    pages = {id(one) >> 12 for one in before}\n"
        "    del before[1::2]\n"
        "    between = [bytes(size - 33) for _ in range(50)]\n"
        "    kept.append(gaps.fill())\n"
        "    after = [bytes(size - 33) for _ in range(50)]\n"
        "    print(*(len(pages & {id(one) >> 12 for one in made}) for made in (between, after)))\n"
    )
    told = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True).stdout
    for line in told.splitlines():
        between, after = map(int, line.split())
        assert between > 0
        assert after <= 1  # the page on which the fillers end


def test_good_frames_are_an_outcome():
    listener = heard(b"".join(GOOD))
    assert listener.ended
    np.testing.assert_array_equal(listener.outcomes[0].value, [0.0, 0.0])


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 4), st.binary(max_size=200) | HEADERS.map(frame), st.integers(0, 40))
def test_no_bytes_break_the_reading(good, bad, cut):
    data = b"".join(GOOD[:good]) + bad
    listener = heard(data[: len(data) - cut] if cut < len(data) else data)
    for outcome_ in listener.outcomes.values():
        assert isinstance(outcome_, Returned | Raised | Unusable | Missing)


@settings(max_examples=100, deadline=None)
@given(
    st.fixed_dictionaries(
        {"call": st.sampled_from([0, True, -1, 1]), "dtype": st.sampled_from(["<f8", "|O8", "<f16", "U4", 3, None])},
        optional={
            "shape": st.lists(st.integers(-3, 1 << 40), max_size=12) | SCALARS,
            "type": SCALARS,
            "changed": SCALARS,
        },
    ),
    st.sampled_from([0, 8, 16, 64]),
)
def test_only_an_array_that_fits_is_believed(header, size):
    listener = heard(GOOD[0] + GOOD[1] + frame(header, bytes(size)))
    if listener.outcomes:
        assert listener.outcomes[0].value.nbytes == size
        assert header["dtype"] == "<f8"
    else:
        assert listener.broken


@pytest.mark.parametrize("shape", [[0, *3 * [1 << 30]], [*3 * [1 << 30], 0]])
def test_an_empty_array_with_impossible_axes_is_not_believed(shape):
    listener = heard(GOOD[0] + GOOD[1] + frame({"call": 0, "dtype": "<f8", "shape": shape}))
    assert listener.broken
    assert not listener.outcomes


def test_the_first_answer_counts():
    second = frame({"call": 0, "dtype": "<f8", "shape": [1], "type": "ndarray"}, struct.pack("<d", 1))
    listener = heard(b"".join(GOOD[:3]) + second)
    assert listener.broken
    assert listener.outcomes[0].value.shape == (2,)


@pytest.mark.parametrize("name", ["x y", "a" * 41, "1,2", "", 3, None])
def test_a_name_that_could_carry_numbers_is_not_kept(name):
    told = {"call": 0, "raised": {"exception": name, "message": 5, "line": -1}}
    listener = heard(GOOD[0] + GOOD[1] + frame(told))
    assert listener.outcomes[0] == Raised(exception="Exception", message="", line=None)
