"""Whom the data that a person fetches does not name: who is hidden from the public, and whom his line was taken for."""

from dataclasses import replace
from datetime import date

import pytest

from accounts.models import Mail, User
from accounts.trail.operations import key_of, record
from events.abroad.operations import Channel, submit_abroad
from events.archive import store_file
from events.error_reports.operations import attach_proof
from events.models import Appeal, Attachment, ErrorReport, Refusal
from events.operations import accept_event, refuse_event
from events.rules.abroad import Ground
from players.models import Player
from players.operations import hide_player, save_player
from ratings.duplicates.operations import tell_apart
from ratings.models import Adjustment, ImportJob, ListedPlayer, RatingList
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


def test_a_hidden_player_is_not_named_by_what_he_was_called_before(his, child):
    merge = merge_players(child, his, reason="one", at=CLOCK, taken=[], sure=True)
    undo_merge(merge, reason="two", at=LATER)
    record("changed", his, at=CLOCK, by=None, reason=f"Not {child}, FIDE id 14398866, born 2014-05-06.")
    child.refresh_from_db()
    child.last_name, child.number = "Ytterby", "100000099"
    save_player(child)
    hide(child)
    his.refresh_from_db()
    assert named_in(of_player(his)) == []


@pytest.mark.parametrize("typed", [{"last_name": "Zqbabbage", "first_name": "Hettie"}, {"fide_id": "14398866"}])
def test_a_hidden_player_of_whom_something_stood_on_his_line_is_not_named(client, his, child, typed):
    Player.objects.filter(pk=child.pk).update(fide_id=None)
    client.force_login(officer())
    address = f"/admin/players/player/{his.pk}/change/"
    for values in (typed, {"last_name": "Kasparr", "first_name": "Gert", "fide_id": ""}):
        assert client.post(address, posted_form(client, address, **values)).status_code == 302
    Player.objects.filter(pk=child.pk).update(fide_id=14398866)
    child.refresh_from_db()
    hide(child)
    his.refresh_from_db()
    assert named_in(of_player(his)) == []


def test_a_hidden_opponent_is_not_named_in_answers_and_adjustments(his, child):
    section = event_of([(his, child, "1-0")]).sections.get()
    fields = {
        "section": section, "month": MARCH, "wrong": "Hettie Zqbabbage lost", "right": "0-1", "role": "player",
        "at": CLOCK, "confirmed_at": CLOCK, "reporter_name": "Gert", "reporter_email": "gert@example.org",
        "state": "corrected", "answer": "Zqbabbage, Hettie won", "answered_at": CLOCK,
    }  # fmt: skip
    own = ErrorReport.objects.create(player=his, by=User.objects.create_user("gert@example.org"), **fields)
    record("corrected", own, at=CLOCK, by=None, reason="HETTIE ZQBABBAGE won")
    hers = ErrorReport.objects.create(player=child, **fields)
    Adjustment.objects.create(
        player=his,
        list=RatingList.objects.get(code="main"),
        period=section.period,
        points=1,
        reason="Hettie Zqbabbage won",
        report=hers,
        at=CLOCK,
    )
    hide(child)
    assert named_in(of_player(his)) == []


@pytest.mark.parametrize("is_hidden", [True, False])
def test_his_own_ids_stay_in_his_copy_though_they_stood_on_a_hidden_player_s_line(his, child, is_hidden):
    his.fide_id = 14300001
    save_player(his)
    Player.history.filter(id=child.pk).update(number=his.number, fide_id=his.fide_id)
    hide(child)
    if is_hidden:
        hide(his)
        his.refresh_from_db()
    (line,) = next(part.rows for part in of_player(his) if part.title == "Player")
    assert (line["Chess SA id"], line["FIDE id"]) == (his.number, 14300001)


