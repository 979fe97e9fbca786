"""No page of an event grows without bound: what it leaves out is said, and stands in the file."""

import pytest

from config.lib.shown_rows import MOST_SHOWN
from events.models import Event
from events.operations import accept_event
from events.public import page_size
from tests.builders import CLOCK, lines, officer, round_robin, submitted, trf
from tests.events.submission.large import MANY, held_and_sent

pytestmark = pytest.mark.django_db
ROUNDS = 3


def shown(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def accepted() -> Event:
    """An accepted event of more players than are shown where not all are."""
    event = held_and_sent()
    event.state = "accepted"
    event.save()
    return event


def standings(page: str) -> int:
    """How many players stand in the standings of a page."""
    table = page[page.index('<table class="rows sticky standings">') :]
    return table[: table.index("</table>")].count('<th scope="row">')


def test_an_event_of_usual_size_is_shown_whole(client):
    page = shown(client, f"/events/{accepted().pk}/")
    assert standings(page) == MANY
    assert page.count('<details class="round">') == ROUNDS
    assert "too large" not in page


@pytest.mark.parametrize(("limit", "most"), [("MOST_LINES", MANY - 1), ("MOST_CELLS", MANY * ROUNDS - 1)])
def test_of_a_large_one_the_first_hundred_are_shown_and_the_way_to_all(client, monkeypatch, limit, most):
    event = accepted()
    monkeypatch.setattr(page_size, limit, most)
    monkeypatch.setattr(page_size, "MOST_PAIRED", 0)
    page = shown(client, f"/events/{event.pk}/")
    assert standings(page) == MOST_SHOWN
    assert page.count('class="pinned"><span class="line">') == MOST_SHOWN
    assert f"here are the first {MOST_SHOWN} of {MANY} players" in page
    assert f"{MANY} players, {ROUNDS} rounds" in page
    section = event.sections.get().pk
    for address in (f"/events/{event.pk}/sections/{section}.trf", f"/api/v1/sections/{section}/"):
        assert f'<a href="{address}">' in page
        assert client.get(address).content.decode().count("Sip") >= MANY
    assert f"#section-{section}-round-" not in page
    assert "leads to its pairings" not in page


def test_pairings_are_left_out_first(client, monkeypatch):
    event = accepted()
    monkeypatch.setattr(page_size, "MOST_PAIRED", MANY * ROUNDS - 1)
    page = shown(client, f"/events/{event.pk}/")
    assert standings(page) == MANY
    assert "too large for the pairings" in page
    assert '<details class="round">' not in page


def test_a_small_section_of_a_large_event_is_shown_whole(client, monkeypatch):
    monkeypatch.setattr(page_size, "MOST_LINES", 1)
    event = submitted(trf(lines(6), round_robin(6)))
    accept_event(event, at=CLOCK)
    page = shown(client, f"/events/{event.pk}/")
    assert standings(page) == 6
    assert page.count('<details class="round">') == 5
    assert "too large" not in page


def test_preview_and_review_are_bounded_too(client, monkeypatch):
    event = held_and_sent()
    monkeypatch.setattr(page_size, "MOST_LINES", MANY - 1)
    client.force_login(officer())
    page = shown(client, f"/events/{event.pk}/results/preview/")
    assert standings(page) == MOST_SHOWN
    expected = page[
        page.index('<table class="by-list expected">') : page.index('<table class="rows sticky standings">')
    ]
    assert expected.count('<th scope="row" class="pinned">') == MOST_SHOWN
    assert f"here are the first {MOST_SHOWN} of {MANY} players" in page
    assert "Everything is in the file itself." in page
    review = shown(client, f"/admin/events/event/{event.pk}/review/")
    assert review.count('<th scope="row"><span class="line">') == MOST_SHOWN
    assert f"{MANY - MOST_SHOWN} more players are in the" in review
