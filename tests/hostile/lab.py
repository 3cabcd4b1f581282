"""A throw-away folder with all that an attack would like to reach, and eyes on what became of it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ATTACKS = Path(__file__).parent / "attacks"
HONEST = """
import numpy as np


def attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    return (w / w.sum(-1, keepdims=True)) @ V
"""
ELSEWHERE = ("~/ag_lab_pwned", "/tmp/ag_lab_pwned", "/tmp/ag_i_0", "/dev/shm/ag_lab_mailbox", "later.bin")
CASES = [[np.random.default_rng(7 + i).normal(size=(8, 4)) for _ in range(3)] for i in range(3)]  # noqa: TID251


def reference(q, k, v):
    names = {}
    exec(HONEST, names)
    return names["attention"](q, k, v)


WANTED = [reference(*case) for case in CASES]


def attacks(groups: str) -> list[str]:
    """Names of the ``.py`` attacks of some groups."""
    return sorted(
        path.name for path in ATTACKS.glob("*.py") if path.name[0] in groups and not path.name.endswith(".gen.py")
    )


def expectation(name: str) -> str:
    """What the header of an attack says must come of it."""
    return re.search(r"^# expect: (\w+)", (ATTACKS / name).read_text("utf-8"), re.MULTILINE)[1]


class Lab:
    """Open to everybody on purpose: it is the sandbox that must keep an attack out, not the file modes."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="headwork-lab-"))
        for name in ("solution/__pycache__", "tests", "submissions", "results", "home", "site-packages"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "solution/reference_solution.py").write_text(HONEST)
        (self.folder / "solution/__pycache__/reference_solution.pyc").write_bytes(b"byte code")
        (self.folder / "submissions/alice.py").write_text(HONEST)
        np.savez(self.folder / "tests/expected.npz", **{f"out{i}": wanted for i, wanted in enumerate(WANTED)})
        with sqlite3.connect(self.folder / "gradebook.db") as book:
            book.execute("create table grade (who text, auto_score real)")
            book.execute("insert into grade values ('mallory', 0)")
        book.close()
        for path in (self.folder, *self.folder.rglob("*")):
            path.chmod(0o777)
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.port = self._tcp.getsockname()[1]
        self._udp.bind(("127.0.0.1", self.port))
        self._abstract = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):  # the name is fixed, and another test run may have it
            self._abstract.bind("\0ag-lab")
            self._abstract.listen()
        for listener in (self._tcp, self._udp, self._abstract):
            listener.setblocking(False)
        self.sibling = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3000)", "AG-SIBLING"])

    def source(self, name: str) -> str:
        """An attack, aimed at this lab."""
        text = (ATTACKS / name).read_text("utf-8")
        return text.replace("@LAB@", str(self.folder)).replace("@PORT@", str(self.port))

    def state(self) -> dict[str, str]:
        """Everything that an attack could have changed."""
        found = {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.folder.rglob("*")
            if path.is_file()
        }
        found.update({path: "here" for path in ELSEWHERE if os.path.lexists(os.path.expanduser(path))})
        found["sibling"] = "lives" if self.sibling.poll() is None else "was ended"
        return found

    def arrived(self) -> list[str]:
        """What has been sent to the lab's listeners since last asked."""
        found = []
        for name, listener in (("tcp", self._tcp), ("udp", self._udp), ("abstract", self._abstract)):
            try:
                listener.recv(99) if name == "udp" else listener.accept()[0].close()
            except OSError:
                continue
            found.append(name)
        return found

    def close(self) -> None:
        self.sibling.kill()
        self.sibling.wait()
        for listener in (self._tcp, self._udp, self._abstract):
            listener.close()
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)
