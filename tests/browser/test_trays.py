"""The trays of the desk in Chromium, from the first page to an empty tray, on either database."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_arbiters import log_in
from tests.faults.bureau import KINDS, Bureau

WAITING = """
from datetime import date
from accounts.models import Mail, User
from events.rules.states import State
from tests.builders import CLOCK
from tests.pages import builders
for name in ("officer", "second"):
    User.objects.create_user(
        f"{name}@example.org", "mopane-mopane", first_name=name.title(), is_staff=True, is_officer=True
    )
players = builders.federation(6)
for number in range(4):
    event = builders.event(f"Clean {number}", ends=date(2024, 5, 11), state=State.SUBMITTED)
    builders.round_robin(event.sections.get(), players)
Mail.objects.create(
    kind="reminder", to="gau@example.org", subject="Results are due", text="By 28 February.", state="failed",
    last_error="550 no such mailbox", created_at=CLOCK,
)
"""
SEND = "from accounts.outbox.tasks import send_mails\nsend_mails()"


@pytest.fixture(scope="module", params=KINDS)
def bureau(request, tmp_path_factory):
    """A bureau with two officers, four events that can be accepted as they are, and a mail that failed."""
    bureau = Bureau(request.param, tmp_path_factory.mktemp("trays"))
    bureau.env |= {"EMAIL_URL": f"filemail:///{bureau.folder / 'mail'}"}
    bureau.python(WAITING)
    bureau.site = bureau.serve()
    yield bureau
    bureau.close()


def begin(page, tray):
    page.locator(f"#tray-{tray}").get_by_role("link", name="Begin").click()


def test_from_a_tray_through_reviews_and_a_failed_mail_until_its_tray_is_empty(page, bureau, complaints):
    log_in(page, bureau.site, "officer", "/admin/")
    expect(page.locator("#tray-clean strong")).to_have_text("4")
    begin(page, "clean")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clean 0")
    page.get_by_role("button", name="Accept event").click()
    expect(page.locator(".messagelist")).to_contain_text("Clean 0: accepted.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clean 1")
    expect(page.locator(".review.scripted")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clean 2")

    page.goto(f"{bureau.site}/admin/")
    expect(page.locator("#tray-clean strong")).to_have_text("3")
    expect(page.locator("#tray-mails strong")).to_have_text("1")
    begin(page, "mails")
    expect(page.get_by_role("main")).to_contain_text("550 no such mailbox")
    page.get_by_role("button", name="Send again").click()
    expect(page.locator(".messagelist")).to_contain_text("1 waiting to be sent again.")
    page.goto(f"{bureau.site}/admin/")
    expect(page.locator("#tray-mails")).to_have_count(0)
    expect(page.locator(".trays-empty")).to_contain_text("Mails that failed")
    bureau.python(SEND)
    assert bureau.value("SELECT state FROM accounts_mail") == "sent"
    (sent,) = (bureau.folder / "mail").iterdir()
    assert "Results are due" in sent.read_text()
    assert complaints == []


def test_two_officers_who_begin_with_one_tray(browser, bureau):
    first, second = browser.new_context().new_page(), browser.new_context().new_page()
    log_in(first, bureau.site, "officer", "/admin/")
    log_in(second, bureau.site, "second", "/admin/")
    with first.expect_response("**/review/claim/"):
        begin(first, "clean")
    name = first.get_by_role("heading", level=1).inner_text()
    begin(second, "clean")
    expect(second.get_by_role("heading", level=1)).to_have_text(name)
    expect(second.locator(".taken")).to_contain_text("Officer has this event open, since")
    first.keyboard.press("r")
    first.locator("#id_letter").fill("Please send the dates.")
    first.get_by_role("button", name="Return event").click()
    expect(first.locator(".messagelist")).to_contain_text(f"{name}: returned.")
    second.get_by_role("button", name="Accept event").click()
    expect(second.locator(".problems")).to_contain_text(f"{name} is returned since")
    expect(second.locator(".problems")).to_contain_text("by Officer")
    assert bureau.value(f"SELECT state FROM events_event WHERE name = '{name}'") == "returned"
