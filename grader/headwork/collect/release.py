"""What was handed out, as far as reading it back needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseNotebook:
    """The handed-out files of an assignment: which cells are what, and what an untouched file looks like.

    ``kinds`` maps a grade id to "test", "solution", "given", "setup", "answer" or "task"; ``sources`` maps it to the text that was
    handed out; ``names`` are the file names that should come back; ``blank`` are fingerprints of untouched files.
    """

    kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    names: tuple[str, ...] = ()
    blank: frozenset[str] = frozenset()
