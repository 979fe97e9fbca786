"""The review page of the desk in Chromium: holds, decisions, keys, two officers at once."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.test_arbiters import log_in
from tests.faults.bureau import Bureau

WAITING = """
from datetime import date
from accounts.models import User
from events.models import PermissionRequest, Submission, SubmissionFinding
from events.rules.states import State
from tests.builders import CLOCK, open_file, region, submitted
from tests.pages import builders
from players.models import RegionalAdministrator
for name in ("officer", "second"):
    User.objects.create_user(
        f"{name}@example.org", "mopane-mopane", first_name=name.title(), is_staff=True, is_officer=True
    )
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
players = builders.federation(6)
held = submitted(open_file(dated=False))
submission = Submission.objects.get()
for line in (7, 9):
    SubmissionFinding.objects.create(
        submission=submission, severity="hold", code="x", article="14.4", line=line, column=15, end_column=18,
        message=f"Line {line} is odd.",
    )
third = builders.event("Three Holds", ends=date(2023, 5, 13), state=State.SUBMITTED)  # it has waited longest
builders.round_robin(third.sections.get(), players)
sent = Submission.objects.create(
    section=third.sections.get(), file=submission.file, name="b.txt", at=CLOCK, format="trf", encoding="utf-8"
)
for what in ("A", "B", "C"):
    SubmissionFinding.objects.create(submission=sent, severity="hold", code="x", message=f"{what} is odd.")
two = builders.event("Two Sections", ends=date(2024, 5, 18), sections=["A", "B"], state=State.SUBMITTED)
for section in two.sections.all():
    builders.round_robin(section, players)
PermissionRequest.objects.create(section=two.sections.first(), at=CLOCK, players=5, rounds=4, reason="ill", by=by)
for number in range(12):
    event = builders.event(f"Clean {number:02d}", ends=date(2024, 5, 11), state=State.SUBMITTED)
    builders.round_robin(event.sections.get(), players)
"""
WHY = "The arbiter telephoned."


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with two officers, two events with three holds, one of two sections, and twelve with nothing to decide."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("review"))
    bureau.python(WAITING)
    bureau.site = bureau.serve()
    yield bureau
    bureau.close()


def review_of(bureau, name):
    number = bureau.value(f"SELECT id FROM events_event WHERE name = '{name}'")
    return f"/admin/events/event/{number}/review/"


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_on_any_tab(page, bureau, complaints, width):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page, bureau.site, "officer", review_of(bureau, "Mopane Open"))
    for tab in page.locator(".tabs a").all():
        tab.click()
        expect(tab).to_have_attribute("aria-current", "true")
        rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
        assert [found["id"] for found in Axe().run(page, options=rules).response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []


@pytest.mark.rule("chessa 12")
def test_one_hold_is_waived_and_the_event_returned_with_a_letter(page, bureau, complaints):
    log_in(page, bureau.site, "officer", review_of(bureau, "Mopane Open"))
    expect(page.locator("#findings .finding.hold")).to_have_count(3)
    page.keyboard.press("r")
    expect(page.locator("#id_letter")).to_be_focused()
    page.keyboard.type("Dear colleague,")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    odd = page.locator("#findings .finding").nth(0)
    expect(odd).to_be_focused()
    page.keyboard.press("w")
    page.keyboard.type(WHY)
    page.keyboard.press("Enter")
    expect(page.locator(".finding.waived")).to_contain_text(f"by Officer: {WHY}")
    expect(page.locator(".finding.hold:not(.waived)")).to_have_count(2)
    expect(page.locator("#id_letter")).to_have_value("Dear colleague,")  # what was typed is still there
    page.locator(".finding.hold:not(.waived)").last.get_by_label("into the letter").check()
    expect(page.locator("#id_letter")).to_have_value("Dear colleague,\n\n" + page.locator(
        ".finding.hold:not(.waived) [data-letter]").last.get_attribute("data-letter"))  # fmt: skip
    page.get_by_role("button", name="Return event to GAU").click()
    expect(page.locator(".messagelist")).to_contain_text("Mopane Open: returned.")
    assert bureau.value("SELECT state FROM events_event WHERE name = 'Mopane Open'") == "returned"
    assert "Dear colleague," in bureau.value("SELECT reason FROM events_eventmove WHERE target = 'returned'")
    assert complaints == []


@pytest.mark.rule("chessa 11")
def test_a_section_is_refused(page, bureau, complaints):
    log_in(page, bureau.site, "officer", review_of(bureau, "Two Sections"))
    page.keyboard.press("x")
    page.get_by_label("B", exact=True).check()
    page.locator("#id_reason").fill("Blitz clocks")
    page.get_by_role("button", name="Refuse", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Two Sections, B: refused.")
    expect(page.locator(".summary")).to_contain_text("refused")
    assert complaints == []


@pytest.mark.rule("chessa 18")
@pytest.mark.parametrize("width", [390, 1280])
def test_a_permission_is_answered_by_keys_on_a_page_of_the_same_shape(page, bureau, width):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page, bureau.site, "officer", "/admin/events/permissionrequest/1/change/")
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
    assert [found["id"] for found in Axe().run(page, options=rules).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        return
    page.keyboard.press("a")
    page.keyboard.type(WHY)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".messagelist")).to_contain_text("1 granted")
    assert bureau.value("SELECT answer FROM events_permissionrequest") == WHY


def test_two_officers_at_once(browser, bureau):
    address = review_of(bureau, "Clean 11")
    first, second = browser.new_context().new_page(), browser.new_context().new_page()
    with first.expect_response("**/review/claim/"):
        log_in(first, bureau.site, "officer", address)
    log_in(second, bureau.site, "second", address)
    expect(second.locator(".taken")).to_contain_text("Officer has this event open, since")
    second.keyboard.press("r")
    second.locator("#id_letter").fill("Please send the dates.")
    first.get_by_role("button", name="Accept event").click()
    expect(first.locator(".messagelist")).to_contain_text("Clean 11: accepted.")
    second.get_by_role("button", name="Return event").click()
    expect(second.locator(".problems")).to_contain_text("Clean 11 is accepted since")
    expect(second.locator(".problems")).to_contain_text("by Officer")
    expect(second.locator("#id_letter")).to_have_value("Please send the dates.")


class Walk:
    """An officer's way from the log-in on: the clicks, and the pages that were looked at."""

    def __init__(self, page, bureau):
        self.page, self.clicks, self.pages = page, 0, []
        page.goto(f"{bureau.site}/account/log-in/")
        page.fill("#id_username", "officer@example.org")
        page.fill("#id_password", "mopane-mopane")
        page.press("#id_password", "Enter")
        page.wait_for_url("**/admin/")

    def click(self, what):
        """Click on something of the page that is looked at."""
        address = self.page.url.partition("?")[0].partition("#")[0]
        if address not in self.pages:
            self.pages.append(address)
        self.clicks += 1
        what.click()


