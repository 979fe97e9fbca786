"""The officer's desk in Chromium: what axe finds on its pages, and whether they fit the screens of a desk and of a phone."""

import re

import pytest
from django.contrib import admin
from playwright.sync_api import Page, expect

import config.urls  # noqa: F401 - the desk's pages are known once it is loaded
from accounts.models import User
from tests.browser.test_public_pages import PHONE, violations

LISTS = sorted(
    f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry if model is not User
)
PAGES = ["/admin/", "/admin/accounts/user/", "/admin/events/", "/admin/ratings/merge/duplicates/", *LISTS]
FORMS = (
    "events/event",
    "events/section",
    "events/ratingperiod",
    "players/player",
    "players/region",
    "ratings/ratingrun",
)
ADDING = ("/admin/events/penalty/add/", "/admin/ratings/merge/add/", "/admin/events/arbiter/add/")
DESK = {"width": 1280, "height": 900}
WIDE = {"width": 1680, "height": 1000}
# Columns that run out of the window, or out of a frame in which they would have to be scrolled.
CUT_OFF = """() => [...document.querySelectorAll("main *")].filter((part) => {
  const box = part.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !part.closest(".visually-hidden");
}).concat([...document.querySelectorAll("main .results, main .differences")].filter(
  (frame) => frame.scrollWidth > frame.clientWidth + 1,
)).map((part) => part.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def desk(window: Page, site: str) -> Page:
    """The window of an officer who has logged in."""
    page = window
    page.goto(f"{site}/account/log-in/?next=/admin/")
    page.fill("#id_username", "chief@example.org")
    page.fill("#id_password", "correct horse 9")
    page.press("#id_password", "Enter")
    page.wait_for_url(f"{site}/admin/")
    return page


def test_axe_finds_nothing_on_the_desk_and_no_column_is_cut_off(desk: Page, site: str):
    desk.set_viewport_size(DESK)
    wrong: list[tuple[str, str, object]] = []
    waiting = [*PAGES, *ADDING]
    while waiting:
        address = waiting.pop(0)
        answer = desk.goto(site + address)
        assert answer is not None
        assert answer.status == 200, address
        wrong += [(address, rule, places) for rule, places in violations(desk)]
        wrong += [(address, "cut off", part) for part in desk.evaluate(CUT_OFF)]
        if address.removeprefix("/admin/").rstrip("/") in FORMS:
            first = desk.locator("#result_list tbody th a").first.get_attribute("href")
            waiting.append(str(first).partition("?")[0])
    assert wrong == []


@pytest.mark.parametrize("size", [PHONE, WIDE])
def test_the_desk_fits_a_phone_and_a_wide_screen(desk: Page, site: str, size):
    desk.set_viewport_size(size)
    for address in ("/admin/", "/admin/events/event/", "/admin/accounts/mail/", "/admin/events/penalty/"):
        desk.goto(site + address)
        assert desk.evaluate(CUT_OFF) == [], address


def test_on_a_phone_a_table_stands_row_below_row_with_the_names_of_its_columns(desk: Page, site: str):
    desk.set_viewport_size(PHONE)
    for model in ("events/event", "players/player"):
        desk.goto(f"{site}/admin/{model}/")
        first = desk.locator("#result_list tbody th a").first.get_attribute("href")
        desk.goto(f"{site}{first}")
        tables = desk.locator(".tabular table, .module.differences > table")
        assert tables.count()
        for table in tables.all():
            expect(table).to_have_class(re.compile("labelled"))
            assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth"), model
        assert desk.locator("[data-label]:visible").count(), model
        assert desk.evaluate(CUT_OFF) == [], model
        assert violations(desk) == [], model


def test_on_a_phone_a_caption_is_as_wide_as_its_table_and_numbers_stand_behind_their_names(desk: Page, site: str):
    desk.set_viewport_size(PHONE)
    desk.goto(f"{site}/admin/ratings/ratingrun/")
    desk.goto(f"{site}{desk.locator('#result_list tbody th a').first.get_attribute('href')}")
    tables = desk.locator(".module.differences table.labelled:visible").filter(has=desk.locator("caption"))
    assert tables.count()
    for table in tables.all():
        assert table.evaluate("table => table.caption.offsetWidth === table.clientWidth")
        for cell in table.locator("tbody tr").first.locator("td").all():
            expect(cell).to_have_css("text-align", "start")


def test_a_tray_leads_to_what_it_holds(desk: Page, site: str):
    desk.goto(f"{site}/admin/")
    tray = desk.locator("#tray-clean")
    assert "Submitted, clean" in tray.inner_text()
    tray.get_by_role("link", name="See all").click()
    expect(desk.locator("#result_list tbody tr")).to_have_count(1)
    desk.go_back()
    desk.locator("#tray-clean").get_by_role("link", name="Begin").click()
    expect(desk.locator("main")).to_contain_text("May Classic")


def test_a_day_has_no_note_about_the_hours_of_a_reader_elsewhere(desk: Page, site: str):
    desk.context.new_cdp_session(desk).send("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    desk.goto(f"{site}/admin/events/arbiter/add/")
    desk.get_by_text("Add another Membership").click()
    expect(desk.locator("#id_memberships-0-paid_on")).to_be_visible()
    expect(desk.get_by_text("server time")).to_have_count(0)
