"""The digest of a problem's inputs: what makes two problems the same problem."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from headwork.model import Instance


def plain(value: Any) -> Any:
    """Arrays and NumPy numbers as nested lists of Python numbers, ready for JSON."""
    is_numpy = isinstance(value, np.ndarray | np.generic)
    return cast(Any, value).tolist() if is_numpy else value


def inputs_of(instance: Instance) -> dict[str, Any]:
    """The inputs as JSON values; exact text where the numbers have one, else the shortest decimals."""
    return {name: plain(instance.exact.get(name, value)) for name, value in sorted(instance.values.items())}


def digest_of(exercise: str, version: int, chain: str, inputs: Mapping[str, Any]) -> str:
    """SHA-256 over canonical JSON (sorted keys, no spaces, shortest floats)."""
    record = {"exercise": exercise, "version": version, "chain": chain, "inputs": inputs}
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
