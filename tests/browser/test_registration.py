"""Registering an event in Chromium: with the keyboard alone, as one goes, and in two browsers at once."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.faults.bureau import Bureau

PEOPLE = """
from datetime import date
from accounts.models import User
from events.models import Arbiter
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
User.objects.create_user("officer@example.org", "mopane-mopane", is_staff=True, is_officer=True)
Arbiter.objects.create(name="Grace Tenza", title="IA")
register_players([NewPlayer("Nkosi", "Thandi")], at=CLOCK)
"""


@pytest.fixture(scope="module")
def bureau_site(tmp_path_factory):
    """The address of a bureau with an administrator, an arbiter and an organiser."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("registration"))
    bureau.python(PEOPLE)
    yield bureau.serve()
    bureau.close()


def log_in(page, site):
    page.goto(f"{site}/events/register/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_selector("form[data-registration]")
    page.wait_for_load_state()  # what is typed before the script is there asks nothing


def reach(page, selector, most=80, key="Tab"):
    """Go on with Tab until the element has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"Tab does not reach {selector}")


def type_day(page, selector, day):
    reach(page, selector)
    page.keyboard.type(f"{day:%m%d%Y}")


def fill_in(page, name, days):
    day = timezone.localdate() + timedelta(days=days)
    reach(page, "#id_name")
    page.keyboard.type(name)
    type_day(page, "#id_starts", day)
    type_day(page, "#id_ends", day)
    for selector, text in (
        ("#id_place", "Pretoria"),
        ("#id_organiser_name", "Thandi Nkosi"),
        ("#id_organiser_number", "100000001"),
        ("#id_section-0-base", "15"),
        ("#id_section-0-increment", "10"),
        ("#id_section-0-rounds", "5"),
        ("#id_arbiter-0-arbiter", "International Arbiter Grace"),
    ):
        reach(page, selector)
        page.keyboard.type(text)
    page.keyboard.press("Tab")
    expect(page.locator("#arbiter-0-facts")).to_contain_text("Chief Arbiter")
    expect(page.locator("#section-0-facts")).to_contain_text("An arbiter in every round")
    expect(page.locator("#status")).to_have_text(re.compile("^Draft saved at"))


def test_in_time_by_keyboard_alone(page, bureau_site, complaints):
    log_in(page, bureau_site)
    fill_in(page, "Mopane Open", 30)
    assert re.search(r"/events/\d+/edit/$", page.url)
    assert "Rapid game, 25 minutes" in page.inner_text("#section-0-facts")
    reach(page, 'button[value="register"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(".trail")
    assert "Mopane Open is registered." in page.inner_text("main")
    assert complaints == []


def test_late_and_permitted_by_keyboard_alone(page, bureau_site, browser):
    log_in(page, bureau_site)
    fill_in(page, "Late Open", 1)
    assert "closed" in page.inner_text("#deadline")
    reach(page, "#id_reason")
    page.keyboard.type("The hall was let twice.")
    reach(page, 'button[value="register"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(".trail")
    assert "Late: permission asked" in page.inner_text(".trail")
    officer_page = browser.new_context().new_page()
    officer_page.goto(f"{bureau_site}/account/")
    officer_page.fill("#id_username", "officer@example.org")
    officer_page.fill("#id_password", "mopane-mopane")
    officer_page.press("#id_password", "Enter")
    officer_page.wait_for_selector("text=1 late registration")
    reach(officer_page, "a[href*='state__exact=late']")
    officer_page.keyboard.press("Enter")
    officer_page.wait_for_selector("#result_list")
    reach(officer_page, "#result_list input.action-select")
    officer_page.keyboard.press("Space")
    reach(officer_page, 'select[name="action"]', key="Shift+Tab")
    officer_page.keyboard.type("Register")
    reach(officer_page, 'input[name="reason"]')
    officer_page.keyboard.type("Once, for the hall.")
    reach(officer_page, 'button[name="index"]')
    officer_page.keyboard.press("Enter")
    officer_page.wait_for_selector(".messagelist .success")
    page.reload()
    assert "Registered" in page.inner_text(".trail li:not(.next-step) >> nth=1")
    assert "Once, for the hall." in page.locator("details.said-of-it").text_content()


def test_a_second_browser_does_not_overwrite_the_first(page, bureau_site):
    log_in(page, bureau_site)
    fill_in(page, "Shared Open", 30)
    other = page.context.new_page()
    other.goto(page.url)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.fill("#id_place", "Cullinan")
        page.press("#id_place", "Tab")
    other.fill("#id_place", "Benoni")
    other.press("#id_place", "Tab")
    other.wait_for_selector("text=Not saved: it was changed meanwhile")
    assert other.input_value("#id_place") == "Benoni"
    page.reload()
    assert page.input_value("#id_place") == "Cullinan"


def test_what_is_wrong_and_new_rows_appear_as_one_goes(page, bureau_site, complaints):
    log_in(page, bureau_site)
    day = timezone.localdate() + timedelta(days=30)
    for selector, text in (("#id_name", "Karoo Open"), ("#id_starts", f"{day}"), ("#id_ends", f"{day - timedelta(1)}")):
        page.fill(selector, text)
        page.press(selector, "Tab")
    expect(page.locator("#status")).to_have_text(re.compile("^Not saved yet. Last day: The last day comes before"))
    expect(page.locator("#id_ends")).to_have_attribute("aria-describedby", "id_ends_error")
    expect(page.locator(".problem")).to_have_count(1)
    page.fill("#id_ends", f"{day + timedelta(1)}")
    page.press("#id_ends", "Tab")
    expect(page.locator("#status")).to_have_text(re.compile("^Draft saved at"))
    expect(page.locator(".wrong, [aria-invalid]")).to_have_count(0)
    page.get_by_role("button", name="Add a section").click()
    expect(page.locator("#id_section-1-name")).to_be_focused()
    page.keyboard.type("Blitz")
    page.fill("#id_section-1-base", "5")
    page.fill("#id_section-1-rounds", "3")
    page.press("#id_section-1-rounds", "Tab")
    days = page.locator("#section-1-days .days input")
    expect(days).to_have_count(3)
    days.first.fill(f"{day - timedelta(1)}")
    days.first.press("Tab")
    expect(page.locator("#section-1-days .wrong .problem")).to_have_count(1)
    days.first.fill(f"{day}")
    days.first.press("Tab")
    expect(page.locator("#section-1-days .wrong")).to_have_count(0)
    expect(days.first).to_have_value(f"{day}")
    page.get_by_role("button", name="Remove section 1").click()
    expect(page.locator("#id_section-0-name")).to_have_value("Blitz")
    expect(page.get_by_role("button", name="Add a section")).to_be_focused()
    page.fill("#id_place", "Beaufort West")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".said")).to_have_text(re.compile("^Draft saved at"))
    expect(page.locator("#id_place")).to_have_value("Beaufort West")
    expect(page.locator("[data-row=section]")).to_have_count(1)
    assert complaints == []
    page.context.clear_cookies(name="sessionid")
    page.fill("#id_place", "Prince Albert")
    page.press("#id_place", "Tab")
    expect(page.locator("#status")).to_contain_text("you are logged out")


def test_a_wrong_field_loses_nothing_and_leaving_warns_only_of_what_is_not_kept(page, bureau_site, browser):
    log_in(page, bureau_site)
    day = timezone.localdate() + timedelta(days=40)
    for selector, text in (("#id_name", "Gamka Open"), ("#id_starts", f"{day}"), ("#id_ends", f"{day}")):
        page.fill(selector, text)
        page.press(selector, "Tab")
    expect(page.locator("#status")).to_have_text(re.compile("^Draft saved at"))
    for selector, text in (("#id_organiser_number", "123"), ("#id_place", "Laingsburg"), ("#id_section-0-base", "90")):
        page.fill(selector, text)
        page.press(selector, "Tab")
    expect(page.locator("#status")).to_have_text(
        re.compile("^Draft saved at .* stays as you typed it. Chief Organiser’s")
    )
    page.reload()  # nothing asks whether to leave
    other = browser.new_page()
    log_in(other, bureau_site)
    other.goto(page.url)
    for window in (page, other):
        expect(window.locator("#id_organiser_number")).to_have_value("123")
        expect(window.locator("#id_organiser_number_errors")).to_contain_text("Nobody on the register has")
        expect(window.locator("#id_place")).to_have_value("Laingsburg")
        expect(window.locator("#id_section-0-base")).to_have_value("90")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.focus("#id_results_url")
    page.keyboard.type("example.org")
    page.reload()
    assert asked == ["beforeunload"]
    other.close()


def test_who_logs_in_again_in_another_tab_goes_on(page, bureau_site):
    log_in(page, bureau_site)
    fill_in(page, "Namib Open", 30)
    page.context.clear_cookies(name="sessionid")
    log_in(page.context.new_page(), bureau_site)
    page.fill("#id_place", "Upington")
    page.press("#id_place", "Tab")
    expect(page.locator("#status")).to_have_text(re.compile("^Draft saved at"))
    page.context.clear_cookies(name="csrftoken")
    page.fill("#id_place", "Springbok")
    page.press("#id_place", "Tab")
    expect(page.locator("#status")).to_have_text(re.compile("^Not saved: this page is out of date"))
    page.context.new_page().goto(f"{bureau_site}/events/register/")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".said")).to_have_text(re.compile("^Draft saved at"))
    expect(page.locator("#id_place")).to_have_value("Springbok")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(page, bureau_site, width):
    log_in(page, bureau_site)
    page.set_viewport_size({"width": width, "height": 900})
    for address in ("/events/register/", "/events/mine/", "/events/calendar/"):
        page.goto(f"{bureau_site}{address}")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
