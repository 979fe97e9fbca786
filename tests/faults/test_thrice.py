"""A message that comes three times at once, beat that fires twice, a clock that jumps: nothing is there twice."""

import json
import subprocess
import sys

import pytest

from tests.faults.bureau import ROOT, Bureau


@pytest.fixture(scope="module")
def found(kind, tmp_path_factory):
    """What every task made of a bureau, done once and thrice, and at other times."""
    bureau = Bureau(kind, tmp_path_factory.mktemp("thrice") / "bureau")
    bureau.env["EMAIL_URL"] = "dummymail://"
    try:
        line = [sys.executable, "-m", "tests.faults.kill.thrice"]
        done = subprocess.run(line, cwd=ROOT, env=bureau.env, capture_output=True, text=True, check=False)
    finally:
        bureau.close()
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr, done.stderr[-3000:]  # of a thread
    return json.loads(done.stdout)


def test_each_task_of_the_clock_is_done_once_though_three_workers_have_it_at_the_same_moment(found):
    assert found["thrice"] == found["once"]
    subjects = " ".join(subject for _, subject in found["once"]["mails"])
    assert found["once"]["accounts_weekmail"] == 1
    assert found["once"]["events_reminder"] > 0
    assert "refused" in subjects, subjects
    assert found["once"]["ratings_download"] > 0


def test_a_clock_that_is_set_back_makes_nothing_twice(found):
    assert found["five hours back"] == found["thrice"]
    assert found["back again"] == found["forty days on"]
