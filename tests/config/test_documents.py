"""What operators read names files and commands that exist."""

import json
import os
import re
import subprocess

import pytest
from django.core.management import get_commands

from tests.conftest import ROOT

DOCUMENTS = ("docs/operations.md", "docs/threats.md")
PLACE = re.compile(r"`((?:[a-z_]+/)+[\w.-]*)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")
COMMAND = re.compile(r"(?:^|`|&& )(?:bureau|manage\.py|\.venv/bin/python manage\.py) ([a-z_]+)", re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_is_there(document):
    text = (ROOT / document).read_text()
    places = {ROOT / place for place in PLACE.findall(text)} | {ROOT / "docs" / link for link in LINK.findall(text)}
    assert len(places) > 5
    assert [str(place.relative_to(ROOT)) for place in places if not place.exists()] == []


def test_every_command_is_there():
    named = {name for document in DOCUMENTS for name in COMMAND.findall((ROOT / document).read_text())}
    assert {"backup", "restore", "verify", "rerate", "correct", "migrate", "axes_reset_ip"} <= named
    assert named - set(get_commands()) == set()


def test_the_main_job_is_done_by_the_lines_of_the_readme(tmp_path):
    _, after = (ROOT / "README.md").read_text().split("## The main job by hand")
    lines = after.split("```sh\n")[1].split("```")[0]
    assert "VAR_DIR=/tmp/bureau\n" in lines
    done = subprocess.run(
        ["bash", "-O", "expand_aliases", "-eo", "pipefail", "-c", lines.replace("/tmp/bureau", str(tmp_path))],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "2024-03 published" in done.stdout
    assert "players" in json.loads(done.stdout.splitlines()[-1])
