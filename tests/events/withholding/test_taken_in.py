"""The bureau takes in an event itself: one that was never registered, and one whose region sends nothing (article 12.2)."""

import pytest

from events.models import Event
from events.operations import open_holds
from events.rules.states import State
from events.submission.tasks import check_upload
from tests.builders import everything, officer, region
from tests.events.appeals.cases import act
from tests.events.registration.entries import NEW, ahead, entry, send
from tests.events.submission.world import clean, current, do, known, played, sent_file, taken

pytestmark = pytest.mark.django_db
DAY = ahead(-4)
WHY = "The region registered nothing, and the organiser sent us the file."


@pytest.fixture
def desk(client):
    """An officer's client."""
    client.force_login(officer())
    return client


def unregistered(**fields: object) -> dict[str, object]:
    """The registration of an event of another region's that was played four days ago."""
    control = {"section-0-base": 90, "section-0-increment": 30}
    return entry(DAY.isoformat(), region=region("LCP").pk, **{**control, **fields})


@pytest.mark.rule("chessa 12.2")
def test_an_event_that_nobody_registered_is_registered_submitted_and_accepted_by_an_officer(desk):
    known()
    answer = desk.post(NEW, unregistered(reason=WHY))
    event = Event.objects.get()
    assert answer["Location"] == f"/events/{event.pk}/"
    by = event.moves.last().actor
    assert [(move.source, move.target, move.reason, move.actor) for move in event.moves.all()] == [
        ("draft", "late", WHY, by), ("late", "registered", WHY, by),
    ]  # fmt: skip
    assert by.is_officer
    page = desk.get(f"/events/{event.pk}/").content.decode()
    assert f'href="/events/{event.pk}/results/"' in page
    do(desk, event, "upload", file=sent_file(clean(starts=DAY, ends=DAY)))
    check_upload(current(event).pk)
    do(desk, event, "submit", declared="on", reason=WHY)
    assert Event.objects.get().state == "submitted"
    for hold in open_holds(event):
        desk.post(f"/admin/events/event/{event.pk}/review/holds/{hold.pk}/", {"reason": WHY})
    assert act(desk, "event", "accept", [event], WHY)[-1] == f"1 accepted: {event}."
    section = event.sections.get()
    assert (section.games.count(), section.period.month) == (15, DAY.replace(day=1))


@pytest.mark.rule("chessa 12.2")
def test_the_officer_says_why(desk):
    page = desk.post(NEW, unregistered(reason=" "))
    assert page.status_code == 422
    assert "Say why the bureau takes it in all the same (article 12.2)" in page.content.decode()
    assert "Why the bureau takes it in" in page.content.decode()
    assert Event.objects.get().state == "draft"


@pytest.mark.rule("chessa 12.2", "chessa 60")
def test_a_region_still_asks_for_permission(browser_of):
    assert send(browser_of, starts=DAY.isoformat(), reason=WHY).status_code == 302
    assert Event.objects.get().state == "late"


@pytest.mark.rule("chessa 12.2", "chessa 57.3")
def test_an_officer_submits_what_the_region_keeps_back(desk):
    known()
    event = played()
    upload = taken(event)
    before = everything()
    assert desk.get(f"/events/{event.pk}/results/").status_code == 200
    assert everything() == before
    do(desk, event, "submit", declared="on", reason=WHY)
    event.refresh_from_db()
    upload.refresh_from_db()
    assert (event.state, upload.submission.by.is_officer) == (State.SUBMITTED, True)
