"""Whom the data that a person fetches does not name: who is hidden from the public, and whom his line was taken for."""

from dataclasses import replace
from datetime import date

import pytest

from accounts.models import User
from accounts.trail.operations import record
from events.abroad.operations import Channel, submit_abroad
from events.models import ErrorReport
from events.operations import accept_event
from players.operations import hide_player
from ratings.duplicates.operations import tell_apart
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.register.matching import Kind
from ratings.personal_data.export import of_player, of_user
from ratings.rerating.merges import merge_players, undo_merge
from tests.admin_pages import posted_form
from tests.builders import CLOCK, MARCH, event_of, officer, player
from tests.events.abroad.entries import AT, WIN, results
from tests.ratings.personal_data.children import LATER

pytestmark = pytest.mark.django_db
SIGNS = ("Hettie", "Zqbabbage", "100000002", "Rooks", "2014", "14398866", "hettie@example.org")


@pytest.fixture
def his():
    return player("Kasparr", "Gert", birth_date=date(1980, 1, 1))


@pytest.fixture
def child(his):
    child = player("Zqbabbage", "Hettie", birth_date=date(2014, 5, 6), fide_id=14398866, club="Rooks")
    assert child.number == "100000002"
    return child


def hide(row) -> None:
    hide_player(row, since=MARCH, at=CLOCK, by=None, reason="Her parents asked.")


def named_in(kept) -> list[str]:
    told = str([part.rows for part in kept])
    return [sign for sign in SIGNS if sign in told]


def test_a_hidden_player_whom_he_was_told_apart_from_is_not_named(his, child):
    tell_apart(his, child, at=CLOCK)
    assert named_in(of_player(his)) == ["Hettie", "Zqbabbage", "100000002"]
    hide(child)
    assert named_in(of_player(his)) == []


def test_a_hidden_player_who_was_merged_with_him_by_mistake_is_not_named(his, child):
    merge = merge_players(child, his, reason="one", at=CLOCK, taken=["birth", "fide_id", "club"], sure=True)
    undo_merge(merge, reason="two", at=LATER)
    hide(child)
    his.refresh_from_db()
    assert named_in(of_player(his)) == []


def test_a_hidden_player_whom_he_met_abroad_or_reported_an_error_about_is_not_named(his, child):
    met = replace(WIN, opponent="Zqbabbage, Hettie", fide_id=14398866)
    event = submit_abroad(his, results(games=(met,)), at=AT, channel=Channel(by=officer()))
    accept_event(event, at=AT, reason="One game of a league.")
    section = event_of([(his, child, "1-0")]).sections.get()
    user = User.objects.create_user("gert@example.org")
    report = ErrorReport.objects.create(
        section=section, player=child, month=MARCH, wrong="1-0", right="0-1", role="player", at=CLOCK,
        confirmed_at=CLOCK, state="received", reporter_name="Gert", reporter_email="gert@example.org", by=user,
    )  # fmt: skip
    record("taken up", report, at=CLOCK, by=None)
    hide(child)
    assert named_in(of_player(his)) == []
    assert named_in(of_user(user)) == []


def test_what_was_typed_over_his_line_is_not_fetched_from_the_trail_either(client, his, child):
    client.force_login(officer())
    address = f"/admin/players/player/{his.pk}/change/"
    typed = {"last_name": "Zqbabbage", "first_name": "Hettie", "birth_date": "2014-05-06", "club": "Rooks"}
    own = {"last_name": "Kasparr", "first_name": "Gert", "birth_date": "1980-01-01", "club": ""}
    for values in (typed, own):
        assert client.post(address, posted_form(client, address, **values)).status_code == 302
    his.refresh_from_db()
    assert named_in(of_player(his)) == []


@pytest.mark.parametrize(("whose", "kind"), [(None, Kind.LEFT_OUT), (None, Kind.REFUSED), ("hers", Kind.CHANGED)])
def test_a_line_of_a_list_with_his_id_by_mistake_is_not_his(his, child, whose, kind):
    job = ImportJob.objects.create(
        kind=ImportJob.Kind.REGISTER, state=ImportJob.State.TAKEN, filename="list.csv", size=1, at=CLOCK, asked_at=CLOCK
    )
    line = ListedPlayer.objects.create(
        job=job, line=2, kind=kind, player=child if whose else None, national_id=his.number, last_name="Zqbabbage",
        first_name="Hettie", birth_year=2014, club="Rooks",
    )  # fmt: skip
    assert named_in(of_player(his)) == []
    ListedPlayer.objects.filter(pk=line.pk).update(last_name="Kasparr", first_name="G.", player=None)
    assert "Rooks" in named_in(of_player(his))
