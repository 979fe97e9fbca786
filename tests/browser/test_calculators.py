import re

import pytest
from playwright.sync_api import Browser, Page, expect

PHONE, TABLET, DESK = {"width": 390, "height": 844}, {"width": 600, "height": 900}, {"width": 1280, "height": 900}
PLAYER = "100000001"
GAMES = [("1600", "1"), ("1700", "h"), ("1500", "0")]
ENTRIES = {
    "chessa": "m=1400&t=1400&o1=1600&c1=w&r1=1&o2=1700&c2=b&r2=h",
    "icu": "rt=1400&k=40&o1=1600&r1=1&o2=1700&r2=h",
    "uscf": "rt=1400&g=40&o1=1600&r1=1&o2=1700&r2=h",
    "cfc": "rt=1400&o1=1600&r1=1&o2=1700&r2=h",
}
WRONG = {system: query.replace("1400", "abc") for system, query in ENTRIES.items()}


@pytest.mark.parametrize(
    "address",
    [
        "/calculators/",
        *(f"/calculators/{system}/" for system in ENTRIES),
        *(f"/calculators/{system}/?{query}" for system, query in ENTRIES.items()),
        *(f"/calculators/{system}/?{query}&full=1" for system, query in ENTRIES.items()),
        *(f"/calculators/{system}/?{query}" for system, query in WRONG.items()),
        f"/calculators/chessa/?player={PLAYER}&section=1",
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


def calculate(page: Page, site: str, system: str, own: dict[str, str]) -> None:
    """Fill in a player and three games, and ask for the rating."""
    page.goto(f"{site}/calculators/{system}/")
    for label, text in own.items():
        page.get_by_label(label, exact=True).fill(text)
    for number, (rating, result) in enumerate(GAMES, start=1):
        row = page.locator(".rows-of-games tbody tr").nth(number - 1)
        row.locator(f"[name=o{number}]").fill(rating)
        row.locator(f"[name=r{number}]").select_option(result)
        if system == "chessa":
            row.locator(f"[name=c{number}]").select_option("w")
    page.get_by_role("button", name="Calculate rating").click()
    expect(page.locator("#answer .big").first).to_have_text(re.compile(r"^1\s\d{3}\.\d$|^1\s\d{3}$"))
    expect(page.locator("#explained li.step").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"o1=1600&(c1=w&)?r1=1"))


def test_on_a_phone_the_answer_comes_into_view_without_script(browser: Browser, site: str):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    try:
        page = context.new_page()
        calculate(page, site, "chessa", {"Raw rating on Main": "1500", "Raw rating on Standard": "1500"})
        expect(page.locator("#answer .big").first).to_be_in_viewport()
        page.locator("[name=o1]").fill("x")
        page.get_by_role("button", name="Calculate rating").click()
        expect(page.locator("main .problems")).to_be_in_viewport()
    finally:
        context.close()


OWN = {
    "chessa": {"Raw rating on Main": "1500", "Raw rating on Standard": "1500"},
    "icu": {"Rating before the event": "1500"},
    "uscf": {"Rating before the event": "1500", "Games before the event": "60"},
    "cfc": {"Rating before the event": "1500"},
}


@pytest.mark.parametrize("system", OWN)
@pytest.mark.parametrize("script", [True, False])
def test_a_walk_through_the_calculators(browser: Browser, site, system, script):
    context = browser.new_context(java_script_enabled=script, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{site}/")
    page.get_by_role("link", name="Calculators").click()
    expect(page.locator(".choices li")).to_have_count(4)
    calculate(page, site, system, OWN[system])
    context.close()


def test_rows_are_added_without_script(browser: Browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/calculators/icu/?{ENTRIES['icu']}")
    page.get_by_role("button", name="More rows").click()
    expect(page.locator(".rows-of-games tbody tr")).to_have_count(9)
    expect(page.locator("[name=o1]")).to_have_value("1600")
    expect(page.locator("#answer .big")).to_be_visible()
    context.close()


def test_rows_are_added_one_by_one_and_the_answer_follows(page: Page, site, complaints):
    page.goto(f"{site}/calculators/icu/?{ENTRIES['icu']}")
    before = page.locator("#answer .big").inner_text()
    page.get_by_role("button", name="Add a game").click()
    expect(page.locator("[name=p4]")).to_be_focused()
    page.locator("[name=o4]").fill("1800")
    page.locator("[name=r4]").select_option("1")
    expect(page.locator("#answer .big")).not_to_have_text(before)
    expect(page).to_have_url(re.compile("o4=1800&r4=1"))
    expect(page.locator("#address")).to_have_value(re.compile("o4=1800&r4=1"))
    for _ in range(26):
        page.get_by_role("button", name="Add a game").click()
    expect(page.get_by_role("button", name="Add a game")).to_have_count(0)
    expect(page.locator(".rows-of-games tbody tr")).to_have_count(30)
    assert complaints == []


def test_enter_rows_and_an_answer_that_stays_in_sight(page: Page, site, complaints):
    page.set_viewport_size(PHONE)
    page.goto(f"{site}/calculators/icu/")
    rows, tally, summary = (
        page.locator(".rows-of-games tbody tr"),
        page.locator("#tally"),
        page.locator("main .problems"),
    )
    expect(rows).to_have_count(3)
    page.get_by_label("Rating before the event").fill("1400")
    page.locator("[name=o1]").fill("1600")
    page.locator("[name=r1]").select_option("1")
    expect(tally).to_contain_text("New rating")
    expect(tally).to_be_in_viewport()
    expect(summary).to_have_count(0)
    answer = page.locator("#answer .big").inner_text()
    page.locator("[name=o2]").fill("15OO")
    page.locator("[name=r2]").select_option("h")
    expect(page.locator("#id_o2_error")).to_have_text("Enter a rating from −500 to 4000.")
    expect(summary).to_contain_text("game 2: enter a rating from −500 to 4000.")
    expect(page.locator("#answer .big")).to_have_count(0)
    expect(tally).to_have_text(re.compile("Not calculated"))
    page.get_by_role("button", name="Remove game 1").click()
    expect(rows).to_have_count(2)
    expect(page.locator("[name=o1]")).to_have_value("15OO")
    page.locator("[name=o1]").fill("1600")
    page.locator("[name=r1]").select_option("1")
    expect(page.locator("#answer .big")).to_have_text(answer)
    expect(summary).to_have_count(0)
    page.locator("[name=o2]").fill("1700")
    page.locator("[name=o2]").press("Enter")
    expect(page.get_by_role("link", name="Choose the result of game 2.")).to_be_visible()
    expect(rows).to_have_count(2)
    assert complaints == []


def test_an_opponent_is_found_by_name(page: Page, site, complaints):
    page.goto(f"{site}/calculators/chessa/?player={PLAYER}")
    expect(page.locator("main .who")).to_contain_text("Tom Ashby")
    field = page.locator("[name=p1]")
    field.press_sequentially("cele")
    expect(page.locator(".suggestions li:visible")).to_have_count(1)
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value(re.compile(r"^\d{9}$"))
    page.locator("[name=c1]").select_option("w")
    page.locator("[name=r1]").select_option("1")
    expect(page.locator("#answer .big")).to_have_count(2)
    expect(page.locator("tr:has([name=p1]) .help")).to_have_text("Zola Cele")
    assert complaints == []


def test_a_published_event_is_played_again(page: Page, site, complaints):
    page.goto(f"{site}/players/{PLAYER}/2024-04/main/")
    page.get_by_role("link", name="Play April Rapid again").click()
    expect(page.locator("main .who")).to_contain_text("April Rapid played again")
    page.wait_for_load_state()  # the script listens by then
    changed = page.locator("#answer .part").first
    start, as_played = changed.locator("dd").first.inner_text(), changed.locator(".new").inner_text()
    page.locator("[name=r1]").select_option("0")
    expect(changed.locator(".new")).not_to_have_text(as_played)
    expect(changed.locator("dd").first).to_have_text(start)
    assert complaints == []


def test_mistakes_lead_to_their_fields(page: Page, site):
    page.goto(f"{site}/calculators/icu/?{WRONG['icu']}")
    page.get_by_role("link", name="Enter a rating from −500 to 4000.").click()
    expect(page.get_by_label("Rating before the event")).to_be_focused()
    expect(page.get_by_label("Rating before the event")).to_have_value("abc")
