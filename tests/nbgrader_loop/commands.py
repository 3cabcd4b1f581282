"""Runs nbgrader's own commands one after the other in one process, which pays for its start only once.

python commands.py FILE reads a list of {"cwd", "arguments", "environment"}, and prints one JSON line for each.
"""

import contextlib
import json
import os
import sys
import tempfile


@contextlib.contextmanager
def captured(texts):
    """What the process writes to its descriptors: some of nbgrader holds the streams that it was loaded with."""
    saved = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile() as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for stream, descriptor in enumerate(saved, start=1):
                os.dup2(descriptor, stream)
                os.close(descriptor)
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))


def run(cwd, arguments, environment):
    from jupyter_core.application import NoStart
    from nbgrader.apps import NbGraderApp

    before = dict(os.environ)
    os.environ.update(environment)
    os.chdir(cwd)
    texts = []
    code = 0
    with captured(texts):
        app = NbGraderApp.instance()
        try:
            app.initialize(list(arguments))
            app.start()
        except NoStart:
            pass  # a command of the command has run
        except SystemExit as end:
            code = end.code or 0
        finally:
            # Options of one command must not be those of the next.
            if app.subapp is not None:
                type(app.subapp).clear_instance()
            NbGraderApp.clear_instance()
    for name in [name for name in os.environ if name not in before]:
        del os.environ[name]
    os.environ.update(before)
    return {"arguments": arguments, "code": code, "output": "".join(texts)}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        todo = json.load(file)
    for one in todo:
        print(json.dumps(run(one["cwd"], one["arguments"], one.get("environment", {}))), flush=True)
