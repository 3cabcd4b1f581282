"""Tests found and run beside an implementation that they know as ``attention``.

The second of two cells. ``examine`` is called with the source of an implementation and with compiled tests
and gives what the tests said, as JSON in bytes. The child may lie: whoever asks must ask about right and
wrong implementations alike.
"""

# pyright: basic
# ruff: noqa: D102, D103, D107
# Test functions take anything and give nothing; types have little to say here.

import contextlib
import importlib.util
import inspect
import itertools
import json
import marshal
import os
import pathlib
import sys
import types
import unittest
import warnings
from typing import Any, cast

import numpy as np
from submission import (  # pyright: ignore[reportMissingImports]  # the cell before this one
    Captured,
    Failed,
    Fixture,
    MonkeyPatch,
    NotHere,
    Param,
    Skipped,
    listed,
    made_pytest,
)

TEST = "<cell of tests>"
"""What tracebacks call the test file; the sandbox tells lines of files that are called cells."""
MOST_TESTS = 400
MOST_TEXT = 200


# --- finding tests ----------------------------------------------------------------------------


class Case:
    """One test function with one set of values."""

    def __init__(self, name, function, values, marks, maker=None):
        self.name, self.function, self.values, self.marks, self.maker = name, function, values, marks, maker


def collected(module):
    """The cases of a module, in the order of the file."""
    marks = listed(getattr(module, "pytestmark", []))
    for name, member in list(vars(module).items()):
        if inspect.isclass(member) and issubclass(member, unittest.TestCase):
            for method in unittest.TestLoader().getTestCaseNames(member):
                yield Case(f"{name}.{method}", unittest_run(member, method), {}, marks)
        elif inspect.isclass(member) and name.startswith("Test") and "__init__" not in vars(member):
            above = [*marks, *listed(getattr(member, "pytestmark", []))]
            for method in dir(member):
                function = inspect.getattr_static(member, method)
                if method.startswith("test") and inspect.isfunction(function):
                    yield from cases(f"{name}.{method}", function, above, maker=member)
        elif name.startswith("test") and inspect.isfunction(member):
            yield from cases(name, member, marks)


def unittest_run(kind, method):
    def run():
        result = unittest.TestResult()
        kind(method).run(result)
        for _, said in [*result.failures, *result.errors]:
            raise Failed(said.strip().splitlines()[-1])
        if result.skipped and result.testsRun <= len(result.skipped):
            raise Skipped(result.skipped[0][1])

    return run


def cases(name, function, above, maker=None):
    marks = [*above, *listed(getattr(function, "pytestmark", []))]
    sets = [parametrised(mark) for mark in marks if mark.name == "parametrize"]
    for chosen in itertools.product(*sets):
        values = {key: value for found, _, _ in chosen for key, value in found.items()}
        more = [mark for _, extra, _ in chosen for mark in extra]
        label = "-".join(text for _, _, text in chosen)
        yield Case(f"{name}[{label}]" if label else name, function, values, [*marks, *more], maker)


def parametrised(mark):
    names, values = mark.arguments[0], mark.arguments[1] if len(mark.arguments) > 1 else mark.named["argvalues"]
    if mark.named.get("indirect"):
        raise NotHere("parametrize(indirect=...)")
    keys = [key.strip() for key in names.split(",") if key.strip()] if isinstance(names, str) else list(names)
    found = []
    for number, value in enumerate(values):
        marks, label = [], f"{keys[0]}{number}"
        if isinstance(value, Param):
            value, marks, label = value.values if len(keys) > 1 else value.values[0], value.marks, value.id or label
        found.append((dict(zip(keys, value if len(keys) > 1 else [value], strict=True)), marks, label))
    return found


# --- running them -----------------------------------------------------------------------------


def run(case, fixtures, given):
    """Run one case. Raises whatever it raises."""
    for mark in case.marks:
        if mark.name == "skip" or (mark.name == "skipif" and mark.arguments and mark.arguments[0]):
            raise Skipped(mark.name)
    with contextlib.ExitStack() as after:
        made = dict(case.values)
        owner = case.maker() if case.maker else None
        if owner is not None:
            for early, late in (("setup_method", "teardown_method"),):
                call_if_there(owner, early, case.function)
                after.callback(call_if_there, owner, late, case.function)
        for name, found in fixtures.items():
            if found.autouse:
                value_of(name, fixtures, given, made, after, owner)
        wanted = [
            name
            for name, parameter in inspect.signature(case.function).parameters.items()
            if parameter.default is parameter.empty and not (owner is not None and name == "self")
        ]
        arguments = {name: value_of(name, fixtures, given, made, after, owner) for name in wanted}
        xfails = any(mark.name == "xfail" for mark in case.marks)
        try:
            seen = case.function(owner, **arguments) if owner is not None else case.function(**arguments)
        except (Exception, Failed):
            if xfails:
                raise Skipped("xfail") from None
            raise
        if inspect.iscoroutine(seen):
            seen.close()
            raise NotHere("an async test")


def call_if_there(owner, name, argument):
    method = getattr(owner, name, None)
    if method is not None:
        method(argument) if inspect.signature(method).parameters else method()


