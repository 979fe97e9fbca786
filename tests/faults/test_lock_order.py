"""Deeds lock periods before runs and events, in the order of a publication and an erasure: in two orders they can deadlock."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.db import connection, transaction

from events.models import Event, Game, RatingPeriod
from events.operations import lock_section, return_event
from events.review.operations import as_shown, version_shown
from ratings.runs.operations import start_run
from tests.admin_pages import posted_form
from tests.builders import CLOCK, calculate, event_of, lines, officer, people, round_robin, submitted, trf

LOCKED = re.compile(r'(?:^SELECT .* FROM|^UPDATE|^DELETE FROM) "(\w+)"')


def locked_tables(deed: Callable[[], object]) -> list[str]:
    """The tables whose rows a deed locks or writes to, in order, each once."""
    tables: dict[str, None] = {}

    def note(execute, sql, params, many, context):
        if (found := LOCKED.match(sql)) and (not sql.startswith("SELECT") or " FOR " in sql):
            tables.setdefault(found[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note), transaction.atomic():
        deed()
    return list(tables)


def changed_at_the_desk(client) -> None:
    event = Event.objects.get()
    address = f"/admin/events/event/{event.pk}/change/"
    form = posted_form(client, address, city="Durban", reason_for_change="asked by mail")
    assert client.post(address, form).status_code == 302


def looked_at() -> None:
    event = Event.objects.get()
    with as_shown(event, version_shown(event)):
        pass


def split_off(client) -> None:
    game = Game.objects.get()
    form = {"sections": [game.section_id], "last_name": "Cele", "first_name": "Anna", "reason": "two people"}
    assert client.post(f"/admin/ratings/merge/split/{game.white_id}/", form).status_code == 302


def deeds(client) -> Iterator[tuple[str, Callable[[], object]]]:
    event = Event.objects.get()
    yield "a start", lambda: start_run(RatingPeriod.objects.get(sections__event=event), at=CLOCK)
    yield "a section that is changed", lambda: lock_section(event.sections.get())
    yield "a decision", looked_at
    yield "a page of the desk", lambda: changed_at_the_desk(client)
    yield "a split", lambda: split_off(client)
    yield "a return", lambda: return_event(event, at=CLOCK, reason="a wrong file")


@pytest.mark.servers
def test_periods_are_locked_before_runs_and_events(client, db):
    event_of([(*people(2), "1-0")])
    calculate()
    Game.objects.update(result="0-1")
    client.force_login(officer())
    for name, deed in deeds(client):
        tables = locked_tables(deed)
        first = tables.index("events_ratingperiod")
        for table in {"events_event", "events_section", "ratings_ratingrun", "players_player"} & {*tables}:
            assert first < tables.index(table), (name, tables)


@pytest.mark.servers
def test_numbers_are_locked_before_players_as_by_a_list_that_is_taken(db):
    said = []

    def note(execute, sql, params, many, context):
        if " FOR " in sql and 'FROM "players_player"' in sql:
            said.append("number" if '"number" DESC' in sql else "players")
        return execute(sql, params, many, context)

    submitted(trf(lines(6), round_robin(6)))
    said.clear()
    with connection.execute_wrapper(note):
        submitted(trf(lines(6), round_robin(6, "01"), name="Another Open"), code="LCP")
    assert said[:2] == ["number", "players"]
