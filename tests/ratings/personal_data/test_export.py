"""Everything that is kept of a person can be taken away, by himself or an officer, and that it was is on the trail."""

import io
import json
import re
import zipfile
from datetime import date

import pytest
from axes.models import AccessLog
from django.apps import apps

from accounts.models import Decision, Mail, User
from accounts.trail.operations import record
from events.abroad.mails import queue_link
from events.models import AbroadLink, Arbiter, ErrorReport, Event, Game
from players.models import Player
from players.operations import NewPlayer, register_players, save_player
from ratings.models import Erasure, ImportJob, ListedPlayer
from ratings.personal_data.erasure.jobs import process_erasure
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.export import of_user
from ratings.rerating.merges import merge_players, undo_merge
from tests.builders import CLOCK, lines, officer, people, region, round_robin, submitted, trf, with_address

pytestmark = pytest.mark.django_db


@pytest.fixture
def player():
    event = submitted(trf(lines(6), round_robin(6)), code="GAU")
    found = event.sections.get().entries.order_by("number").first().player
    found.birth_date, found.email, found.club = date(2011, 5, 17), "mother@example.org", "Rooks"
    save_player(found)
    record("changed", found, at=CLOCK, by=None, reason="moved to Rooks")
    record("changed", found, at=CLOCK, by=officer("chief@example.org"), reason="moved to Rooks")
    user = User.objects.create_user("arbiter@example.org", "a secret here", first_name="Arb")
    Arbiter.objects.create(name=found.name, player=found, number=found.number, user=user)
    return found


def parts(answer):
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:
        return json.loads(archive.read("data.json")), archive.read("data.html").decode()


def test_a_mail_that_was_asked_for_in_capitals_is_his_until_he_is_erased(client):
    mother = with_address(*people(1), "mother@example.org")
    queue_link(mother.number, "Mother@Example.ORG", AbroadLink.Sender.PLAYER)
    client.force_login(officer())
    document, _ = parts(client.post(f"/admin/ratings/erasure/players/{mother.pk}/export/"))
    assert [part["rows"][0]["to"] for part in document["kept"] if part["table"] == "Mail"] == ["mother@example.org"]
    erase_player(mother, at=CLOCK, by=None, reason="asked for")
    assert not Mail.objects.exists()


def test_an_officer_fetches_what_is_kept_of_a_player_and_his_account(client, player):
    client.force_login(officer())
    address = f"/admin/ratings/erasure/players/{player.pk}/export/"
    assert client.get(address).status_code == 302  # a look is no fetching
    answer = client.post(address)
    assert "no-store" in answer.headers["Cache-Control"]
    document, page = parts(answer)
    tables = {part["table"]: part["rows"] for part in document["kept"]}
    assert {"Player", "Player, former versions", "Entry", "Game", "Arbiter", "User", "Decision"} <= tables.keys()
    assert tables["Player"][0]["birth date"] == "2011-05-17"
    assert (
        len(tables["Game"])
        == Game.objects.filter(white=player).count() + Game.objects.filter(black=player).count()
        == 5
    )
    assert tables["Decision"][0]["reason"] == "moved to Rooks"
    assert tables["User"][0]["e-mail address"] == "arbiter@example.org"
    for text in ("2011-05-17", "mother@example.org", "Rooks", "moved to Rooks", player.number):
        assert text in page
    told = Decision.objects.filter(action="personal data exported").get()
    assert "chief@example.org" not in page + json.dumps(document)
    assert [row.get("as") for row in tables["Decision"]] == ["command line or clock", "ratings officer"]
    assert told.actor.email == "officer@example.org"
    assert "mother" not in json.dumps(told.after)
    assert any("by" in row or "history user" in row for part in document["kept"] for row in part["rows"])


