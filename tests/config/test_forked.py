"""A program that is forked for a test runs as one that is started."""

import os

import pytest

from tests import forked

LOADED = """
import sys
from django.conf import settings
print(settings.configured, [name for name in sys.modules if name.partition(".")[0] in
      ("config", "accounts", "players", "events", "ratings", "api", "demo")])
"""


def ended(*line, **env):
    done = forked.run(line, {"PATH": os.environ["PATH"], **env})
    return done.returncode, done.stdout, done.stderr


def test_it_begins_without_settings_and_modules_of_the_site():
    assert ended("-c", LOADED) == (0, "False []\n", "")


@pytest.mark.parametrize(
    ("code", "status"), [("import sys; sys.exit(3)", 3), ("import os; os._exit(4)", 4), ("1 / 0", 1)]
)
def test_its_status_is_told(code, status):
    assert ended("-c", code)[0] == status


def test_a_signal_that_ends_it_is_told():
    assert ended("-c", "import os; os.kill(os.getpid(), 9)") == (-9, "", "")


def test_it_has_the_words_and_the_surroundings_that_it_is_given():
    code = "import os, sys; print(sys.argv, sorted(os.environ))"
    assert ended("-c", code, "a", ONE="1") == (0, "['-c', 'a'] ['ONE', 'PATH']\n", "")


def test_an_error_is_written_to_the_second_output():
    status, out, said = ended("-c", "print('begun'); raise ValueError('x')")
    assert (status, out) == (1, "begun\n")
    assert said.endswith("ValueError: x\n")
