"""Putting right, in Chromium: a published error, from report to corrected page; players who are one, merged and undone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_arbiters import log_in
from tests.faults.bureau import Bureau

PUBLISHED = """
from datetime import date
from accounts.models import User
from events.error_reports.operations import ReportedError, confirm, report_error
from tests.builders import CLOCK, MARCH, event_of, player, publish
User.objects.create_user("officer@example.org", "mopane-mopane", is_staff=True, is_officer=True)
cele, dube = player("Cele", "Zola", national_id="100000001"), player("Dube", "Ayanda", national_id="100000002")
event = event_of([(cele, dube, "0-1"), (dube, cele, "1/2-1/2"), (cele, dube, "1-0")])
publish()
error = ReportedError(
    section=event.sections.get(), player=None, round=1, month=MARCH, wrong="Round 1 is 0-1", right="It was 1-0",
    proof_url="", role="player", name="Zola Cele", email="zola@example.org",
)
confirm(report_error(error, at=CLOCK, by=None)[0], at=CLOCK)
player("Mokoena", "Naledi", birth_year=2001, national_id="100000003", fide_id=14300003)
twin = player("Mokoena", "Naledy", birth_year=2001, national_id="100000004", club="Mopane")
event_of([(twin, cele, "1-0")], date(2024, 4, 6), name="Mopane Blitz")
"""
WHY = "The score sheet of round 1 says so."


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with a published month, an officer and a worker."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("right"))
    bureau.python(PUBLISHED)
    bureau.site = bureau.serve()
    bureau.worker(clock=True)
    yield bureau
    bureau.close()


def test_from_a_report_to_the_players_corrected_page(page, bureau, complaints):
    log_in(page, bureau.site, "officer", "/admin/events/errorreport/")
    page.click("#result_list tbody th a")
    page.click("text=amend it")
    form = page.locator("details").filter(has=page.get_by_role("heading", name="A game’s result or colours"))
    form.locator("summary").click()
    form.locator("#id_result-game").select_option(index=1)
    form.locator("#id_result-right").select_option("1-0")
    form.locator("#id_result-reason").fill(WHY)
    form.locator("#id_result-report").select_option(index=1)
    form.get_by_role("button", name="Keep this as right").click()
    expect(page.locator(".messagelist")).to_contain_text("nothing published changes before the re-rating is published")
    page.goto(f"{bureau.site}/admin/ratings/amendment/")
    page.click("#result_list tbody tr:first-child .action-select")
    page.select_option("select[name=action]", "calculate")
    page.fill("#changelist-form input[name=reason]", "Round 1 was entered wrongly.")
    page.click("button[name=index]")
    expect(page.locator("#players tbody th").first).to_be_visible()
    cele = page.locator("#players tbody tr").filter(has_text="100000001").locator("td")
    expect(page.locator("details:has-text('difference') td").nth(1)).to_have_css(
        "text-align", "left"
    )  # Is right: words
    old, new = cele.nth(1).inner_text(), cele.nth(2).inner_text()
    assert old != new
    page.get_by_label("First month").fill("2024-03")
    page.get_by_role("button", name="Publish the corrected lists").click()
    bureau.wait_until("SELECT state FROM ratings_rerating", {"published"})
    page.goto(f"{bureau.site}/players/100000001/")
    page.click("summary:has-text('Ratings that were corrected')")
    main = page.locator("tr").filter(has_text="Round 1 was entered wrongly.").first.locator("td")
    assert [main.nth(1).inner_text(), main.nth(2).inner_text()] == [old, new]
    assert complaints == []


def test_a_player_who_is_there_twice_is_merged_and_the_merge_undone(page, bureau, complaints):
    bureau.python("from ratings.tasks import search_duplicates; search_duplicates()")  # as the clock does
    log_in(page, bureau.site, "officer", "/admin/ratings/merge/duplicates/")
    page.locator("tr").filter(has_text="100000004").get_by_role("link", name="Merge").click()
    rows = page.locator("#content-main").get_by_role("row")
    row = {
        name: rows.filter(has=page.get_by_role("rowheader", name=name))
        for name in ("Name", "FIDE id", "Club", "Sections")
    }
    expect(row["Name"]).to_contain_text(re.compile("Naledy.*Naledi", re.DOTALL))
    expect(row["Sections"]).to_contain_text("Mopane Blitz")
    row["Name"].get_by_label("Naledi").check()
    row["Club"].get_by_label("Mopane").check()
    row["FIDE id"].get_by_label("14300003").check()
    page.fill("#id_reason", "Her school wrote the name with a y.")
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("They are one player now.")
    merge = page.url
    page.goto(f"{bureau.site}/players/100000004/")
    assert page.url == f"{bureau.site}/players/100000003/"
    expect(page.locator("main")).to_contain_text("Mopane")
    page.goto(merge)
    page.fill("#id_reason", "They are sisters.")
    expect(page.get_by_label("Reason")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Undo the merge").click()
    expect(page.locator(".messagelist")).to_contain_text("They are two players again.")
    page.goto(f"{bureau.site}/players/100000004/")
    assert page.url == f"{bureau.site}/players/100000004/"
    expect(page.get_by_role("heading", level=1)).to_contain_text("Naledy")
    assert complaints == []