def test_no_secret_and_nobody_elses_address_is_given_away(client, player):
    other = Game.objects.filter(white=player).first().black
    other.email, other.birth_date = "second@example.org", date(2010, 1, 2)
    save_player(other)
    client.force_login(officer())
    document, page = parts(client.post(f"/admin/ratings/erasure/players/{player.pk}/export/"))
    text = json.dumps(document) + page
    assert User.objects.get(email="arbiter@example.org").password not in text
    assert not any("password" in row for part in document["kept"] for row in part["rows"])
    assert [part["table"] for part in document["kept"] if "second@example.org" in json.dumps(part)] == []
    assert "2010-01-02" not in text


def test_a_user_fetches_his_own(client, player):
    client.force_login(User.objects.get(email="arbiter@example.org"))
    document, _ = parts(client.post("/privacy/my-data/"))
    tables = {part["table"]: part["rows"] for part in document["kept"]}
    assert tables["User"][0]["e-mail address"] == "arbiter@example.org"
    assert tables["Player"][0]["Chess SA id"] == player.number
    assert Decision.objects.filter(action="personal data exported").get().actor.email == "arbiter@example.org"
    assert "Fetch my data" in client.get("/account/").content.decode()


def kept_of(client, address):
    """The rows that an export gives, as one text."""
    document, page = parts(client.post(address))
    return json.dumps(document, ensure_ascii=False) + page


def test_who_acted_on_others_takes_his_deeds_away_and_not_their_data(client, player):
    by = officer()
    player.email, player.last_name = "father@example.org", "Zzyxname"
    save_player(player)
    Player.history.filter(id=player.pk).update(history_user=by)
    record("changed", player, at=CLOCK, by=by, before={"name": "Zzyxbefore"}, reason="his father wrote")
    report = ErrorReport.objects.create(
        section=player.entries.get().section, player=player, month="2024-03-01", wrong="1-0", right="0-1", role="player",
        reporter_name="Ann Uncle", reporter_email="uncle@example.org", at=CLOCK, state="rejected", answer="both agree",
        answered_at=CLOCK, answered_by=by,
    )  # fmt: skip
    upload = report.section.event.uploads.create(
        file=report.section.submissions.get().file, name="x.trf", by=by, at=CLOCK, asked_at=CLOCK,
        report={"matched": [{"name": "Zzyxname", "birth_date": "2011-05-17"}]},
    )  # fmt: skip
    assert upload.by == by
    client.force_login(by)
    text = kept_of(client, "/privacy/my-data/")
    for own in ("officer@example.org", "his father wrote", "both agree"):
        assert own in text
    for other in ("2011-05-17", "father@", "Zzyxbefore", "Ann Uncle", "uncle@"):
        assert other not in text, other


def test_how_much_somebody_did_does_not_multiply_the_walk_over_all_models(monkeypatch):
    walks = []
    get_models = apps.get_models
    monkeypatch.setattr(apps, "get_models", lambda **asked: walks.append(asked) or get_models(**asked))
    seen = []
    by = officer()
    for deeds in (2, 20):
        for _ in range(deeds):
            record("changed", region(), at=CLOCK, by=by, reason="his father wrote")
        walks.clear()
        of_user(by)
        seen.append(len(walks))
    assert seen[0] == seen[1]


def test_what_was_mailed_to_a_former_address_of_his_account_is_his(client, player):
    arbiter = User.objects.get(email="arbiter@example.org")
    record("changed", arbiter, at=CLOCK, by=None, before={"e-mail address": "old@example.org"}, reason="moved")
    Mail.objects.create(
        kind="x", to="old@example.org", text="Sent before", created_at=CLOCK, state="sent", sent_at=CLOCK
    )
    AccessLog.objects.create(username="old@example.org", ip_address="10.0.0.7", user_agent="Former browser")
    client.force_login(arbiter)
    for address in ("/privacy/my-data/", f"/admin/ratings/erasure/players/{player.pk}/export/"):
        client.force_login(arbiter if "privacy" in address else officer())
        text = kept_of(client, address)
        assert "Sent before" in text
        assert "Former browser" in text
    other = User.objects.create_user("old@example.org")
    client.force_login(arbiter)
    assert "Sent before" not in kept_of(client, "/privacy/my-data/")
    client.force_login(other)
    assert "Sent before" in kept_of(client, "/privacy/my-data/")


