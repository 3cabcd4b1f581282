"""What can go wrong, for three audiences."""

from __future__ import annotations


class ContentError(Exception):
    """An author's file is not as it must be. The text says which file, what was seen, what to do."""


class CourseError(Exception):
    """An instructor's file, folder or option is not as it must be. Same rules for the text."""


class GraderFault(Exception):
    """headwork itself, or the machine under it, failed. It is never a mark."""
