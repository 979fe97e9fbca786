"""How templates are written: djangofmt formats them and leaves these to us."""

import re

import pytest

from tests.conftest import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
# The formatter may break a line between two blocks, which shows as a space.
SPACE_BEFORE_STOP = re.compile(r"%\}\s+\{% (?:if|for) [^%]*%\}[,.;:]|%\}\s+[,.;:](?=\s)")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_are_short_and_no_space_stands_before_a_comma(path):
    text = path.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if len(line) > 160] == []
    assert SPACE_BEFORE_STOP.findall(text) == []