def test_a_user_fetches_what_his_merged_line_had(client, player):
    (twin,) = register_players([NewPlayer("Qzother", "Line")], at=CLOCK)
    merge_players(twin, player, taken=[], reason="one", at=CLOCK, sure=True)
    client.force_login(User.objects.get(email="arbiter@example.org"))
    document, _ = parts(client.post("/privacy/my-data/"))
    lines = next(part["rows"] for part in document["kept"] if part["table"] == "Player")
    assert {row["Chess SA id"] for row in lines} == {player.number, twin.number}


def test_an_arbiter_who_was_linked_to_a_player_by_mistake_is_not_in_what_is_kept_of_him(client):
    (his,) = register_players([NewPlayer("Mokoena", "Thabo")], at=CLOCK)
    wrong = Arbiter.objects.create(name="Qzarbiter Ann", number="", player=his)
    wrong.player = None
    wrong.save()
    client.force_login(officer())
    assert "Qzarbiter" not in kept_of(client, f"/admin/ratings/erasure/players/{his.pk}/export/")


def test_of_which_events_he_is_chief_organiser(client, player):
    event = player.entries.get().section.event
    other = Event.objects.create(name="Elsewhere", region=event.region, starts=event.starts, ends=event.ends)
    event.organiser_name, event.organiser_number = player.name, player.number
    event.save()
    client.force_login(officer())
    document, _ = parts(client.post(f"/admin/ratings/erasure/players/{player.pk}/export/"))
    tables = {part["table"]: part["rows"] for part in document["kept"]}
    assert [row["name"] for row in tables["Event"]] == [event.name] != [other.name]
    assert tables["Event, former versions"]


def test_what_was_decided_of_his_own_report_is_his(client, player):
    arbiter = User.objects.get(email="arbiter@example.org")
    fields = {"section": player.entries.get().section, "player": player, "month": "2024-03-01", "wrong": "1-0", "right": "0-1",
              "role": "player", "at": CLOCK, "state": "rejected", "answer": "no", "answered_at": CLOCK}  # fmt: skip
    for name, by in (("Arb Self", arbiter), ("Ann Uncle", None)):
        report = ErrorReport.objects.create(
            **fields, reporter_name=name, reporter_email=f"{name[:3]}@example.org", by=by
        )
        record("answered", report, at=CLOCK, by=officer(f"{name[:3]}@bureau.example.org"), reason=f"Told {name}.")
    client.force_login(arbiter)
    text = kept_of(client, "/privacy/my-data/")
    assert "Told Arb Self." in text
    assert "Told Ann Uncle." not in text


def test_lines_of_lists_are_his_by_an_id_and_not_by_a_name_that_may_be_another_s(client, player):
    player.fide_id = 14398765
    save_player(player)
    job = ImportJob.objects.create(kind="register", state="read", filename="x", size=1, at=CLOCK, asked_at=CLOCK)
    lines_of_list = (
        {"kind": "new", "national_id": player.number, "club": "Qzone"},
        {"kind": "left out", "fide_id": 14398765, "club": "Qztwo"},
        {"kind": "changed", "player": player, "club": "Qzthree", "candidates": [{"why": "Qzother"}]},
        {"kind": "doubtful", "player": player, "club": "Qzanother"},
        {"kind": "new", "club": "Qzstranger"},
    )
    for number, fields in enumerate(lines_of_list, start=1):
        ListedPlayer.objects.create(job=job, line=number, **fields)
    client.force_login(officer())
    text = kept_of(client, f"/admin/ratings/erasure/players/{player.pk}/export/")
    assert set(re.findall(r"Qz\w+", text)) == {"Qzone", "Qztwo", "Qzthree"}


