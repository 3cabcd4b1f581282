"""Names under which files of others may be written, on every system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from headwork.collect.roster import same

LONGEST = 100
"""Bytes. Most systems allow 255; folders above and suffixes need room."""

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)$", re.I)
_RESERVED = "collected.json"


def safe_names(names: Iterable[str]) -> Mapping[str, str]:
    """A safe name, without folders, for every name; no two are alike in case or Unicode form."""
    taken = {_RESERVED}
    given: dict[str, str] = {}
    for name in names:
        safe = safe_name(name)
        stem, dot, ending = safe.rpartition(".")
        number = 1
        while same(safe) in taken:
            number += 1
            safe = f"{stem}~{number}{dot}{ending}" if stem else f"{ending}~{number}"
        taken.add(same(safe))
        given[name] = safe
    return given


def safe_name(name: str) -> str:
    """The name with only letters, digits, spaces and ``. _ - + ( )``; never hidden, an option or a device."""
    text = unicodedata.normalize("NFC", name.replace("/", "__"))
    kept = "".join(c if c.isalnum() or c in "._-+() " else "_" for c in text).strip(" .")
    if not kept or kept[0] in "-.~":
        kept = f"_{kept}"
    stem, dot, ending = kept.rpartition(".")
    if not stem or len(ending) > 12:
        stem, dot, ending = kept, "", ""
    if _DEVICE.match(stem.split(".")[0]):
        stem = f"_{stem}"
    room = LONGEST - len((dot + ending).encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .") + dot + ending
