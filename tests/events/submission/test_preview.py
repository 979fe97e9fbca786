"""What an event's files would give, seen before they are sent in, and until the rating changes are published."""

import pytest
from django.utils import timezone

from events.models import Entry, Submission
from events.public.outlook import before_sending, sent_in
from events.rules.states import WITH_OUTLOOK, State
from events.submission.rehearsal import rehearsed
from players.models import Player
from players.operations import hide_player
from tests.builders import everything, officer, round_robin
from tests.events.submission.world import clean, do, known, lines, played, taken

pytestmark = pytest.mark.django_db


def page(client, event):
    address = f"/events/{event.pk}/results/preview/"
    return client.get(address) if State(event.state) in WITH_OUTLOOK else client.post(address)


def figures(outlooks):
    """Section by section: the lines of the standings, and what is expected of each player."""
    return [
        (
            [(row.rank, row.name, row.points, [cell.text for cell in row.cells]) for row in one.table.rows],
            [
                (
                    line.name,
                    [(rating.listing.code, rating.before, rating.after, rating.change) for rating in line.ratings],
                )
                for line in one.lines
            ],
        )
        for one in outlooks.sections
    ]


def test_it_shows_before_sending_what_is_there_after_it_and_writes_nothing(desk, administrator):
    known()
    event = played()
    taken(event)
    before = everything()
    shown = page(desk, event)
    assert shown.status_code == 200
    assert everything() == before
    text = shown.content.decode()
    assert "Expected ratings" in text
    assert "Crosstable" in text
    expected = figures(before_sending(event, by=administrator))
    assert len(expected[0][1]) == 6
    assert all(ratings for _, ratings in expected[0][1])
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert figures(sent_in(event)) == expected
    assert "not public" in page(desk, event).content.decode()


def test_newcomers_count_as_new_and_have_no_number_yet(desk, administrator):
    known(5)
    event = played()
    taken(event)
    before = everything()
    (one,) = before_sending(event, by=administrator).sections
    assert everything() == before
    assert len(one.part.unknown) == 1
    assert one.part.errors > 0
    assert one.part.undecided == []
    (newcomer,) = [line for line in one.lines if not line.number]
    assert [row.number for row in one.table.rows].count("") == 1
    assert newcomer.ratings[0].before == "unrated"
    assert "count" in page(desk, event).content.decode()


def test_who_is_hidden_is_named_without_a_link_to_a_page_that_he_has_not(desk):
    shy, *_ = known()
    hide_player(shy, since=timezone.localdate(), by=officer(), at=timezone.now(), reason="asked")
    event = played()
    taken(event)
    for _ in ("before it is sent in", "after it"):
        text = page(desk, event).content.decode()
        assert text.count(shy.name) >= 2
        assert f"/players/{shy.number}/" not in text
        do(desk, event, "submit", declared="on")
        event.refresh_from_db()
    assert event.state == State.SUBMITTED


def test_lines_of_whom_it_is_open_who_they_are_are_left_out_of_the_ratings(desk, administrator):
    known(6)
    event = played()
    content = clean()
    name = lines(6)[0].name.encode()
    renamed = content.replace(name, name.replace(b"rff", b"rf").ljust(len(name)), 1)
    taken(event, renamed)
    (one,) = before_sending(event, by=administrator).sections
    assert len(one.part.undecided) == 1
    assert one.part.games == 5
    assert len(one.table.rows) == 6
    assert len(one.lines) == 5
    text = page(desk, event).content.decode()
    assert "It is open who this player is" in text
    assert "5 games with them change no rating here" in text


def test_a_newcomer_of_two_sections_is_one_player(administrator):
    event = played("A", "B")
    first, second = event.sections.order_by("position")
    taken(event, clean(), section=first)
    taken(event, clean(rounds=round_robin(6, "0=10")), section=second)
    with rehearsed(event, at=timezone.now(), today=timezone.localdate(), by=administrator) as rehearsal:
        assert rehearsal.undecided == set()
        assert len(rehearsal.newcomers) == 6
        assert Entry.objects.filter(section__event=event).count() == 12
    assert (Entry.objects.count(), Player.objects.count(), Submission.objects.count()) == (0, 0, 0)


def test_what_cannot_be_read_or_is_not_there_is_said(desk, administrator):
    known()
    event = played("A", "B")
    first, _ = event.sections.order_by("position")
    taken(event, clean()[:200], section=first)
    shown = page(desk, event).content.decode()
    assert "cannot be read in full" in shown
    assert "No file yet." in shown


def test_two_sections_with_one_file_are_shown_all_the_same(desk, administrator):
    known()
    event = played("A", "B")
    for section in event.sections.order_by("position"):
        taken(event, clean(), section=section)
    parts = [one.part for one in before_sending(event, by=administrator).sections]
    assert [part.problem for part in parts] == ["", ""]
    assert sum(part.errors for part in parts) >= 1


def test_only_its_own_people_and_officers_see_it(client, desk, arbiter):
    known()
    event = played()
    taken(event)
    do(desk, event, "submit", declared="on")
    client.logout()
    assert page(client, event).status_code == 302
    client.force_login(arbiter.user)
    assert page(client, event).status_code == 404
    client.force_login(officer())
    assert page(client, event).status_code == 200


def test_the_page_of_the_event_shows_it_to_its_own_people_alone(client, desk):
    known()
    event = played()
    taken(event)
    do(desk, event, "submit", declared="on")
    address = f"/events/{event.pk}/"
    own = desk.get(address).content.decode()
    assert "Expected ratings" in own
    assert "Adendorff" in own
    assert "not official" in own
    client.logout()
    public = client.get(address).content.decode()
    assert "Expected ratings" not in public
    assert "Adendorff" not in public


def test_the_address_of_the_answer_leads_back_to_the_files(desk):
    known()
    event = played()
    taken(event)
    address = f"/events/{event.pk}/results/preview/"
    back = desk.get(address)
    assert (back.status_code, back.url) == (302, f"/events/{event.pk}/results/")
    do(desk, event, "submit", declared="on")
    ahead = desk.post(address)
    assert (ahead.status_code, ahead.url) == (302, address)
