"""What operators read names files and commands that exist."""

import re

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
