"""Files as they lie in a folder or a zip: named by their parts, read only when asked, never by following a link."""

from __future__ import annotations

import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from headwork.reports.shown_text import shown_line

DEEPEST = 6
RATIO = 200
"""Unpacked over packed. Above it (and above a megabyte) a member is taken for a bomb."""

_READ = (".py", ".ipynb", ".toml", ".json", ".txt", ".md", ".zip")
_SKIPPED = re.compile(
    r"(?:__macosx|__pycache__|\.ipynb_checkpoints|\.git|\.idea|\.vscode|\.ds_store|thumbs\.db|\._.*|desktop\.ini)$",
    re.I,
)
_DRIVE = re.compile(r"[A-Za-z]:")


class Refused(Exception):
    """A file that is not read. The text says why, without naming the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Limits of one container, in entries and bytes, counted while reading."""

    entries: int
    total: int
    one_file: int = 32 << 20


STUDENT = Caps(entries=200, total=100 << 20)
CLASS = Caps(entries=40_000, total=1 << 30, one_file=100 << 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One regular file: where it lies, and how its bytes are had (raises ``Refused``)."""

    parts: tuple[str, ...]
    read: Callable[[int], bytes]

    @property
    def name(self) -> str:
        """The path as text, for messages."""
        return "/".join(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The entries of a folder or a zip, and what was left out, in words."""

    entries: tuple[Entry, ...]
    notices: tuple[str, ...] = ()


def too_large(most: int) -> str:
    """The sentence for a file of more than ``most`` bytes."""
    return f"larger than {most / (1 << 20):g} MB, which is the most that is read; clear stored outputs and hand it in again"


def is_read(name: str) -> bool:
    """Whether files of this ending are looked into."""
    return name.lower().endswith(_READ)


# --- folders ----------------------------------------------------------------------------------


def list_folder(root: Path, caps: Caps) -> Listing:
    """All regular files below ``root``, down to ``DEEPEST`` folders, by name; links and special files are only named."""
    entries: list[Entry] = []
    notices: list[str] = []
    for path, parts, problem in _walk(root, (), 0):
        if problem:
            notices.append(f"{shown_line('/'.join(parts))}: {problem}")
        elif len(entries) >= caps.entries:
            notices.append(f"more than {caps.entries} files; the rest was not looked at")
            break
        else:
            entries.append(Entry(parts=parts, read=_reader(path)))
    return Listing(entries=tuple(entries), notices=tuple(notices[:50]))


def _walk(folder: Path, parts: tuple[str, ...], depth: int) -> Iterator[tuple[Path, tuple[str, ...], str]]:
    try:
        with os.scandir(folder) as found:
            listed = sorted(found, key=lambda e: e.name)
    except OSError as error:
        yield folder, parts, f"cannot be listed ({error.strerror})"
        return
    for entry in listed:
        if _SKIPPED.match(entry.name):
            continue
        here = (*parts, clean_name(entry.name))
        if entry.is_symlink():
            yield folder / entry.name, here, "a link; links are not followed"
        elif entry.is_dir(follow_symlinks=False):
            if depth < DEEPEST:
                yield from _walk(folder / entry.name, here, depth + 1)
            else:
                yield folder / entry.name, here, f"more than {DEEPEST} folders deep; not looked at"
        elif entry.is_file(follow_symlinks=False):
            yield folder / entry.name, here, ""
        else:
            yield folder / entry.name, here, "not a regular file"


def clean_name(name: str) -> str:
    r"""The name as text that can be stored: bytes that are not UTF-8 as ``\xff``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace") if not name.isascii() else name


def _reader(path: Path) -> Callable[[int], bytes]:
    return lambda most: read_file(path, most)


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a regular file; never follows a link, waits for a pipe or reads more than ``most``."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise Refused(f"cannot be opened ({error.strerror})") from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise Refused("not a regular file")
        try:
            raw = file.read(most + 1)
        except (OSError, MemoryError) as error:
            raise Refused(f"cannot be read ({error})") from None
    if len(raw) > most:
        raise Refused(too_large(most))
    return raw


# --- zips -------------------------------------------------------------------------------------

_ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, NotImplementedError, RuntimeError, MemoryError, OverflowError,
)  # fmt: skip


def list_zip(source: BinaryIO, caps: Caps) -> Listing:
    """The members of a zip, each read into memory when asked, while ``source`` is open.

    Raises ``Refused`` for a zip that is none or too much.
    """
    _check_directory(source, caps)
    try:
        archive = zipfile.ZipFile(source)
        members = archive.infolist()
    except _ZIP_ERRORS as error:
        raise Refused(f"no zip that can be read ({shown_line(str(error), longest=80)})") from None
    if len(members) > caps.entries:
        raise Refused(f"a zip of {len(members)} members; more than {caps.entries} are not read")
    notices: list[str] = []
    entries: dict[tuple[str, ...], Entry] = {}
    budget = _Budget(caps.total)
    for member in members:
        if member.is_dir():
            continue
        parts, problem = _parts(member)
        if problem:
            notices.append(f"{shown_line(member.filename, longest=80)}: {problem}")
        elif parts:
            if parts in entries:
                notices.append(f"{shown_line('/'.join(parts), longest=80)}: is in the zip twice; the last one counts")
            entries[parts] = Entry(parts=parts, read=_member_reader(archive, member, budget))
    return Listing(entries=tuple(entries.values()), notices=tuple(notices[:50]))


def _check_directory(source: BinaryIO, caps: Caps) -> None:
    """Look at the size of the list of members before zipfile builds it: a hundred thousand names cost seconds."""
    size = source.seek(0, os.SEEK_END)
    source.seek(max(0, size - (1 << 16) - 22))
    tail = source.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        raise Refused("no zip (or only a part of one)")
    count, directory = struct.unpack_from("<HI", tail, at + 10)
    if count > caps.entries or count == 0xFFFF or directory > caps.entries * 400 + (1 << 16):
        raise Refused(f"a zip of more than {caps.entries} members is not read")


def _parts(member: zipfile.ZipInfo) -> tuple[tuple[str, ...], str]:
    name = member.filename
    if not member.flag_bits & 0x800 and not name.isascii():
        try:  # written as UTF-8 by a tool that does not say so; zipfile reads it as cp437
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = member.filename
    name = name.replace("\\", "/").encode("utf-8", "backslashreplace").decode()
    if name.startswith("/") or _DRIVE.match(name) or ".." in name.split("/"):
        return (), "its path leads out of the zip; not read"
    kind = stat.S_IFMT(member.external_attr >> 16) if member.create_system == 3 else 0
    if kind not in (0, stat.S_IFREG):
        return (), "a link or special file; not read"
    if member.flag_bits & 0x1:
        return (), "locked by a password; not read"
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if any(_SKIPPED.match(part) for part in parts):
        return (), ""
    return (parts, "") if len(parts) <= DEEPEST + 1 else ((), f"more than {DEEPEST} folders deep; not read")


class _Budget:
    """Bytes that may still be unpacked from one zip."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def _member_reader(archive: zipfile.ZipFile, member: zipfile.ZipInfo, budget: _Budget) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Refused("packed in a way that is not read (only stored and deflated are)")
        pieces: list[bytes] = []
        done = 0
        try:
            with archive.open(member) as file:
                while piece := file.read(1 << 16):
                    done += len(piece)
                    budget.left -= len(piece)
                    if done > most:
                        raise Refused(too_large(most))
                    if budget.left < 0:
                        raise Refused("the zip unpacks to more than is read")
                    if done > 1 << 20 and done > RATIO * max(1, member.compress_size):
                        raise Refused(f"unpacks to more than {RATIO} times its size")
                    pieces.append(piece)
        except _ZIP_ERRORS as error:
            raise Refused(f"damaged ({shown_line(str(error), longest=80)})") from None
        return b"".join(pieces)

    return read
