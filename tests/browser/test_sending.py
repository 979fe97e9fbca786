"""My events leads to what waits; what a file would give is seen before it is sent in, and it is recalled, in Chromium."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.builders import lines, round_robin, trf
from tests.faults.bureau import Bureau

DAY = timezone.localdate() - timedelta(days=3)
EVENT = f"""
from datetime import date
from accounts.models import User
from events.models import Round, Section
from events.operations import add_section, register_event
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, details, lines, recognised
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
day = date.fromisoformat("{DAY}")
recognised(year=day.year)
people = [[*one.name.split(", "), date.fromisoformat(one.born.replace("/", "-"))] for one in lines(6)]
register_players([NewPlayer(last, first, birth_date=born, sex="M") for last, first, born in people], at=CLOCK)
event = register_event(details(day, day, name="Mopane Open"), at=CLOCK)
section = add_section(event, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day, planned_rounds=5))
Round.objects.bulk_create(Round(section=section, number=number, date=day) for number in range(1, 6))
"""


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with web server and worker, and an event that was played."""
    found = Bureau("embedded", tmp_path_factory.mktemp("sending"))
    found.python(EVENT)
    found.worker()
    yield found
    found.close()


@pytest.fixture(scope="module")
def address(bureau):
    """The address of the bureau."""
    return bureau.serve()


def begin(page, address):
    """Log in, which leads to My events."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/account/log-in/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    expect(page.get_by_role("heading", name="My events")).to_be_visible()


def test_after_the_log_in_what_waits_comes_first_with_its_button(page, address, complaints):
    begin(page, address)
    expect(page.locator("header").get_by_role("link", name="Gauteng")).to_be_visible()
    expect(page.get_by_label("Main").get_by_role("link", name="My events")).to_have_attribute("aria-current", "true")
    first = page.locator("section.own").first
    expect(first.get_by_role("heading", name="Waits for you")).to_be_visible()
    expect(first.locator(".due strong")).to_have_text(re.compile(r"day.* left"))
    expect(first.locator(".acts .button").first).to_have_text(re.compile("Upload results"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []


def test_what_it_gives_is_seen_sent_in_and_recalled(page, address, bureau, complaints, tmp_path):
    begin(page, address)
    page.locator(".acts .button").first.click()
    file = tmp_path / "open.trf"
    file.write_bytes(trf(lines(6), round_robin(6), starts=DAY, ends=DAY))
    page.wait_for_load_state()
    page.set_input_files("#id_file", file)
    page.get_by_role("button", name="See what it would give").click(timeout=60_000)
    expect(page.get_by_role("heading", name="Expected ratings")).to_be_visible()
    expect(page.locator(".expected tbody tr")).to_have_count(6)
    expect(page.locator(".crosstable tbody tr")).to_have_count(6)
    assert bureau.value("SELECT count(*) FROM events_entry") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name="Back to the files, to send in").click()
    page.get_by_label(re.compile("complete and correct")).check()
    page.get_by_role("button", name="Submit event").click()
    expect(page.locator(".said")).to_have_text("Mopane Open is submitted. The ratings officer has it now.")
    page.get_by_text("Recall it", exact=True).click()
    page.get_by_label("Why you recall it").fill("Round 3 was entered twice.")
    page.get_by_role("button", name="Recall results").click()
    expect(page.locator(".said")).to_have_text("Mopane Open is recalled: its files are here again, as you left them.")
    expect(page.get_by_role("button", name="Submit event")).to_be_visible(timeout=60_000)
    assert bureau.value("SELECT state FROM events_event") == "registered"
    assert complaints == []
