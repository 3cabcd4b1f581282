"""As much of pytest as tests of stubs need: raises, warns, approx, marks, fixtures.

The first of two cells that a locked child loads; NumPy and the standard library are all there is.
"""

# pyright: basic
# ruff: noqa: D102, D103, D105, D107
# It stands in for an interface that takes anything, and its names are pytest's.

import importlib
import inspect
import io
import os
import re
import types
import warnings
from typing import Any, cast

import numpy as np

# --- how a test ends, other than well ---------------------------------------------------------


class Skipped(BaseException):
    """Raised by pytest.skip and its like."""


class Failed(BaseException):
    """Raised by pytest.fail, and where pytest.raises saw nothing raised."""


class NotHere(Exception):
    """The file uses something of pytest's that is not part of this stand-in."""


def skip(reason="", *, msg="", allow_module_level=False):
    raise Skipped(reason or msg)


def fail(reason="", pytrace=True, *, msg=""):
    raise Failed(reason or msg)


def xfail(reason=""):
    raise Skipped(reason)


def importorskip(name, minversion=None, reason=None):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Skipped(f"{name} is not here") from None


# --- pytest.raises, warns, approx -------------------------------------------------------------


class ExceptionInfo:
    """What pytest.raises gives."""

    value: BaseException

    @property
    def type(self):
        return type(self.value)

    @property
    def tb(self):
        return self.value.__traceback__

    def match(self, pattern):
        assert re.search(pattern, str(self.value)), f"{pattern!r} does not match {str(self.value)!r}"
        return True


class Raises:
    """A context that wants an exception."""

    def __init__(self, expected, match=None):
        self.expected, self.pattern, self.info = expected, match, ExceptionInfo()

    def __enter__(self):
        return self.info

    def __exit__(self, kind, error, trace):
        if kind is None:
            raise Failed(f"DID NOT RAISE {self.expected}")
        if not issubclass(kind, self.expected):
            return False
        self.info.value = error
        if self.pattern is not None:
            self.info.match(self.pattern)
        return True


def raises(expected, *arguments, match=None, **named):
    context = Raises(expected, match)
    if not arguments:
        return context
    with context as info:
        arguments[0](*arguments[1:], **named)
    return info


class Warns:
    """A context that wants a warning."""

    def __init__(self, expected, match=None):
        self.expected, self.pattern = expected, match
        self.catching = warnings.catch_warnings(record=True)

    def __enter__(self):
        self.seen = self.catching.__enter__()
        warnings.simplefilter("always")
        return self.seen

    def __exit__(self, kind, error, trace):
        self.catching.__exit__(kind, error, trace)
        if kind is None and not any(
            issubclass(one.category, self.expected) and re.search(self.pattern or "", str(one.message))
            for one in self.seen
        ):
            raise Failed(f"DID NOT WARN {self.expected}")
        return False


def warns(expected=Warning, *arguments, match=None, **named):
    context = Warns(expected, match)
    if not arguments:
        return context
    with context:
        return arguments[0](*arguments[1:], **named)


def deprecated_call(*arguments, **named):
    return warns(cast(Any, (DeprecationWarning, PendingDeprecationWarning, FutureWarning)), *arguments, **named)


class Approx:
    """Equal to within a relative 1e-6 or an absolute 1e-12, unless told otherwise."""

    __array_ufunc__ = None
    __array_priority__ = 100
    __hash__ = None  # pyright: ignore[reportAssignmentType]  # as pytest's: equal to more than one value

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def __eq__(self, seen):
        return self._same(seen, self.expected)

    def __ne__(self, seen):
        return not self == seen

    def __repr__(self):
        return f"approx({self.expected!r})"

    def _same(self, seen, wanted):
        if isinstance(wanted, dict):
            return set(seen) == set(wanted) and all(self._same(seen[key], wanted[key]) for key in wanted)
        seen, wanted = np.asarray(seen), np.asarray(wanted)
        if seen.shape != wanted.shape and wanted.shape:
            return False
        if wanted.dtype.kind not in "biufc" or seen.dtype.kind not in "biufc":
            return bool(np.all(seen == wanted))
        absolute = 1e-12 if self.abs is None else self.abs
        # As in pytest: an absolute tolerance alone switches the relative one off.
        relative = (1e-6 if self.abs is None else 0.0) if self.rel is None else self.rel
        with np.errstate(all="ignore"):
            finite = np.isfinite(wanted) & np.isfinite(seen)
            near = np.abs(seen - wanted) <= np.maximum(absolute, relative * np.abs(wanted))
            same = np.where(finite, near, seen == wanted)
            if self.nan_ok:
                same = same | (np.isnan(seen) & np.isnan(wanted))
        return bool(np.all(same))


