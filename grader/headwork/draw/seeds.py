"""Seeds: a keyed hash of the course secret and what the numbers are for."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_secret() -> bytes:
    """A course secret, 32 bytes from the operating system."""
    return secrets.token_bytes(32)


def seed_for(secret: bytes, *, assignment: str, exercise: str, version: int, student: str, purpose: str) -> bytes:
    """HMAC-SHA256 over the five names, each with its length before it so that no two lists collide.

    ``purpose`` tells the draws of one student apart: "own", "hidden:multi_head", "public", ...
    """
    message = b"".join(
        len(part).to_bytes(4, "little") + part
        for part in (text.encode() for text in (assignment, exercise, str(version), student, purpose))
    )
    return hmac.new(secret, message, hashlib.sha256).digest()


def seed_from_integer(number: int) -> bytes:
    """The seed that a bare number stands for (``preview --seed 7``, a fixed seed in an assignment)."""
    return hashlib.sha256(f"headwork seed {number}".encode()).digest()
