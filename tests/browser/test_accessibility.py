"""What axe finds on public pages: nothing (WCAG 2.2 A and AA, and its own good practice)."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.test_public_pages import ADDRESSES, PHONE

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.parametrize("address", [*ADDRESSES, "/nothing/"])
def test_axe_finds_nothing(page: Page, site, address):
    page.set_viewport_size(PHONE)
    page.goto(site + address)
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found.response["violations"]] == []
