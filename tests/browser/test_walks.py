"""The walks of readers through the public pages: why a rating moved, a list in a spreadsheet, players beside each other."""

import csv
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_public_pages import DESK, PHONE

# Has games in March and none in April, where the weighted average moves the rating.
QUIET = "100000009"
# Of the element itself, and of what covers its row.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
OUTLINES = "element => [null, '::after'].map(part => getComputedStyle(element, part).outlineStyle)"


def without_games(page: Page) -> None:
    """Hold what the explanation of a month without games says, and that it leads to the figure of the player's page."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Main rating of Given Zulu008, 1 May 2024")
    expect(page.locator(".lead")).to_contain_text("−3.1 against the list a month before, after no rated game in April")
    expect(page.get_by_role("main")).to_contain_text("Weighted rating")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_why_a_rating_moved_without_games_and_whom_the_player_met(page: Page, site, complaints, size):
    page.set_viewport_size(size)
    page.goto(site)
    page.get_by_role("combobox").fill("zulu008")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Given Zulu008").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Given Zulu008")
    expect(
        page.get_by_text("No rated game; the weighted average of the last 24 ratings took 3.1 away.").first
    ).to_be_visible()
    page.get_by_role("link", name="Explain −3.1 on the Main list, April 2024").click()
    without_games(page)
    page.go_back()
    page.locator("details.month summary", has_text="March 2024").click()
    page.locator(".event-line summary", has_text="10 games").click()
    page.get_by_role("link", name="Given Zulu039").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Given Zulu039")
    assert complaints == []


def test_a_narrowed_list_is_downloaded_as_it_is_shown(page: Page, site, complaints):
    page.goto(f"{site}/lists/main/")
    page.locator("details.more summary").click()
    page.get_by_label("Sex").select_option("F")
    page.get_by_label("Order").select_option("change")
    page.get_by_label("Name or number", exact=True).fill("zulu")
    page.get_by_role("button", name="Show list").click()
    expect(page.locator("caption")).to_contain_text("52 players found")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download these 52 players").click()
    assert download.value.suggested_filename == "main-2024-04-selection.csv"
    rows = list(csv.DictReader(download.value.path().read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 52
    shown = [
        [row.get_attribute("id"), row.locator(".rating").inner_text(), row.locator("td").last.inner_text()]
        for row in page.locator("table.rows tbody tr").all()
    ]
    assert [[f"n{row['number']}", row["rating_shown"], row["change_shown"]] for row in rows[: len(shown)]] == shown
    assert len(shown) == 50
    changes = [float(row["change"]) for row in rows]
    assert changes == sorted(changes, reverse=True)
    assert complaints == []


def test_two_players_are_compared(page: Page, site, complaints):
    page.goto(f"{site}/players/100000001/")
    page.get_by_role("link", name="Compare with others").click()
    page.get_by_label("Chess SA ids").fill(f"100000001, {QUIET}")
    page.get_by_role("button", name="Compare players").click()
    expect(page.locator("table").first.get_by_role("link")).to_have_text(["Tom Ashby", "Given Zulu008"])
    expect(page.locator("#chart-text")).to_have_text(re.compile("Tom Ashby: 1.*Given Zulu008: 1", re.S))
    assert complaints == []


def test_players_to_compare_are_suggested_by_name(page: Page, site, complaints):
    page.goto(f"{site}/compare/?players=100000001")
    field = page.get_by_label("Chess SA ids")
    field.press("End")
    field.press_sequentially(" zulu008")
    expect(page.locator(".suggestions [role=option]:visible")).to_have_count(1)
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value(f"100000001, {QUIET}, ")
    field.press("Enter")
    expect(page.locator("table").first.get_by_role("link")).to_have_text(["Tom Ashby", "Given Zulu008"])
    assert complaints == []


def with_history(route: Route) -> None:
    """Answer with the page, its table behind the chart as long as a history of two years."""
    response = route.fetch()
    head, table, rest = response.text().partition('history ours"')
    columns, _, rest = rest.partition("<tbody>")
    rows = [
        f'<tr data-month="1 {month} {year}" data-place="{4 * place}"><th>x</th>{"<td>1500</td>" * 12}</tr>'
        for place, (year, month) in enumerate((year, month) for year in (2024, 2025) for month in MONTHS)
    ]
    body = head + table + columns + "<tbody>" + "".join(rows) + rest[rest.index("</tbody>") :]
    route.fulfill(response=response, body=body)


def test_the_chart_is_zoomed_by_button_and_by_key(page: Page, site, complaints):
    page.route(f"{site}/players/100000001/", with_history)
    page.goto(f"{site}/players/100000001/")
    chart, plot = page.get_by_role("slider"), page.locator(".chart svg.plot")
    whole = plot.get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    half = plot.get_attribute("viewBox")
    assert float(half.split()[2]) == pytest.approx(float(whole.split()[2]) / 2)
    assert 2 <= page.locator(".zoomed-month").count() <= 8
    expect(chart).to_have_attribute("aria-valuetext", re.compile("^1 Dec 2025"))
    chart.focus()
    page.keyboard.press("Home")  # the stretch that is seen follows
    expect(chart).to_have_attribute("aria-valuetext", re.compile("^1 Jan 2024"))
    assert float(plot.get_attribute("viewBox").split()[0]) == 0
    for _ in range(3):
        page.keyboard.press("+")
    expect(page.get_by_role("button", name="Zoom in")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("0")
    assert plot.get_attribute("viewBox") == whole
    expect(page.locator(".zoomed-month")).to_have_count(0)
    assert complaints == []


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the element of this name has the focus, which is visible at each step."""
    for _ in range(150):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        assert focused.evaluate(OUTLINES) != ["none", "none"], focused.inner_html()
        if re.search(
            name, focused.evaluate("element => element.getAttribute('aria-label') || element.textContent.trim()")
        ):
            expect(focused).to_be_in_viewport()
            return
    raise AssertionError(f"Tab does not reach “{name}”")


def test_the_keyboard_alone_finds_out_why(page: Page, site):
    page.goto(site)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Tab")
    while not page.get_by_role("combobox").evaluate("field => field === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.type("zulu008")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    for name in ("Skip to the content", "^Given Zulu008$"):
        tab_to(page, name)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Given Zulu008")
    for name in ("Skip to the content", "^Explain −3.1 on the Main list, April 2024$"):
        tab_to(page, name)
        page.keyboard.press("Enter")
    without_games(page)
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    tab_to(page, "^Given Zulu008$")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Given Zulu008")
    for name in ("^March 2024", "10 games"):
        tab_to(page, name)
        page.keyboard.press("Enter")
    tab_to(page, "^Given Zulu039$")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Given Zulu039")
