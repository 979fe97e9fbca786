"""A reader chooses Afrikaans at the foot of a page, reads on in it, and goes back to English."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

NARROW, PHONE, DESK = {"width": 320, "height": 640}, {"width": 390, "height": 844}, {"width": 1280, "height": 900}
ADDRESSES = [
    "/",
    "/lists/",
    "/lists/main/",
    "/lists/main/live/",
    "/lists/other-systems/",
    "/statistics/",
    "/downloads/",
    "/embed/",
    "/calculators/",
    "/calculators/chessa/?b=90&i=30&player=100000001&o1=1500&c1=w&r1=1",
    "/calculators/icu/",
    "/calculators/uscf/",
    "/account/log-in/",
    "/nowhere/",
]


def test_a_reader_chooses_afrikaans_and_goes_back_to_english(page: Page, site, complaints):
    page.goto(f"{site}/lists/main/?q=bezuid")
    page.get_by_role("button", name="Afrikaans").click()
    expect(page).to_have_url(f"{site}/lists/main/?q=bezuid")
    expect(page.locator("html")).to_have_attribute("lang", "af")
    expect(page.get_by_role("heading", level=1)).to_have_text("Main-lys, 1 Mei 2024")
    expect(page.get_by_label("Streek of provinsie")).to_be_visible()
    expect(page.get_by_role("button", name="Afrikaans")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Chess South Africa").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Graderings van 1 Mei 2024")
    rating = page.locator("td.rating").first
    expect(rating).to_have_text(re.compile(r"^1\u202f\d{3},\d$"))
    page.get_by_role("link", name="Die hele Main-lys").click()
    page.get_by_role("row", name=re.compile("Bezuidenhout")).click()
    expect(page).to_have_url(re.compile("/players/"))
    expect(page.locator("html")).to_have_attribute("lang", "af")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en-GB")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    assert complaints == []


def test_a_calculator_works_in_afrikaans(browser: Browser, site):
    page = browser.new_context(locale="af-ZA").new_page()
    page.goto(f"{site}/calculators/chessa/")
    page.get_by_label("Rou gradering op Main").fill("1521,5")
    page.get_by_label("Teenstander se gradering op Main, spel 1").fill("1600")
    page.get_by_label("Kleur, spel 1").select_option("Wit")
    page.get_by_label("Uitslag, spel 1").select_option("1 gewen")
    expect(page.locator("#answer .big").first).to_have_text(re.compile(r"^1\u202f\d{3},\d$"))
    page.get_by_role("button", name="Voeg ’n spel by").click()
    expect(page.get_by_role("button", name="Verwyder spel 4")).to_be_visible()
    page.context.close()


@pytest.fixture(scope="module")
def afrikaans_window(browser: Browser):
    """A window of a reader whose browser asks for Afrikaans."""
    context = browser.new_context(locale="af-ZA")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_in_afrikaans_fit(afrikaans_window: Page, site, address):
    afrikaans_window.goto(site + address)
    assert afrikaans_window.locator("html").get_attribute("lang") == "af"
    for size in (NARROW, PHONE, DESK):
        afrikaans_window.set_viewport_size(size)
        assert afrikaans_window.evaluate("document.documentElement.scrollWidth") <= size["width"]
