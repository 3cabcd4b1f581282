"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from headwork.writing import write_atomically

posix = pytest.mark.skipif(sys.platform == "win32", reason="no modes there")


def test_a_file_is_written_with_its_folders_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "report.json"
    for data in (b"first", b"", bytes(1 << 17)):
        write_atomically(path, data)
        assert path.read_bytes() == data
    assert [found.name for found in path.parent.iterdir()] == ["report.json"]


@posix
@pytest.mark.parametrize(("umask", "private", "mode"), [(0o22, False, 0o644), (0o77, False, 0o600), (0o2, True, 0o600)])
def test_a_private_file_is_the_owners_and_all_else_follows_the_umask(
    tmp_path: Path, umask: int, private: bool, mode: int
) -> None:
    before = os.umask(umask)
    try:
        write_atomically(tmp_path / "file", b"text", private=private)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


def test_what_cannot_be_put_in_place_leaves_the_old_and_no_half_file(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        write_atomically(tmp_path / "taken", b"text")
    assert (tmp_path / "taken" / "inside").is_dir()
    assert [found.name for found in tmp_path.iterdir()] == ["taken"]
