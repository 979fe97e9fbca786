"""Python programs in processes of their own that begin with the packages loaded.

A process that has loaded them is kept beside the tests, and each program is a fork of it, without settings and modules of the
site: it takes half a second of the processor's time less than a new Python, of three quarters.
"""

import atexit
import functools
import gc
import os
import pickle
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from tests.prepared import ROOT

# What every program of the site loads, so far as it needs no settings.
_PACKAGES = [
    "celery.app", "celery.app.task", "celery.app.utils", "celery.beat", "celery.fixups.django", "celery.loaders.app",
    "celery.signals", "celery.worker.control", "celery.worker.worker", "concurrent.futures", "django.core.management",
    "django.core.management.base", "django.core.serializers.json", "django.db.backends.postgresql.base",
    "django.db.backends.sqlite3.base", "django.db.migrations.executor", "django.db.models", "django.forms", "django.http",
    "django.middleware.csrf", "django.template.backends.django", "django.template.defaulttags",
    "django.template.loader_tags", "django.template.response", "django.utils.log", "django.views.debug",
    "django.views.generic", "environ", "numpy", "numpy.typing", "psycopg", "rapidfuzz.fuzz", "rapidfuzz.process", "redis",
    "sqlite3",
]  # fmt: skip


def run(line: Sequence[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What `subprocess.run` gives for Python with these words, `-c CODE` or `SCRIPT ...`, in the project's folder."""
    server = _server(env.get("PYTHONWARNINGS", ""))
    answer, theirs = socket.socketpair()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, answer:
        with theirs, tempfile.TemporaryFile() as asked:
            pickle.dump((list(line), env), asked)
            asked.seek(0)
            socket.send_fds(server, [b"."], [asked.fileno(), out.fileno(), err.fileno(), theirs.fileno()])
        status = answer.recv(64)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess(list(line), int(status), *texts)


@functools.cache
def _server(warnings: str) -> socket.socket:
    ours, theirs = socket.socketpair()
    env = {**os.environ, "PYTHONWARNINGS": warnings}
    line = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
    process = subprocess.Popen(line, cwd=ROOT, env=env, pass_fds=[theirs.fileno()])
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(asked: socket.socket) -> tuple[list[str], dict[str, str]]:
    """Fork for each program that is asked for. Returns in the process that is to run it."""
    while True:
        _, files, _, _ = socket.recv_fds(asked, 1, 4)
        with suppress(ChildProcessError):
            while os.waitpid(-1, 0 if not files else os.WNOHANG)[0]:
                pass
        if not files:
            os._exit(0)
        if os.fork():
            for file in files:
                os.close(file)
            continue
        program = os.fork()
        if program:
            _answer(program, socket.socket(fileno=files[3]))
        asked.close()
        os.close(files[3])
        with open(files[0], "rb") as request:
            line, env = pickle.load(request)
        for place, file in enumerate(files[1:3], start=1):
            os.dup2(file, place)
            os.close(file)
        return line, env


def _answer(program: int, to: socket.socket) -> NoReturn:
    _, status = os.waitpid(program, 0)
    to.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _main() -> None:
    for name in _PACKAGES:
        import_module(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the tests
    line, env = _serve(socket.socket(fileno=int(sys.argv[1])))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(env)
    sys.path[0] = str(ROOT)
    if line[0] == "-c":
        sys.argv = ["-c", *line[2:]]
        exec(line[1], {"__name__": "__main__"})
    else:
        sys.argv = list(line)
        runpy.run_path(line[0], run_name="__main__")


if __name__ == "__main__":
    _main()
