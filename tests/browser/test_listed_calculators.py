"""The calculators of other systems with the bureau's own lists, in Chromium: players by name, and events played again."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.faults.bureau import Bureau

PHONE = {"width": 390, "height": 844}
PLAYER, OTHER = "100000001", "100000003"
FEDERATION = """
from tests.pages import builders
for position, code in enumerate(("icu", "cfc"), start=5):
    builders.add_list(code, position=position)
builders.federation(8)
"""


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """The address of a bureau with an Irish and a Canadian list."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("lists"))
    bureau.python(FEDERATION)
    yield bureau.serve()
    bureau.close()


def fits(page: Page) -> None:
    """Nothing is wider than the page, folded away or not."""
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


@pytest.mark.parametrize("system", ["icu", "cfc"])
def test_players_are_found_by_name_and_their_ratings_taken(page: Page, lists, complaints, system):
    page.set_viewport_size(PHONE)
    page.goto(f"{lists}/calculators/{system}/")
    for name, typed, found in (("player", "ashb", "Tom Ashby"), ("p1", "cele", "Zola Cele")):
        field = page.locator(f"[name={name}]")
        field.press_sequentially(typed)
        expect(page.locator(".suggestions li:visible")).to_have_count(1)
        expect(page.locator(".suggestions li:visible")).to_contain_text(f"{system.upper()} 1")
        field.press("ArrowDown")
        field.press("Enter")
        if name == "player":
            expect(page.locator("#who")).to_contain_text(
                f"Calculating for {found}. On the {system.upper()} list of 1 May 2024"
            )
            expect(page.locator("[name=rt]")).to_have_attribute("placeholder", re.compile(r"^1\s\d{3}$"))
    page.locator("[name=r1]").select_option("1")
    expect(page.locator("#answer .big")).to_have_text(re.compile(r"^1\s\d{3}(\.\d)?$"))
    expect(page.locator("tr:has([name=p1]) .help")).to_have_text("Zola Cele")
    expect(page.locator("[name=o1]")).to_have_attribute("placeholder", re.compile(r"^1\s\d{3}$"))
    expect(page).to_have_url(re.compile(f"player={PLAYER}.*&p1={OTHER}&r1=1"))
    fits(page)
    assert complaints == []


@pytest.mark.parametrize("system", ["icu", "cfc"])
def test_without_script_numbers_are_enough(browser: Browser, lists, system):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{lists}/calculators/{system}/")
    page.locator("[name=player]").fill(PLAYER)
    page.locator("[name=p1]").fill(OTHER)
    page.locator("[name=r1]").select_option("h")
    page.locator("[name=p2]").fill("999999999")
    page.locator("[name=r2]").select_option("1")
    page.get_by_role("button", name="Calculate rating").click()
    page.get_by_role("link", name="Nobody on the register has the number 999999999.").click()
    expect(page.locator("[name=p2]")).to_be_in_viewport()
    page.locator("[name=p2]").fill("")
    page.locator("[name=o2]").fill("1500")
    page.get_by_role("button", name="Calculate rating").click()
    expect(page.locator("#answer .big")).to_be_visible()
    expect(page.locator("#who")).to_contain_text("Calculating for Tom Ashby")
    expect(page.locator("#explained")).to_contain_text("Zola Cele")
    context.close()


@pytest.mark.parametrize("system", ["icu", "cfc"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_an_event_is_played_again_with_another_result(browser: Browser, lists, system, script):
    context = browser.new_context(viewport=PHONE, java_script_enabled=script)
    page = context.new_page()
    page.goto(f"{lists}/players/{PLAYER}/2024-04/{system}/")
    page.get_by_role("link", name="Play April Rapid again").click()
    expect(page.locator("#who")).to_contain_text("Everybody else’s games stand as they were")
    after = page.locator("#answer dl div", has_text=f"{system.upper()} after").locator("dd")
    played = page.locator("#answer dl div", has_text="As it was played").locator("dd")
    as_it_was = played.inner_text()
    expect(after).to_have_text(as_it_was)
    page.wait_for_load_state()
    page.locator("[name=r1]").select_option("0")
    if not script:
        page.get_by_role("button", name="Calculate rating").click()
    expect(after).not_to_have_text(as_it_was)
    expect(played).to_have_text(as_it_was)
    expect(page).to_have_url(re.compile("section=.*r1=0"))
    fits(page)
    page.get_by_role("link", name="Change opponents or ratings too").click()
    expect(page.locator("[name=p1]")).to_have_value(re.compile(r"^\d{9}$"))
    context.close()