# --- marks and fixtures -----------------------------------------------------------------------


class Param:
    """A set of values with marks."""

    def __init__(self, values, marks, id):
        self.values = values
        self.marks = list(marks) if isinstance(marks, list | tuple) else [marks]
        self.id = id


def param(*values, marks=(), id=None):
    return Param(values, marks, id)


def listed(found):
    return list(found) if isinstance(found, list | tuple) else [found]


class Mark:
    """One mark; it decorates, or is called with its arguments first."""

    def __init__(self, name, arguments=(), named=None):
        self.name, self.arguments, self.named = name, arguments, named or {}

    def __call__(self, *arguments, **named):
        if len(arguments) == 1 and not named and (inspect.isfunction(arguments[0]) or inspect.isclass(arguments[0])):
            marked: Any = arguments[0]
            marked.pytestmark = [*listed(marked.__dict__.get("pytestmark", [])), self]
            return marked
        return Mark(self.name, arguments, named)


class Marks:
    """pytest.mark: any name is a mark."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Mark(name)


class Fixture:
    """A function that prepares a value."""

    def __init__(self, function, named):
        self.function, self.params = function, named.get("params")
        self.autouse, self.name = named.get("autouse", False), named.get("name") or function.__name__


def fixture(function=None, **named):
    if function is None:
        return lambda found: Fixture(found, named)
    return Fixture(function, named)


class MonkeyPatch:
    """The fixture of this name."""

    def __init__(self):
        self.undone = []

    def setattr(self, target, name, *value, raising=True):
        if not value:
            value = (name,)
            module, _, name = target.rpartition(".")
            target = importlib.import_module(module)
        before = target.__dict__.get(name, self)
        if raising and not hasattr(target, name):
            raise AttributeError(name)
        self.undone.append((setattr, target, name, before))
        setattr(target, name, value[0])

    def delattr(self, target, name, raising=True):
        self.undone.append((setattr, target, name, getattr(target, name)))
        delattr(target, name)

    def setitem(self, mapping, name, value):
        self.undone.append((mapping.__class__.__setitem__, mapping, name, mapping.get(name, self)))
        mapping[name] = value

    def setenv(self, name, value, prepend=None):
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        os.environ.pop(name, None)

    def undo(self):
        for put, target, name, value in reversed(self.undone):
            if value is not self:
                put(target, name, value)
            elif put is setattr:
                delattr(target, name)
            else:
                del target[name]
        self.undone.clear()


class Captured:
    """capsys: what was printed since it was last read."""

    def __init__(self):
        self.streams = io.StringIO(), io.StringIO()

    def readouterr(self):
        texts = [stream.getvalue() for stream in self.streams]
        for stream in self.streams:
            stream.seek(0)
            stream.truncate()
        return types.SimpleNamespace(out=texts[0], err=texts[1])


def made_pytest():
    """The stand-in as a module."""
    module: Any = types.ModuleType("pytest")
    module.mark, module.approx, module.ExceptionInfo, module.MonkeyPatch = Marks(), Approx, ExceptionInfo, MonkeyPatch
    for function in (skip, fail, xfail, importorskip, raises, warns, deprecated_call, param, fixture):
        setattr(module, function.__name__, function)
    module.skip.Exception, module.fail.Exception = Skipped, Failed
    module.main = lambda *arguments, **named: 0
    return module
