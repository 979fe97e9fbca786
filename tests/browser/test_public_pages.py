import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

NARROW = {"width": 320, "height": 640}
PHONE, TABLET, DESK = {"width": 390, "height": 844}, {"width": 600, "height": 900}, {"width": 1280, "height": 900}
# WCAG 2.2 A and AA, and axe's own good practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# In the order in which the federation is made, events and players have these places.
ADDRESSES = [
    "/",
    "/lists/",
    "/lists/main/",
    "/lists/main/2024-03/?q=a",
    "/lists/main/?group=U20&sex=F&sort=change",
    "/lists/main/live/",
    "/lists/blitz/",
    "/statistics/",
    "/players/",
    "/players/?q=nobody",
    "/players/100000001/",
    "/players/100000002/",
    "/players/100000061/",
    "/players/100000001/statistics/",
    "/players/100000001/against/100000002/",
    "/compare/?players=100000001,100000002",
    "/players/100000001/2024-03/main/",
    "/lists/other-systems/",
    "/events/",
    "/events/?region=XXX",
    "/events/1/",
    "/events/2/",
    "/events/3/",
    "/events/4/",
    "/account/log-in/",
    "/account/reset/",
    "/account/reset/sent/",
    "/account/reset/a/b/",
    "/events/5/",
    "/events/calendar/",
    "/regions/",
    "/regions/GAU/",
    "/arbiters/1/",
    "/events/abroad/",
    "/calculators/",
    "/calculators/chessa/",
    "/downloads/",
    "/embed/?player=100000001",
    "/api/",
    "/api/v1/docs/",
    "/api/pushing/",
]


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds on the page that is open: each rule that is broken, and where."""
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"], "preload": False})
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found.response["violations"]]


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_fit_keep_the_policy_and_are_accessible(window: Page, site, complaints, address):
    window.set_viewport_size(PHONE)
    response = window.goto(site + address)
    assert response is not None
    assert response.status == 200
    assert violations(window) == []
    for size in (NARROW, PHONE, TABLET, DESK):
        window.set_viewport_size(size)
        assert window.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(window.locator("h1")).to_have_count(1)
    assert complaints == []


def test_a_page_that_is_not_found_is_accessible(window: Page, site):
    window.set_viewport_size(PHONE)
    window.goto(f"{site}/nothing/")
    assert violations(window) == []


@pytest.mark.parametrize(
    "address",
    [
        "/players/100000002/",
        "/players/100000003/",
        "/players/100000001/statistics/",
        "/players/100000001/2024-03/main/",
        "/players/100000001/2024-03/main/?full=1",
        "/events/1/",
    ],
)
def test_what_is_folded_reflows_in_narrow_windows_too(window: Page, site, address):
    window.set_viewport_size(NARROW)
    response = window.goto(site + address)
    assert response is not None
    assert response.status == 200
    for _ in range(2):  # there are folds within folds
        window.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    assert window.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.parametrize("address", ["/", "/lists/", "/lists/main/", "/players/", "/events/"])
def test_an_empty_bureau_fits_too(window: Page, empty_site, complaints, address):
    window.set_viewport_size(PHONE)
    window.goto(empty_site + address)
    assert window.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(window.locator(".empty").first).to_be_visible()
    assert complaints == []


def test_the_policy_itself_is_watched(page: Page, site, complaints):
    page.goto(site)
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')")
    assert any("Content Security Policy" in text for text in complaints)


def walk(page: Page, site: str) -> None:
    """From home to a list, to a player, to an event and back to a player."""
    page.goto(site)
    page.get_by_role("link", name="The whole Main list").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Main list, 1 May 2024")
    page.get_by_label("List of").select_option("1 Apr 2024")
    page.get_by_role("button", name="Show list").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Main list, 1 April 2024")
    page.get_by_label("Name or number", exact=True).fill("bezuid")
    page.get_by_role("button", name="Show list").click()
    page.get_by_role("row", name=re.compile("Bezuidenhout")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("van Nieuwenhuizen-Bezuidenhout")
    page.locator(".event-line summary", has_text="7 games").first.click()
    page.get_by_role("link", name="April Rapid", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("April Rapid")
    expect(page.get_by_text("Rated on the list of")).to_be_visible()
    page.get_by_role("link", name="Tom Ashby").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tom Ashby")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_from_home_to_an_event(page: Page, site, complaints, size):
    page.set_viewport_size(size)
    walk(page, site)
    assert complaints == []


def test_everything_works_without_script(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    walk(page, site)
    expect(page.locator(".chart svg[role=img]")).to_be_visible()
    expect(page.locator(".legend button")).to_have_count(0)
    page.get_by_text("The table behind the chart").click()
    expect(page.locator("#history")).to_be_visible()
    context.close()


def test_the_keyboard_alone_leads_to_a_player(page: Page, site):
    page.goto(site)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Find a player by name, Chess SA id or FIDE id")).to_be_focused()
    page.keyboard.type("ashby")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    page.get_by_role("link", name="Show everybody").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Tom Ashby")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tom Ashby")


def test_the_chart_is_read_by_arrows_and_pointer(page: Page, site):
    page.goto(f"{site}/players/100000001/")
    reading, chart = page.locator(".reading"), page.locator(".chart > svg")
    expect(reading).to_have_text(re.compile("^1 May 2024: Main 1.*Standard 1.*Rapid 1"))
    chart.focus()
    page.keyboard.press("ArrowLeft")
    expect(reading).to_have_text(re.compile("^1 Apr 2024: Main 1.*Standard 1"))
    expect(chart).to_have_attribute("aria-valuetext", re.compile("^1 Apr 2024"))
    page.keyboard.press("ArrowLeft")
    expect(reading).to_have_text(re.compile("^1 Apr 2024"))
    page.keyboard.press("End")
    expect(reading).to_have_text(re.compile("^1 May 2024"))
    chart.hover(position={"x": 5, "y": 40})
    expect(reading).to_have_text(re.compile("^1 Apr 2024"))


def test_the_legend_switches_a_line(page: Page, site):
    page.goto(f"{site}/players/100000001/")
    line = page.locator(".plot [data-list=standard]")
    button = page.get_by_role("button", name="Standard")
    button.click()
    expect(line).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".reading")).not_to_contain_text("Standard")
    button.click()
    expect(line).not_to_have_class(re.compile("off"))


def test_suggestions_by_keyboard_and_pointer(page: Page, site, complaints):
    page.goto(site)
    field = page.get_by_role("combobox")
    field.press_sequentially("bezui")
    option = page.get_by_role("option")
    expect(option).to_have_count(1)
    page.keyboard.press("Escape")
    expect(option).to_have_count(0)
    field.press("Backspace")
    expect(option).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("van Nieuwenhuizen-Bezuidenhout")
    page.get_by_role("combobox").press_sequentially("ashby")
    page.get_by_role("option", name="Tom Ashby").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tom Ashby")
    assert complaints == []


def test_dark_is_dark(browser, site):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(site)
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(red, green, blue) < 60
    context.close()


def test_the_desk_wears_the_same_colours_without_a_complaint(page: Page, site, complaints):
    page.goto(f"{site}/admin/")
    page.get_by_label("E-mail address").fill("chief@example.org")
    page.get_by_label("Password").fill("correct horse 9")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site}/admin/", wait_until="load")
    expect(page.get_by_role("link", name="Chess South Africa Ratings Bureau")).to_be_visible()
    paper = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--body-bg').trim()")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()") == paper
    assert complaints == []


def test_a_round_s_number_in_the_crosstable_opens_its_pairings(page: Page, site):
    page.set_viewport_size(PHONE)
    page.goto(f"{site}/events/1/")
    pairings = page.locator(".pairings").first
    expect(pairings).to_be_hidden()
    page.locator(".crosstable thead a").first.click()
    expect(pairings).to_be_visible()
