"""A player on nine lists in Chromium: calm and readable on a phone, lines on demand."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.faults.bureau import Bureau

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
OTHERS = ["Irish", "US Chess", "Canada", "Irish once more", "A name as long as names of lists may be"]

FEDERATION = f"""
from ratings.models import RatingList
from tests.pages import builders
main = RatingList.objects.get(code="main")
for index, name in enumerate({OTHERS!r}):
    system = ["icu", "uscf", "cfc"][index % 3]
    RatingList.objects.create(code=f"other{{index}}", name=name, position=9 + index, system=system, starts_from=main)
builders.federation(8)
for day, control in ((11, (3, 2)), (25, (90, 30))):
    from datetime import date
    from players.models import Player
    made = list(Player.objects.order_by("number"))
    builders.round_robin(
        builders.event(f"May {{day}}", ends=date(2024, 5, day), time_control=control).sections.get(), made
    )
builders.publish(date(2024, 5, 1))
"""


@pytest.fixture(scope="module")
def nine(tmp_path_factory):
    """The address of a player on the four lists and five others, after three months."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("nine"))
    bureau.python(FEDERATION)
    yield f"{bureau.serve()}/players/100000001/"
    bureau.close()


def overhang(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("rest", ["", "2024-05/other0/", "2024-05/other1/?full=1", "2024-05/other2/"])
def test_no_page_scrolls_sideways(window: Page, nine, complaints, size, rest):
    window.set_viewport_size(size)
    window.goto(nine + rest)
    assert overhang(window) == 0
    for button in window.locator(".legend button").all():
        if button.get_attribute("aria-pressed") == "false":
            button.click()
    window.evaluate("document.querySelectorAll('details').forEach(folded => { folded.open = true })")
    assert overhang(window) == 0
    assert complaints == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_an_event_folds_the_other_systems_away(page: Page, nine, size):
    page.set_viewport_size(size)
    page.goto(nine)
    page.get_by_role("link", name="May 25").click()
    cell = page.get_by_role("link", name="A name as long as")
    expect(cell).to_be_hidden()
    page.get_by_text("Changes by other systems").click()
    expect(cell).to_be_visible()
    assert overhang(page) == 0


def test_the_lines_of_other_systems_wait_for_their_switches(page: Page, nine):
    page.set_viewport_size(DESK)
    page.goto(nine)
    main, other = page.locator(".plot [data-list=main]"), page.locator(".plot [data-list=other0]")
    switch, reading = page.get_by_role("button", name="Irish", exact=True), page.locator(".reading")
    expect(page.get_by_role("button", name="Main", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(other).to_be_hidden()
    expect(reading).not_to_contain_text("Irish")
    switch.scroll_into_view_if_needed()  # a click would scroll there
    before = main.bounding_box()
    switch.click()
    expect(other).to_be_visible()
    expect(reading).to_have_text(re.compile(r"^1 Jun 2024: Main 1.*Irish 1.\d{3}$"))
    switch.click()
    expect(other).to_be_hidden()
    assert main.bounding_box() == before


def test_without_script_every_line_is_drawn(browser, nine):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(nine)
    ends = page.locator("text.end")
    expect(ends).to_have_count(9)
    for end in ends.all():
        expect(end).to_be_visible()
    heights = sorted(round(box["y"]) for end in ends.all() if (box := end.bounding_box()))
    assert all(second - first >= 14 for first, second in pairwise(heights))
    context.close()