def value_of(name, fixtures, given, made, after, owner):
    """The value of a fixture, made once per test."""
    if name in made:
        return made[name]
    if name in fixtures:
        found = fixtures[name]
        parameters = inspect.signature(found.function).parameters
        arguments = {
            need: (types.SimpleNamespace(param=made.get(f"param of {name}")) if need == "request"
                   else value_of(need, fixtures, given, made, after, owner))
            for need in parameters if need != "self"
        }  # fmt: skip
        if "self" in parameters:
            arguments["self"] = owner
        value = found.function(**arguments)
        if inspect.isgenerator(value):
            generator, value = value, next(value)
            after.callback(lambda: next(generator, None))
    elif name == "monkeypatch":
        value = MonkeyPatch()
        after.callback(value.undo)
    elif name == "capsys":
        value = Captured()
        after.enter_context(contextlib.redirect_stdout(value.streams[0]))
        after.enter_context(contextlib.redirect_stderr(value.streams[1]))
    elif name in given:
        value = given[name]
    else:
        raise NotHere(f"the fixture {name}")
    made[name] = value
    return value


def with_params(case, fixtures):
    """The case once per value of every fixture with params that it needs."""
    needed, queue = [], [*inspect.signature(case.function).parameters]
    queue += [name for name, found in fixtures.items() if found.autouse]
    while queue:
        name = queue.pop()
        if name in fixtures and name not in needed and name not in case.values:
            needed.append(name)
            queue.extend(inspect.signature(fixtures[name].function).parameters)
    several = [name for name in needed if fixtures[name].params is not None]
    for chosen in itertools.product(*(fixtures[name].params for name in several)):
        values = {f"param of {name}": value for name, value in zip(several, chosen, strict=True)}
        yield Case(case.name, case.function, {**case.values, **values}, case.marks, case.maker)


# --- the module under test, as a file that lies beside the tests ------------------------------


class InMemory:
    """Loads ``attention`` where a test looks for the file ``attention.py``."""

    def __init__(self, source):
        self.code = compile(source, "<attention>", "exec", dont_inherit=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.code, module.__dict__)


def put_beside(source):
    """Make ``attention`` importable, by name and from a file. Returns the module."""
    loader = InMemory(source)
    module = types.ModuleType("attention")
    module.__file__ = "/attention.py"
    sys.modules["attention"] = module
    loader.exec_module(module)
    from_file = importlib.util.spec_from_file_location

    def spec_from_file_location(name, location=None, **rest):
        if location is not None and os.path.basename(str(location)) == "attention.py":
            return importlib.util.spec_from_loader(name, cast(Any, loader), origin="/attention.py")
        return from_file(name, location, **rest)

    importlib.util.spec_from_file_location = spec_from_file_location
    for question in ("exists", "is_file"):
        setattr(pathlib.Path, question, there_too(getattr(pathlib.Path, question)))
    return module


def there_too(asks):
    """The question whether a path is there, answered with yes for the module."""
    return lambda path, **rest: path.name == "attention.py" or asks(path, **rest)


def compiled(test):
    """A test file as code in bytes, so that a long one is not compiled once per implementation.

    The number of a line, where it is not Python there.
    """
    try:
        code = compile(test, TEST, "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 0
    return np.frombuffer(marshal.dumps(code), np.uint8)


def examine(implementation, test, stop, ready):
    """Run the compiled tests ``test`` against ``implementation``; with ``stop``, up to the first that fails.
    With ``ready``, np and pytest need not be imported.

    JSON as bytes: what kept the file from loading (or ""), and per test its name, how it ended and why.
    """
    dumps = json.dumps
    load, tests, found, fixtures, given = "", [], [], {}, {}
    try:
        sys.modules["pytest"] = made_pytest()
        given = {name: value for name, value in vars(put_beside(implementation)).items() if inspect.isfunction(value)}
        module = types.ModuleType("test_file")
        module.__file__ = "/test_file.py"
        if ready:
            module.__dict__.update(np=np, pytest=sys.modules["pytest"])
        sys.modules["test_file"] = module
        exec(marshal.loads(test.tobytes()), module.__dict__)
        fixtures = {found.name: found for found in vars(module).values() if isinstance(found, Fixture)}
        found = [made for case in collected(module) for made in with_params(case, fixtures)][:MOST_TESTS]
        call_if_there(module, "setup_module", module)
    except BaseException as error:
        load = told(error)
    for case in found:
        ended, why = "passed", ""
        try:
            with warnings.catch_warnings():
                run(case, fixtures, given)
        except Skipped:
            ended = "skipped"
        except BaseException as error:
            ended, why = "failed", told(error)
        tests.append([case.name[:MOST_TEXT], ended, why])
        if stop and ended == "failed":
            break
    return np.frombuffer(dumps({"load": load, "tests": tests}).encode("ascii"), np.uint8)


def told(error):
    """Kind, line and first words of an exception."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == TEST:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error).strip().split("\n")[0]
    except BaseException:
        text = ""
    where = f" in line {line}" if line else ""
    return f"{type(error).__name__}{where}{': ' if text else ''}{text}"[:MOST_TEXT]