def test_a_clean_event_is_decided_in_two_clicks_and_two_pages_after_the_log_in(page, bureau):
    walk = Walk(page, bureau)
    walk.click(page.locator("#tray-clean").get_by_role("link", name="Begin"))
    walk.click(page.get_by_role("button", name="Accept event"))
    expect(page.locator(".messagelist")).to_contain_text("Clean 00: accepted.")
    assert (len(walk.pages), walk.clicks) == (2, 2)


@pytest.mark.rule("chessa 12")
def test_an_event_with_three_holds_is_decided_on_one_page_by_a_reason_and_a_click_for_each(page, bureau):
    walk = Walk(page, bureau)
    walk.click(page.locator("#tray-holds").get_by_role("link", name="Begin"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Three Holds")
    for waived in range(3):
        expect(page.locator(".finding.waived")).to_have_count(waived)
        hold = page.locator(".finding.hold:not(.waived)").first
        hold.get_by_label("Waive, because").fill(WHY)
        walk.click(hold.get_by_role("button", name="Waive this hold"))
    expect(page.locator("#accept")).to_contain_text("Nothing stands in the way.")
    walk.click(page.get_by_role("button", name="Accept event"))
    expect(page.locator(".messagelist")).to_contain_text("Three Holds: accepted.")
    assert (len(walk.pages), walk.clicks) == (2, 1 + 3 + 1)  # the desk and the review; to begin, each hold, to accept


def test_ten_clean_events_in_a_row_by_thirty_keys_at_most(page, bureau, complaints):
    log_in(page, bureau.site, "officer", "/admin/")
    page.goto(f"{bureau.site}/admin/events/event/review/next/?tray=clean")
    first = int(page.get_by_role("heading", level=1).inner_text().removeprefix("Clean "))  # 0, if none is accepted yet
    keys = 0
    for number in range(first, first + 10):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Clean {number:02d}")
        expect(page.locator(".review.scripted")).to_be_visible()
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        keys += 2
        expect(page.locator(".messagelist")).to_contain_text(f"Clean {number:02d}: accepted.")
    assert keys <= 30
    names = f"name BETWEEN 'Clean {first:02d}' AND 'Clean {first + 9:02d}'"
    assert bureau.value(f"SELECT count(*) FROM events_event WHERE state = 'accepted' AND {names}") == 10
    assert complaints == []


def test_everything_is_decided_without_script(browser, bureau):
    bureau.python("from events.models import Event\nEvent.objects.filter(name='Clean 11').update(state='submitted')")
    bureau.python(
        "from events.models import Section\nSection.objects.filter(event__name='Clean 11').update(period=None)"
    )
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, bureau.site, "officer", review_of(bureau, "Clean 11"))
    for panel in page.locator(".panel").all():
        expect(panel).to_be_visible()
    page.click("#return summary")
    page.get_by_role("button", name="Return event").click()
    expect(page.locator(".problems")).to_contain_text("Say what has to be corrected")
    page.fill("#id_letter", "Please send the dates.")
    page.get_by_role("button", name="Return event").click()
    expect(page.locator(".messagelist")).to_contain_text("Clean 11: returned.")
