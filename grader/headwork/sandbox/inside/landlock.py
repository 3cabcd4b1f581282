"""Landlock: reading below a few folders, and nothing else of the file system.

The rules are made once, in the zygote; a child only has to take them on. See landlock(7).
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from kernel import Kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FIRST_RIGHTS = (1 << 13) - 1
_LATER_RIGHTS = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
"""ABI -> right that came with it: moving between folders, truncating, device ioctls."""


def abi(kernel: Kernel) -> int:
    """The version that the kernel speaks; 0 where it has no landlock."""
    try:
        return kernel.syscall(_CREATE_RULESET, ctypes.c_void_p(0), ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def ruleset(kernel: Kernel, *, version: int, readable: Iterable[str]) -> int:
    """A descriptor of rules under which only what lies below ``readable`` can be read.

    Nothing can be written, made, removed or executed; from ABI 4 on no TCP, from 6 on no signals
    to other processes and no abstract sockets.
    """
    rights = _FIRST_RIGHTS | sum(right for since, right in _LATER_RIGHTS if version >= since)
    network = 3 if version >= 4 else 0
    scoped = 3 if version >= 6 else 0
    attributes = ctypes.create_string_buffer(struct.pack("<QQQ", rights, network, scoped), 24)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = kernel.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    for path in readable:
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # a folder that is not there needs no rule
        allowed = _READ_FILE | _READ_DIR if os.path.isdir(path) else _READ_FILE
        rule = ctypes.create_string_buffer(struct.pack("<Qi", allowed, handle), 12)
        try:
            kernel.syscall(_ADD_RULE, ctypes.c_int(rules), ctypes.c_int(_RULE_PATH_BENEATH), rule, ctypes.c_uint32(0))
        finally:
            os.close(handle)
    return rules


def restrict(kernel: Kernel, rules: int) -> None:
    """Take ``rules`` on for this thread, for good. Needs no_new_privs."""
    kernel.syscall(_RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
