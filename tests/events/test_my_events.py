"""My events: what waits comes first with its clock, past years are folded, and regions have their own name."""

import re
from datetime import date, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from events.dashboard.queries import own_groups
from events.models import Section
from events.operations import add_section, move_event, register_event
from events.rules.deadlines import JOHANNESBURG, midnight_after
from events.rules.states import State
from events.wording import time_left
from players.administrators import called
from players.models import RegionalAdministrator
from tests.builders import CLOCK, details, officer, region

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 30, 21, 30, tzinfo=JOHANNESBURG)
TODAY = date(2026, 3, 30)


@pytest.fixture
def administrator():
    by = User.objects.create_user("gau@example.org", password="mopane-mopane", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
    return by


def event(name, day, *states):
    row = register_event(details(day, day, name=name), at=CLOCK)
    add_section(row, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day))
    for state in states:
        move_event(row, state, at=CLOCK, reason="why")
    return row


OVER = (State.SUBMITTED, State.ACCEPTED, State.CALCULATED, State.PUBLISHED)


def test_what_waits_comes_first_by_its_deadline_and_past_years_are_folded(administrator):
    event("Ahead", date(2026, 4, 20))
    event("Played", date(2026, 3, 29))
    event("Played before", date(2026, 2, 27))
    event("Returned", date(2026, 2, 20), State.SUBMITTED, State.RETURNED)
    event("With the officer", date(2026, 3, 1), State.SUBMITTED)
    event("This year", date(2026, 1, 4), *OVER)
    for year in (2024, 2025, 2025):
        event(f"Of {year}", date(year, 6, 1), *OVER)
    groups = own_groups(administrator, at=NOW, today=TODAY)
    shown = [(group.heading, group.folded, [row.event.name for row in group.rows]) for group in groups]
    assert shown == [
        ("Waits for you", False, ["Returned", "Played before", "Played"]),
        ("Registered", False, ["Ahead"]),
        ("With the ratings officer", False, ["With the officer"]),
        ("Published", False, ["This year"]),
        ("2025", True, ["Of 2025", "Of 2025"]),
        ("2024", True, ["Of 2024"]),
    ]
    returned, before, played = groups[0].rows
    assert (returned.clock, returned.main) == ("", "results")
    assert (before.clock, before.due) == ("1 day and 2 hours left", "by 31 Mar 2026 (article 61)")
    assert played.clock == "31 days and 2 hours left"


@pytest.mark.rule("chessa 61")
def test_the_clock_ends_at_midnight_in_south_africa():
    closes = midnight_after(date(2026, 3, 31))
    assert closes.utcoffset() == timedelta(hours=2)
    assert time_left(closes, at=closes - timedelta(minutes=1)) == "1 minute left"
    assert time_left(closes, at=closes) == "closed less than a minute ago"


def test_the_main_action_is_the_button(client, administrator):
    row = event("Played", timezone.localdate() - timedelta(days=2))
    client.force_login(administrator)
    page = client.get("/events/mine/").content.decode()
    button = re.search(r'<a class="button small"\s*href="([^"]*)"', page)
    assert button is not None
    assert button[1] == f"/events/{row.pk}/results/"
    assert "Waits for you" in page
    assert "South African time" in page


@pytest.mark.parametrize(
    ("user", "leads"), [("administrator", "/events/mine/"), ("officer", "/admin/"), ("nobody", "/account/")]
)
def test_a_log_in_leads_to_where_one_works(client, administrator, user, leads):
    users = {
        "administrator": lambda: administrator,
        "officer": lambda: officer(),
        "nobody": lambda: User.objects.create_user("nobody@example.org"),
    }
    one = users[user]()
    one.set_password("mopane-mopane")
    one.is_staff = user != "nobody"
    one.save()
    answer = client.post("/account/log-in/", {"username": one.email, "password": "mopane-mopane"})
    assert (answer.status_code, answer["Location"]) == (302, leads)
    menu = client.get("/players/").content.decode()
    assert ('href="/events/mine/"' in menu) is (user != "officer")


def test_a_region_goes_by_its_name(client, administrator):
    client.force_login(administrator)
    assert '<a href="/account/">Gauteng</a>' in client.get("/players/").content.decode()
    assert called(administrator) == "Gauteng"
    administrator.first_name, administrator.last_name = "Thandi", "Nkosi"
    assert called(administrator) == "Thandi Nkosi"
    assert called(User.objects.create_user("nameless@example.org")) == "nameless@example.org"