@pytest.mark.parametrize("first", ["Gert", "Hettie Gert"])
def test_who_is_called_as_a_hidden_player_has_his_own_name_in_his_copy(his, child, first):
    Player.objects.filter(pk=child.pk).update(first_name="Gert", last_name="Kasparr")
    his.first_name = first
    save_player(his)
    child.refresh_from_db()
    tell_apart(his, child, at=CLOCK)
    record("changed", his, at=CLOCK, by=None, reason=f"{his} moved; {child} did not")
    hide(child)
    told = {part.title: part.rows for part in of_player(his)}
    (reason,) = (row["reason"] for row in told["Decision"] if row["action"] == "changed")
    left = "Hidden player" if first != "Gert" else "Gert Kasparr"
    assert reason == f"{his.name} ({his.number}) moved; {left} did not"
    assert {row["last name"] for row in told["Player"]} == {"Kasparr"}


def test_a_hidden_player_s_own_copy_tells_which_side_he_was(his, child):
    event_of([(his, child, "1-0")])
    for row in (his, child):
        hide(row)
    child.refresh_from_db()
    (game,) = next(part.rows for part in of_player(child) if part.title == "Game")
    assert (game["white"], game["black"]) == ("Hidden player", "Hettie Zqbabbage")


def test_a_hidden_opponent_abroad_is_not_named_however_she_is_written(his, child):
    met = replace(WIN, opponent="Zqbabbage, H.", fide_id=14398866)
    Player.objects.filter(pk=child.pk).update(fide_id=None)
    accept_event(
        submit_abroad(his, results(games=(met,)), at=AT, channel=Channel(by=officer())), at=AT, reason="One game."
    )
    Player.objects.filter(pk=child.pk).update(fide_id=14398866)
    child.refresh_from_db()
    hide(child)
    (game,) = next(part.rows for part in of_player(his) if part.title == "Game")
    assert game["guest"] == "Hidden player"


@pytest.mark.parametrize(("reporter", "is_his"), [("Wanda Kasparr", False), ("Gert P. Kasparr", True)])
def test_what_a_parent_reported_about_another_child_is_not_his(his, child, reporter, is_his):
    his.email = "mother@example.org"
    save_player(his)
    report = ErrorReport.objects.create(
        section=event_of([(his, child, "1-0")]).sections.get(), player=child, month=MARCH, wrong="Qzwrong", right="0-1",
        role="player", at=CLOCK, confirmed_at=CLOCK, reporter_name=reporter, reporter_email="mother@example.org",
    )  # fmt: skip
    attach_proof(report, "qzillness.pdf", b"%PDF-1.4\n%%EOF\n", at=CLOCK, by=None)
    Mail.objects.create(
        kind="x", to="mother@example.org", subject="Qzanswer", about=key_of(report), created_at=CLOCK, state="sent",
        sent_at=CLOCK, next_at=None,
    )  # fmt: skip
    told = str([part.rows for part in of_player(his)])
    assert {sign in told for sign in ("Qzwrong", "qzillness", "Qzanswer")} == {is_his}


def test_the_appeal_that_he_lodged_by_a_mailed_link_is_fetched_with_its_evidence(his):
    event = submit_abroad(his, results(), at=AT, channel=Channel(by=officer()))
    refuse_event(event, at=AT, by=officer("other@example.org"), reason="not rated there", ground=Ground.INCOMPLETE)
    refusal = Refusal.objects.get()
    for appellant, is_his in (("Thandi Nkosi", False), ("Gert Kasparr", True)):
        appeal = Appeal.objects.create(refusal=refusal, appellant=appellant, party="sender", grounds="Qzgrounds", at=AT)
        Attachment.objects.create(appeal=appeal, file=store_file(b"%PDF-1.4"), name="qzsheet.pdf", kind="pdf", at=AT)
        told = str([part.rows for part in of_player(his)])
        assert {sign in told for sign in ("Qzgrounds", "qzsheet")} == {is_his}
        appeal.delete()


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
