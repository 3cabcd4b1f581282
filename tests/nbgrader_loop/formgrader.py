"""nbgrader's formgrader, served for real, looked at with a headless browser."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

TOKEN = "for-this-test"


@contextlib.contextmanager
def served(course_root: Path, own: Path) -> Iterator[str]:
    """A Jupyter server with formgrader on the course folder; its address. ``own`` takes what it writes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folders = {f"JUPYTER_{name}_DIR": str(own / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "jupyter", "server", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--allow-root", f"--IdentityProvider.token={TOKEN}", "--ServerApp.port_retries=0"]
    log = own / "server.log"
    with log.open("wb") as file:
        server = subprocess.Popen(
            command, cwd=course_root, env={**os.environ, **folders, "PATH": path}, stdout=file, stderr=file
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(f"{address}/api/status?token={TOKEN}", server, log)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(url, timeout=5):
            return
        assert server.poll() is None, log.read_text(errors="replace")
        time.sleep(0.5)
    raise AssertionError(f"the server does not answer: {log.read_text(errors='replace')[-2000:]}")


def page(browser: str, address: str, path: str, own: Path, *, screenshot: Path | None = None) -> str:
    """The page as the browser has it after its scripts have run. The token is turned into a cookie by the login page."""
    url = f"{address}/login?{urllib.parse.urlencode({'next': path, 'token': TOKEN})}"
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={own / 'browser'}"]
    command += ["--window-size=1200,2600", "--virtual-time-budget=10000"]
    command += [f"--screenshot={screenshot}"] if screenshot else ["--dump-dom"]
    done = subprocess.run([*command, url], capture_output=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode("utf-8", "replace")
