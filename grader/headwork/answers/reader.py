"""The reader of typed expressions: any text ends in a Reading or in an Invalid that points at a character."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .characters import Plain, Refused, plain
from .literals import number_of, signed
from .parser import MAX_DEPTH, parsed
from .tokens import Grammar
from .tree import Constant, Tree, depth, everything, infinite, show
from .wrapping import unwrap

MAX_LENGTH = 2000
PLAIN_GRAMMAR = Grammar()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An answer that was read: its tree, and the canonical text to show back."""

    tree: Tree
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """An answer that was not read: why, at which character (from 0), and what was read before it."""

    message: str
    at: int
    so_far: str = ""
    typed: str = ""

    def pointed(self) -> str:
        """The message with the line of the answer and a mark under the character."""
        start = self.typed.rfind("\n", 0, self.at) + 1
        end = self.typed.find("\n", start)
        line = self.typed[start : end if end >= 0 else None]
        column = self.at - start
        left = max(0, column - 30)
        shown = "".join(each if each.isprintable() else " " for each in line[left : column + 30])
        lines = [f"cannot be read at character {self.at + 1}: {self.message}"]
        if shown.strip():
            lines += [f"  {shown}", f"  {' ' * (column - left)}^"]
        if self.so_far:
            lines.append(f"  read so far: {self.so_far}")
        return "\n".join(lines)


def read(answer: str, grammar: Grammar = PLAIN_GRAMMAR) -> Reading | Invalid:
    """Read one typed expression. Any text at all ends in a Reading or an Invalid."""
    if len(answer) > MAX_LENGTH:
        return Invalid(message=f"longer than {MAX_LENGTH} characters", at=MAX_LENGTH, typed=answer[:MAX_LENGTH])
    try:
        tree = read_plain(unwrap(plain(answer)), grammar)
        return Reading(tree=tree, text=show(tree))
    except Refused as refused:
        return Invalid(message=refused.message, at=refused.at, so_far=refused.so_far, typed=answer)


_DIGITS = re.compile(r"\s*(-?)(\d{1,20}(?:\.\d{1,20})?)\s*")


def read_plain(text: Plain, grammar: Grammar) -> Tree:
    """Read one expression from plain, unwrapped text. Raises Refused."""
    simple = _DIGITS.fullmatch(text.text)  # most cells of most answers
    if simple:
        return signed(number_of(simple[2]), bool(simple[1]))
    tree = parsed(text, grammar)
    if infinite(tree):
        if not grammar.infinity:
            raise Refused("infinity is not a number", text.at(0))
    elif any_infinite(tree):
        raise Refused("infinity can stand alone, but is nothing to calculate with", text.at(0))
    if depth(tree) > MAX_DEPTH:
        raise Refused(f"nested deeper than {MAX_DEPTH} levels", text.at(0))
    return tree


def any_infinite(tree: Tree) -> bool:
    """Whether infinity stands anywhere in a tree."""
    return any(isinstance(node, Constant) and node.name == "inf" for node in everything(tree))
