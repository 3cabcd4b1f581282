"""A job object: its one process cannot start others, has a memory limit, and ends with us. Windows only."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from typing import Any

_EXTENDED_LIMITS = 9
_ACTIVE_PROCESS, _PROCESS_MEMORY, _DIE_ON_UNHANDLED, _KILL_ON_CLOSE = 0x8, 0x100, 0x400, 0x2000


class _BasicLimits(ctypes.Structure):
    _fields_ = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    ]


class _ExtendedLimits(ctypes.Structure):
    _fields_ = [
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    ]


class JobObject:
    """Closing it ends the process in it. Not tried on a real Windows yet; see CONTRIBUTING."""

    def __init__(self, process: subprocess.Popen[bytes], *, memory: int) -> None:
        """Put ``process`` into a new job object; it has not been sent its job yet."""
        if sys.platform != "win32":
            raise OSError("job objects are of Windows")
        self._kernel32: Any = ctypes.WinDLL("kernel32", use_last_error=True)
        self._handle = self._kernel32.CreateJobObjectW(None, None)
        limits = _ExtendedLimits()
        limits.basic.flags = _ACTIVE_PROCESS | _PROCESS_MEMORY | _DIE_ON_UNHANDLED | _KILL_ON_CLOSE
        limits.basic.active_processes = 1
        limits.process_memory = memory
        self._kernel32.SetInformationJobObject(
            self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        self._kernel32.AssignProcessToJobObject(self._handle, int(process._handle))  # type: ignore[attr-defined]

    def close(self) -> None:
        """End all that is in it."""
        if sys.platform == "win32":
            self._kernel32.CloseHandle(self._handle)
