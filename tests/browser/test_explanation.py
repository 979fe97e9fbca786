import re

import pytest
from playwright.sync_api import Browser, Page, expect

PHONE, TABLET, DESK = {"width": 390, "height": 844}, {"width": 600, "height": 900}, {"width": 1280, "height": 900}
PLAYER = "/players/100000002/"


@pytest.mark.parametrize(
    "address",
    [
        f"{PLAYER}2024-03/main/",
        f"{PLAYER}2024-03/main/?full=1",
        f"{PLAYER}2024-04/rapid/",
        f"{PLAYER}2024-04/standard/?full=1",
    ],
)
def test_every_width_fits_and_keeps_the_policy(window: Page, site, complaints, address):
    window.set_viewport_size(PHONE)
    response = window.goto(site + address)
    assert response is not None
    assert response.status == 200
    window.evaluate("for (const folded of document.querySelectorAll('main details')) folded.open = true")
    for size in (PHONE, TABLET, DESK):
        window.set_viewport_size(size)
        assert window.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(window.locator("h1")).to_have_count(1)
    assert complaints == []


def walk(page: Page, site: str) -> None:
    """From a published rating to its steps, to where an opponent's rating came from, and back to an earlier month."""
    page.goto(f"{site}/players/100000001/")
    page.get_by_role("link", name=re.compile("^Main .*: why$")).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Main rating of Tom Ashby, 1 May 2024")
    expect(page.locator("li.step")).to_have_count(9)
    expect(page.locator("#step-9")).to_contain_text("Article 50")
    page.get_by_role("link", name="Full figures").click()
    expect(page.get_by_role("link", name="Fewer decimals")).to_be_visible()
    page.locator("#step-3 td[data-label='Opponent’s rating'] a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 April 2024")
    page.get_by_role("link", name="1 May 2024 →").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 May 2024")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("Download the case file")).click()
    assert re.fullmatch(r"\d{9}-2024-04\.json", download.value.suggested_filename)


def test_a_walk_through_the_steps(page: Page, site, complaints):
    walk(page, site)
    assert complaints == []


def test_the_walk_without_script(browser: Browser, site):
    context = browser.new_context(java_script_enabled=False, accept_downloads=True)
    walk(context.new_page(), site)
    context.close()
