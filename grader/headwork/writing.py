"""Writing files whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file through a temporary neighbour and one rename; its folder is made if need be.

    A reader sees the old file or the new one, never half of one, also where this program is killed. It does not wait
    for the disk: after a power cut the newest files may be empty. ``private`` is for the owner's eyes, else the umask
    decides.
    """
    temporary = path.parent / f".writing-{secrets.token_hex(6)}"
    try:
        file = _new(temporary, private=private)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _new(temporary, private=private)
    try:
        with file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _new(path: Path, *, private: bool) -> BinaryIO:
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600 if private else 0o666))
