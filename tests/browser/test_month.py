"""A month on the desk in Chromium, from its checks to the published list, with a real worker."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_arbiters import log_in
from tests.faults.bureau import Bureau

ACCEPTED = """
from accounts.models import User
from events.models import Penalty
from tests.pages import builders
User.objects.create_user("officer@example.org", "mopane-mopane", first_name="Thandi", is_staff=True, is_officer=True)
players = builders.players(4)
section = builders.event("Mopane Open").sections.get()
builders.round_robin(section, players)
Penalty.objects.create(section=section, player=players[0], round=1, kind="forfeit", points=20)
"""


@pytest.fixture
def bureau(tmp_path):
    """A bureau with an officer, a worker, and a month of one event that has a penalty without a decision."""
    bureau = Bureau("embedded", tmp_path)
    bureau.python(ACCEPTED)
    bureau.site = bureau.serve()
    bureau.worker(clock=True)
    yield bureau
    bureau.close()


IDLE = """
import time
from django.contrib.sessions.models import Session
session = Session.objects.get()
store = session.get_session_store_class()(session.session_key)
{}
print(store["seen"])
"""


def test_a_page_with_work_under_way_keeps_no_session_open_and_shows_its_end(page, tmp_path, complaints):
    bureau = Bureau("embedded", tmp_path)
    bureau.python(ACCEPTED)
    bureau.site = bureau.serve()
    log_in(page, bureau.site, "officer", "/admin/events/ratingperiod/")
    page.get_by_role("link", name="2024-03").click()
    page.get_by_role("button", name="Calculate 2024-03").click()
    expect(page.locator("[data-under-way]")).to_have_count(1)
    listed = page.context.new_page()
    listed.goto(f"{bureau.site}/admin/ratings/ratingrun/")
    expect(listed.locator("#result_list")).to_contain_text("queued")
    seen = bureau.python(IDLE.format('store["seen"] = int(time.time()) - 11 * 3600; store.save()'))
    polls = []
    page.on("response", lambda answer: polls.append((answer.request.headers.get("x-poll"), answer.status)))
    with page.expect_response(page.url):
        pass
    with page.expect_response(page.url):
        pass
    bureau.worker()
    expect(page.get_by_role("link", name="Look at the result and publish")).to_be_visible()
    expect(page.locator("[data-under-way]")).to_have_count(0)
    expect(listed.locator("#result_list")).to_contain_text("calculated")
    assert set(polls) == {("1", 200)}
    assert bureau.python(IDLE.format("")) == seen
    page.reload()
    assert bureau.python(IDLE.format("")) != seen
    assert complaints == []
    bureau.python("from ratings.models import RatingRun; RatingRun.objects.update(state='running')")
    listed.reload()
    bureau.python(IDLE.format('store["seen"] = int(time.time()) - 13 * 3600; store.save()'))
    expect(listed.locator("main")).to_contain_text("Nothing was done for 12 hours")
    bureau.close()


def publish(page, typed):
    page.get_by_label("Month").fill(typed)
    page.get_by_role("button", name="Publish 2024-03").click()


@pytest.mark.rule("chessa 66")
def test_a_month_is_checked_calculated_looked_at_and_published_by_typing_it(page, bureau, complaints):
    log_in(page, bureau.site, "officer", "/admin/events/ratingperiod/")
    page.get_by_role("link", name="2024-03").click()
    month = page.url
    expect(page.locator("#penalties")).to_contain_text("The month is not published before.")
    page.get_by_role("button", name="Calculate 2024-03").click()
    page.get_by_role("link", name="Look at the result and publish").click()
    run = page.url
    expect(page.locator(".publish")).to_contain_text("Not yet: Proposed penalties without a decision: 1.")
    expect(page.get_by_role("button", name="Publish 2024-03")).to_have_count(0)
    page.goto(month)
    page.locator("#penalties a").click()
    page.get_by_label("Reason").and_(page.locator(":visible")).fill("He was ill.")
    page.get_by_role("button", name="Drop, with the reason").click()
    expect(page.locator(".messagelist")).to_contain_text("The penalty is dropped.")
    page.goto(run)
    page.get_by_role("link", name="The list in preview").first.click()
    expect(page.locator("main")).to_contain_text("Preview: not published.")
    expect(page.locator("tbody tr")).to_have_count(4)
    preview = page.locator("tbody").inner_text()
    page.goto(run)
    publish(page, "2024-04")
    expect(page.locator(".messagelist")).to_contain_text("Not published. Type the month, 2024-03")
    publish(page, "2024-03")
    expect(page.locator(".messagelist")).to_contain_text("is being published")
    bureau.wait_until("SELECT state FROM ratings_ratingrun", {"published"})
    publisher = "SELECT email FROM accounts_user JOIN ratings_ratingrun run ON run.published_by_id = accounts_user.id"
    assert bureau.value(publisher) == "officer@example.org"
    page.goto(f"{bureau.site}/lists/main/2024-03/")
    assert page.locator("main tbody").inner_text() == preview
    assert complaints == []