def test_who_was_taken_for_him_by_mistake_is_not_given_away(client, player):
    child = Game.objects.filter(white=player).first().black
    child.birth_date, child.email = date(2013, 3, 4), "qzparent@example.org"
    save_player(child)
    twin = register_players([NewPlayer("Qztwin", "Child", birth_date=date(2013, 3, 4))], at=CLOCK)[0]
    merge = merge_players(twin, player, taken=[], reason="one", at=CLOCK, sure=True)
    undo_merge(merge, reason="two", at=CLOCK)
    client.force_login(officer())
    text = kept_of(client, f"/admin/ratings/erasure/players/{player.pk}/export/")
    assert "2013-03-04" not in text


def test_whose_address_a_link_was_mailed_to_is_not_given_away(client, player):
    for sender, address in (("player", player.email), ("manager", "qzmanager@example.org")):
        AbroadLink.objects.create(player=player, sender=sender, address=address, at=CLOCK)
    client.force_login(officer())
    text = kept_of(client, f"/admin/ratings/erasure/players/{player.pk}/export/")
    assert player.email in text
    assert "qzmanager@" not in text


def test_who_reported_an_error_is_told_to_himself_alone(client, player):
    arbiter = User.objects.get(email="arbiter@example.org")
    fields = {"section": player.entries.get().section, "player": player, "month": "2024-03-01", "wrong": "1-0", "right": "0-1",
              "role": "player", "at": CLOCK, "state": "rejected", "answer": "no", "answered_at": CLOCK}  # fmt: skip
    tale = User.objects.create_user("uncle@example.org", first_name="Ann", last_name="Uncle")
    ErrorReport.objects.create(**fields, reporter_name="Ann Uncle", reporter_email=tale.email, by=tale)
    ErrorReport.history.update(history_user=tale)
    ErrorReport.objects.create(**fields, reporter_name="Arb Self", reporter_email=arbiter.email, by=arbiter)
    client.force_login(officer())
    text = kept_of(client, f"/admin/ratings/erasure/players/{player.pk}/export/")
    assert "Arb Self" in text
    assert "Ann Uncle" not in text
    assert "uncle@example.org" not in text


def test_what_was_mailed_to_the_parent_of_two_is_not_given_away_for_one(client, player):
    for to in ("mother@example.org", "arbiter@example.org"):
        Mail.objects.create(kind="x", to=to, text=f"Text to {to}", created_at=CLOCK, state="sent", sent_at=CLOCK)
    client.force_login(officer())
    address = f"/admin/ratings/erasure/players/{player.pk}/export/"
    assert "Text to mother@" in kept_of(client, address)
    sister = Game.objects.filter(white=player).first().black
    sister.email = "mother@example.org"
    save_player(sister)
    text = kept_of(client, address)
    assert "Text to mother@" not in text
    assert "Text to arbiter@" in text


def test_the_page_says_what_goes_and_asks_for_the_id_and_a_reason(client, player):
    client.force_login(officer())
    address = f"/admin/ratings/erasure/players/{player.pk}/"
    assert "Not at present" in client.get(address).content.decode()  # his event is not rated yet
    Event.objects.update(state="refused")
    page = client.get(address).content.decode()
    assert "cannot be undone" in page
    assert "arbiter@example.org is closed for good" in page
    wrong = client.post(address, {"number": "199999999", "reason": "asked for"})
    assert wrong.status_code == 422
    assert "This is not the id" in wrong.content.decode()
    assert client.post(address, {"number": player.number, "reason": ""}).status_code == 422
    player.refresh_from_db()
    assert player.erased_at is None
    assert client.post(address, {"number": player.number, "reason": "asked for"}).status_code == 302
    process_erasure(Erasure.objects.get().pk)
    player.refresh_from_db()
    assert player.erased_at is not None
    assert client.get(f"/admin/players/player/{player.pk}/change/").status_code == 200
    assert 'role="alert"' not in client.get(address).content.decode()
    again = client.post(address, {"number": player.number, "reason": "twice"})
    assert again.status_code == 422
    assert "erased already" in again.content.decode()
