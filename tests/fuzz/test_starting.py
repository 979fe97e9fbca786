"""The long form starts, and has every reader that the short form has. `atheris` itself is not among what the suite needs."""

import os
import re
import subprocess
import sys

from tests.fuzz.readers import TARGETS
from tests.prepared import ROOT

# What the long form uses of atheris: it reads the corpus, once.
ATHERIS = """
import contextlib, pathlib

def instrument_imports(include):
    return contextlib.nullcontext()

def Setup(words, run, **_):
    Setup.corpus, Setup.run = pathlib.Path(words[-1]), run

def Fuzz():
    for file in sorted(Setup.corpus.iterdir()):
        Setup.run(file.read_bytes())
    print("read", len(list(Setup.corpus.iterdir())))
"""


def test_the_script_knows_every_reader():
    script = (ROOT / "script" / "fuzz").read_text()
    assert _told(r"readers=\((.*)\)", script).split() == list(TARGETS)
    assert _told(r"one: (.*)", script).replace(" or ", ", ").split(", ") == list(TARGETS)


def _told(pattern: str, script: str) -> str:
    found = re.search(pattern, script)
    assert found
    return found[1]


def test_it_reads_what_it_begins_with(tmp_path):
    (tmp_path / "atheris.py").write_text(ATHERIS)
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path)}
    for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        surroundings.pop(name, None)
    line = [sys.executable, "-m", "tests.fuzz", "opening", "10", str(tmp_path / "found")]
    done = subprocess.run(line, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"read {len(TARGETS['opening'].seeds)}\n"
