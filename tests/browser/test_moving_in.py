"""A federation moves in, in Chromium: from files on the desk to the first list and the players' pages."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_arbiters import log_in
from tests.faults.bureau import Bureau

OFFICER = """
from accounts.models import User
User.objects.create_user("officer@example.org", "mopane-mopane", is_staff=True, is_officer=True)
"""
# What the regions and arbiters do, which has walks of its own (test_results).
EVENT = """
from players.models import Player
from tests.builders import event_of
cele, dube = Player.objects.order_by("number")
event_of([(cele, dube, "0-1"), (dube, cele, "1/2-1/2")])
"""
REGISTER = (
    b"id,surname,first name,birth date,sex,region\n"
    b"100000001,Cele,Zola,2001-03-04,F,GAU\n"
    b"100000002,Dube,Ayanda,1990-05-17,M,GAU\n"
)
OPENING = b"id,raw,highest\n100000001,1400,1450\n100000002,1900,1950\n"
OLD_BUREAU = b"UNIQUE_NO,RATING\n100000001,1377\n100000002,1900\n"
PAGE = "/admin/ratings/importjob/first-steps/"


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with an officer and a worker."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("moving"))
    bureau.env["FEDERATION"] = "Namibia Chess"
    bureau.python(OFFICER)
    bureau.site = bureau.serve()
    bureau.worker(clock=True)
    yield bureau
    bureau.close()


def bring(page, bureau, link, content, month=""):
    """Choose a file behind a link of the first steps, and have it read."""
    page.goto(bureau.site + PAGE)
    page.click(f"text={link}")
    page.set_input_files("#id_file", {"name": "ratings_main.csv", "mimeType": "text/csv", "buffer": content})
    if month:
        page.fill("#id_month", month)
    page.click("text=Read the list")


def test_from_register_and_opening_balance_to_the_first_list(page, bureau, complaints):
    log_in(page, bureau.site, "officer", "/admin/")
    page.click("text=First steps")
    expect(page.locator("li.next")).to_contain_text("Officers and Regional Administrators")
    bring(page, bureau, "Bring in a register", REGISTER)
    page.click("text=Take it")
    expect(page.locator("#job")).to_contain_text("has written 2 new players")
    bring(page, bureau, "Bring in the opening balance", OPENING, month="2024-02")
    totals = page.get_by_role("region", name="Totals")
    expect(totals).to_contain_text("3300.0")
    page.check("#id_agreed")
    page.click("text=Sign the opening balance")
    expect(page.locator("#job")).to_contain_text("The first month to calculate is 2024-03")
    bureau.python(EVENT)
    bring(page, bureau, "Compare a trial month", OLD_BUREAU, month="2024-03")
    expect(page.locator("#job")).to_contain_text("2024-03: 2 games in 1 section. Nothing was published.")
    expect(page.locator("#job")).to_contain_text("of 2 players agree")
    page.goto(f"{bureau.site}/admin/events/ratingperiod/")
    page.click("text=2024-03")
    page.click("text=Calculate 2024-03")
    page.click("a:has-text('Look at the result')")  # the page loads itself again until the run is calculated
    page.click("text=The list in preview >> nth=0")
    expect(page.locator("main")).to_contain_text("Preview: not published.")
    page.go_back()
    page.fill("#id_month", "2024-03")
    page.click("text=Publish 2024-03")
    bureau.wait_until("SELECT state FROM ratings_ratingrun WHERE kind = 'calculated'", {"published"})
    page.goto(bureau.site + PAGE)
    expect(page.locator("li:has-text('The first list')")).to_contain_text("Published.")
    page.goto(f"{bureau.site}/players/100000001/")
    expect(page.locator("main")).to_contain_text("The ratings begin with the opening balance of")
    page.click("a[href='/players/100000001/2024-02/main/']")
    expect(page.locator("main")).to_contain_text("What was brought in")
    expect(page.locator("main")).to_contain_text(re.compile("1.?400"))
    assert complaints == []
