"""How templates and style sheets are written, as far as djangofmt leaves it to us."""

import re

import pytest
from django.template.loader import get_template

from tests.conftest import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
# The formatter may break a line between two blocks, which shows as a space.
SPACE_BEFORE_STOP = re.compile(r"%\}\s+\{% (?:if|for) [^%]*%\}[,.;:]|%\}\s+[,.;:](?=\s)")


def name(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_lines_are_short_and_no_space_stands_before_a_comma(path):
    text = path.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if len(line) > 160] == []
    assert SPACE_BEFORE_STOP.findall(text) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_a_template_can_be_read(path):
    get_template(str(path.relative_to(ROOT / "templates")))


@pytest.mark.parametrize("path", STYLES, ids=name)
def test_a_style_sheet_has_one_declaration_a_line(path):
    assert [line for line in path.read_text(encoding="utf-8").splitlines() if line.count(";") > 1] == []
