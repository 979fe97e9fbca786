"""The admin's pages: who gets in where, which events he finds there, and nothing inline on any of them."""

import re
from datetime import date

import pytest

from accounts.models import User
from events.models import Appointment, Arbiter, Penalty
from players.models import RegionalAdministrator
from tests.builders import event_of, lines, officer, people, publish, region, round_robin, submitted, trf
from tests.kept import kept

MODELS = {
    "players": ["player", "region", "province", "title"],
    "events": ["event", "section", "arbiter", "penalty", "submission", "ratingperiod"],
    "ratings": ["ratinglist", "ratingrun", "notice", "merge", "importjob"],
    "accounts": ["user"],
}
PAGES = [f"{app}/{model}" for app, models in MODELS.items() for model in models]
EVENT_PAGES = {"events/event", "events/section", "events/penalty", "events/submission"}
MAY_SEE = {
    "superuser": {"accounts/user"},
    "officer": set(PAGES),
    "administrator": EVENT_PAGES | {"players/player", "events/arbiter"},
    "arbiter": EVENT_PAGES,
    "staff": set(),
}


@kept
def _made_world():
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA")
    for code, name in (("GAU", "Mopane Open"), ("LCP", "Baobab Open")):
        event = submitted(trf(lines(6), round_robin(6, "1=0" if code == "GAU" else "0="), name=name), code=code)
        section = event.sections.get()
        Penalty.objects.create(
            section=section, player=section.entries.first().player, round=2, kind="forfeit", points=20
        )
        event.name = name
        event.save()
        if code == "GAU":
            Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    event_of([(*people(2), "1-0")], code="LVT")
    publish()
    return arbiter


@pytest.fixture
def world(db):
    """An event in GAU with an appointed arbiter, one in LCP, each with a submission and a penalty; a published month."""
    return _made_world()


@pytest.fixture
def users(world):
    found = {
        "superuser": User.objects.create_superuser("chief@example.org"),
        "officer": officer(),
        "administrator": User.objects.create_user("gau@example.org", is_staff=True),
        "arbiter": User.objects.create_user("arbiter@example.org", is_staff=True),
        "staff": User.objects.create_user("staff@example.org", is_staff=True),
    }
    RegionalAdministrator.objects.create(user=found["administrator"], region=region(), since=date(2024, 1, 1))
    world.user = found["arbiter"]
    world.save()
    return found


def test_the_lists_that_a_role_may_see(users, client):
    for role, may_see in MAY_SEE.items():
        client.force_login(users[role])
        statuses = {page: client.get(f"/admin/{page}/").status_code for page in PAGES}
        assert statuses == {page: 200 if page in may_see else 403 for page in PAGES}, role


@pytest.mark.parametrize("role", ["player", None])
def test_whoever_is_not_of_the_staff_is_sent_to_the_login(db, client, role):
    if role:
        client.force_login(User.objects.create_user("player@example.org"))
    for page in ("", "events/event/", "events/submission/add/", "ratings/ratingrun/"):
        answer = client.get(f"/admin/{page}")
        assert (answer.status_code, answer.headers["Location"][:13]) == (302, "/admin/login/")


def test_events_sections_penalties_and_submissions_are_those_of_the_role(users, client):
    both, own = {"Mopane Open", "Baobab Open"}, {"Mopane Open"}
    for role, names in (("officer", both), ("administrator", own), ("arbiter", own)):
        client.force_login(users[role])
        for page in EVENT_PAGES:
            shown = client.get(f"/admin/{page}/").content.decode()
            assert {name for name in both if name in shown} == names, (role, page)


@pytest.mark.parametrize("role", ["administrator", "arbiter"])
def test_another_regions_event_is_not_there_and_ones_own_is_not_changed(users, client, role):
    from events.models import Event

    client.force_login(users[role])
    own, other = Event.objects.get(name="Mopane Open"), Event.objects.get(name="Baobab Open")
    assert client.get(f"/admin/events/event/{own.pk}/change/").status_code == 200
    assert client.get(f"/admin/events/event/{other.pk}/change/").status_code == 302
    assert client.post(f"/admin/events/event/{own.pk}/change/", {"name": "Mine"}).status_code == 403
    client.post("/admin/events/event/", {"action": "accept", "_selected_action": own.pk, "reason": "mine"})
    own.refresh_from_db()
    assert (own.name, own.state) == ("Mopane Open", "submitted")
    for page in ("events/event/add/", "players/player/add/"):
        assert client.get(f"/admin/{page}").status_code == 403
    assert client.get("/admin/events/submission/add/").status_code == 403


INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|\sstyle=\"|\son[a-z]+=\"|<style|javascript:"
)


def test_no_page_has_anything_inline(users, client):
    client.force_login(users["officer"])
    addresses = ["/admin/", "/admin/password_change/", "/admin/logout/"]
    for page in PAGES:
        addresses += [f"/admin/{page}/", f"/admin/{page}/add/"]
    for app, models in MODELS.items():
        for model in models:
            from django.apps import apps

            row = apps.get_model(app, model).objects.first()
            if row is not None:
                addresses += [f"/admin/{app}/{model}/{row.pk}/{place}/" for place in ("change", "history", "delete")]
    shown = 0
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code in (200, 302, 403, 405), address
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        if answer.status_code == 200:
            shown += 1
            assert INLINE.findall(answer.content.decode()) == [], address
    assert shown > 40
