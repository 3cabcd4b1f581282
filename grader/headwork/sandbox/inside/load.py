"""Loading the cells of a submission into one namespace, so that an error costs only what it touches.

A cell is compiled as a whole. Where that fails, its top-level blocks are compiled one by one; where it
stops with an exception, it goes on with the statements after that. Runs in the child, under its limits.
"""

from __future__ import annotations
import __future__

import ast
import re
import sys
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any

MOST_ERRORS = 8
"""After so many in one cell, the rest of it is left out."""
_TOP_LEVEL = re.compile(r"[^\s#)\]}]")
_CONTINUES = re.compile(r"(else|elif|except|finally)\b")
_POSTPONED = __future__.annotations.compiler_flag
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
NAME = "submission"


def namespace() -> dict[str, Any]:
    """Where the submission lives: a module, which dataclasses and typing look for by its name."""
    module = sys.modules[NAME] = ModuleType(NAME)
    return vars(module)


def file_name(cell: int) -> str:
    """What tracebacks call cell number ``cell``."""
    return f"<cell {cell + 1}>"


def load(cell: int, source: str, names: dict[str, Any], *, definitions_only: bool) -> Iterator[BaseException]:
    """Run one cell in ``names`` and yield what went wrong.

    ``definitions_only`` is the second try at a cell that ran into the time limit.
    """
    left = MOST_ERRORS
    for code, text, flags in _pieces(cell, source):
        if isinstance(code, BaseException):
            yield code
            continue
        after = 0
        if definitions_only:
            code = _code(text, cell, flags, after=after, definitions_only=True)
        while left:
            try:
                exec(code, names)
                break
            except BaseException as error:
                yield error
                left -= 1
                line = line_of(error, cell)
                if line is None:
                    break
                after = max(line, after + 1)
                code = _code(text, cell, flags, after=after, definitions_only=definitions_only)


def _pieces(cell: int, source: str) -> Iterator[tuple[CodeType | BaseException, str, int]]:
    """The cell as code, its text, and the flags to compile it with; an error and its blocks where it is not Python."""
    try:
        code = compile(source, file_name(cell), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        yield error, "", 0
    else:
        yield code, source, code.co_flags & _POSTPONED
        return
    flags = _POSTPONED if "from __future__ import annotations" in source else 0
    for block in _blocks(source):
        try:
            yield compile(block, file_name(cell), "exec", flags, dont_inherit=True), block, flags
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue  # the first error of the cell was told


def _code(text: str, cell: int, flags: int, *, after: int, definitions_only: bool) -> CodeType:
    """The statements that begin below line ``after``."""
    tree = compile(text, file_name(cell), "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    body = [node for node in tree.body if node.lineno > after and (_defines(node) or not definitions_only)]
    return compile(ast.Module(body, []), file_name(cell), "exec", flags, dont_inherit=True)


def _defines(node: ast.stmt) -> bool:
    """Whether a statement only gives names to functions, classes, modules or plain values."""
    if isinstance(node, _DEFINITIONS):
        return True
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    return not any(isinstance(part, ast.Call) for part in ast.walk(node))


def _blocks(source: str) -> Iterator[str]:
    """Top-level statements, found by indentation alone, each at its own line number."""
    lines = source.splitlines(keepends=True)
    start = 0
    decorated = False
    for number, line in enumerate(lines):
        if not _TOP_LEVEL.match(line) or _CONTINUES.match(line):
            continue
        if not decorated and number > start:
            yield "\n" * start + "".join(lines[start:number])
            start = number
        decorated = line.startswith("@")
    yield "\n" * start + "".join(lines[start:])


def line_of(error: BaseException, cell: int | None = None) -> int | None:
    """The line of ``cell`` that ``error`` came through: the outermost for a cell, else the innermost."""
    found: int | None = None
    if isinstance(error, SyntaxError) and error.__traceback__ is not None and error.filename is not None:
        found = error.lineno if str(error.filename).startswith("<cell ") else None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if cell is not None:
            if name == file_name(cell) and trace.tb_frame.f_code.co_name == "<module>":
                return trace.tb_lineno
        elif name.startswith("<cell "):
            found = trace.tb_lineno
        trace = trace.tb_next
    return found
