"""Which rows are about whoever fetches his data: those about him in other tables, and not those of his family or his coach."""

from datetime import date

import pytest
from django.core.mail import get_connection
from django.utils import timezone, translation

from accounts.models import Mail, User
from accounts.outbox.delivery import send_next
from accounts.trail.operations import key_of, record
from events.abroad.mails import queue_link
from events.arbiters.operations import link_arbiter, unlink_arbiter
from events.error_reports.operations import attach_proof
from events.models import AbroadLink, Arbiter, ErrorReport
from players.administrators import appoint_administrator, end_administration
from players.models import Player
from players.operations import hide_player, save_player
from ratings.duplicates.operations import tell_apart
from ratings.models import ImportJob, ListedPlayer
from ratings.personal_data.export import of_player, of_user
from ratings.rerating.merges import merge_players, undo_merge
from tests.admin_pages import posted_form
from tests.builders import CLOCK, MARCH, event_of, named, officer, people, player, region, with_address
from tests.ratings.personal_data.children import LATER, held_for_years

pytestmark = pytest.mark.django_db


@pytest.fixture
def his():
    return player("Kasparr", "Gert", birth_date=date(1980, 1, 1))


def told(kept):
    return str([part.rows for part in kept])


def test_what_was_decided_about_his_fee_offices_and_merges_is_his(his):
    by = officer()
    other = people(1)[0]
    arbiter = Arbiter.objects.create(name=his.name, player=his, number=his.number)
    named = {"first_name": "Gert", "last_name": "Kasparr", "at": CLOCK, "by": by}
    user = link_arbiter(arbiter, "gert@example.org", **named)
    appoint_administrator(region("GAU"), "gert@example.org", **named)
    end_administration(region("GAU"), at=CLOCK, by=by)
    fee = arbiter.memberships.create(year=2024, paid_on=date(2024, 1, 1))
    record("changed", fee, at=CLOCK, by=by, reason="He paid at last.")
    tell_apart(other, his, at=CLOCK, by=by)
    undo_merge(merge_players(his, other, reason="one", at=CLOCK, sure=True), reason="Two men.", at=LATER)
    tell_apart(other, people(2)[1], at=CLOCK, by=by)  # not about him
    for kept in (of_player(his), of_user(user)):
        rows = next(part.rows for part in kept if part.title == "Decision")
        actions = [row["action"] for row in rows]
        assert actions.count("told apart") == 1
        assert {"administrator appointed", "administration ended", "merged", "merge undone"} <= {*actions}
        assert {"He paid at last.", "Two men."} <= {row["reason"] for row in rows}


def test_whom_an_officer_appointed_is_not_in_office_by_his_copy(his):
    by = officer()
    appoint_administrator(region("GAU"), "ann@example.org", first_name="Ann", last_name="Cele", at=CLOCK, by=by)
    office = [part.title for part in of_user(by) if "administrator" in part.title.lower()]
    assert office
    assert all(title.endswith(": what the user did") for title in office)


def test_a_copy_is_in_english_for_every_reader(his):
    other = people(1)[0]
    tell_apart(his, other, at=CLOCK)
    hide_player(other, since=MARCH, at=CLOCK, by=None, reason="asked for")
    with translation.override("af"):
        kept = told(of_player(his))
    assert "Hidden player" in kept
    assert "Versteekte" not in kept


def test_what_was_mailed_about_a_sister_is_not_his_once_she_has_an_address_of_her_own(his):
    sister = with_address(player("Kasparr", "Hettie"), "family@example.org")
    save_player(sister)
    his.email = "family@example.org"
    save_player(his)
    for row in (his, sister):
        queue_link(row.number, "family@example.org", AbroadLink.Sender.PLAYER)
        send_next(get_connection("django.core.mail.backends.locmem.EmailBackend"), at=timezone.now())
    sister.email = "hettie@example.org"
    save_player(sister)
    (mail,) = next(part.rows for part in of_player(his) if part.title == "Mail")
    assert his.number in mail["subject"] + mail["text"]
    assert "Hettie" not in told(of_player(his))


def test_what_comes_to_an_address_that_his_account_gave_up_is_not_his():
    user = User.objects.create_user("own@example.org", first_name="Thabo", last_name="Nkosi")
    record("changed", user, at=CLOCK, by=None, before={"e-mail address": "club@example.org"}, reason="moved")
    child = with_address(player("Zqbabbage", "Hettie"), "club@example.org")
    Mail.objects.create(kind="x", to="club@example.org", text="Qzmail", created_at=CLOCK, state="sent", sent_at=CLOCK)
    ErrorReport.objects.create(
        section=event_of([(child, people(1)[0], "1-0")]).sections.get(), month=MARCH, wrong="Qzwrong", right="0-1",
        role="player", at=CLOCK, confirmed_at=CLOCK, reporter_name="Ann Cele", reporter_email="club@example.org",
    )  # fmt: skip
    own = ErrorReport.objects.create(
        section=ErrorReport.objects.get().section, month=MARCH, wrong="Qzown", right="0-1", role="arbiter", at=CLOCK,
        confirmed_at=CLOCK, reporter_name="Thabo Nkosi", reporter_email="club@example.org",
    )  # fmt: skip
    Mail.objects.create(
        kind="x",
        to="club@example.org",
        text="Qzanswer",
        about=key_of(own),
        created_at=CLOCK,
        state="sent",
        sent_at=CLOCK,
    )
    kept = told(of_user(user))
    assert "Qzmail" not in kept
    assert "Qzwrong" not in kept
    assert "Qzown" in kept
    assert "Qzanswer" in kept


def test_what_was_mailed_to_an_address_with_which_another_s_ends_is_his(his):
    with_address(his, "ann@example.org")
    record("changed", officer(), at=CLOCK, by=None, before={"e-mail address": "joann@example.org"}, reason="moved")
    Mail.objects.create(kind="x", to="ann@example.org", text="Qzmail", created_at=CLOCK, state="sent", sent_at=CLOCK)
    assert "Qzmail" in told(of_player(his))


@pytest.mark.parametrize("first", ["Hettie", "Hetty", "Mia"])
def test_a_sister_s_name_and_birth_that_were_typed_over_his_line_are_not_his(client, his, first):
    player("Kasparr", "Mia" if first == "Mia" else "Hettie", birth_date=date(2014, 5, 6))
    client.force_login(officer())
    page = f"/admin/players/player/{his.pk}/change/"
    for values in (
        {"first_name": first, "birth_date": "2014-05-06"},
        {"first_name": "Gert", "birth_date": "1980-01-01"},
    ):
        form = posted_form(client, page, **values, another_person="on")
        assert client.post(page, form).status_code == 302
    his.refresh_from_db()
    kept = told(of_player(his))
    assert "2014" not in kept
    if first != "Hetty":
        assert first not in kept


@pytest.mark.parametrize("kind", [Arbiter, Player, User])
@pytest.mark.parametrize("of_account", [True, False])
@pytest.mark.parametrize("is_player", [True, False])
def test_another_s_name_that_was_typed_over_his_record_or_account_is_not_his(client, his, is_player, of_account, kind):
    account = User.objects.create_user("gert@example.org", first_name="Gert", last_name="Kasparr")
    arbiter = Arbiter.objects.create(name="Gert Kasparr", player=his if is_player else None, user=account, title="NA")
    named(kind, "Grace", "Tenza")
    client.force_login(User.objects.create_superuser("boss@example.org", is_officer=True))
    row = account if of_account else arbiter
    page = f"/admin/{row._meta.label_lower.replace('.', '/')}/{row.pk}/change/"
    for first, last in (("Grace", "Tenza"), ("Gert", "Kasparr")):
        values = {"first_name": first, "last_name": last} if of_account else {"name": f"{first} {last}"}
        assert client.post(page, posted_form(client, page, **values)).status_code == 302
    copies = [of_user(account), of_player(his)] if is_player else [of_user(account)]
    for kept in copies:
        assert "Kasparr" in told(kept)
        assert "Grace" not in told(kept)
        assert "Tenza" not in told(kept)


@pytest.mark.parametrize("is_player", [True, False])
def test_what_he_is_called_as_an_arbiter_is_his_though_his_son_is_called_so(is_player):
    his = player("Kasparr", "Gerhardus", birth_date=date(1980, 1, 1))
    player("Kasparr", "Gert", birth_date=date(2014, 5, 6))
    account = User.objects.create_user("gert@example.org", first_name="Gert", last_name="Kasparr")
    Arbiter.objects.create(name="Gert Kasparr", player=his if is_player else None, user=account, title="NA")
    record("asked", account, at=CLOCK, by=None, reason="Gert Kasparr asked")
    for kept in [of_user(account), of_player(his)] if is_player else [of_user(account)]:
        assert "another player" not in told(kept)
        assert "Gert Kasparr asked" in told(kept)


def test_a_birth_and_a_fide_id_that_were_typed_wrong_take_nothing_else_from_his_copy(client):
    player("Olsen", "Olaf", birth_date=date(2014, 5, 6), fide_id=14311119)
    client.force_login(officer())
    add = "/admin/players/player/add/"
    typed = {
        "last_name": "Kasparr",
        "first_name": "Gert",
        "birth_date": "2014-05-06",
        "club": "Rooks",
        "number": "100009009",
    }
    form = posted_form(client, add, **typed, federation="RSA", region=str(region().pk), fide_id="14311191")
    assert client.post(add, form).status_code == 302
    his = Player.objects.get(number="100009009")
    record("added", his, at=CLOCK, by=None, after={"FIDE id": "14311119", "Last name": "Kasparr", "Club": "Rooks"})
    page = f"/admin/players/player/{his.pk}/change/"
    for values in ({"fide_id": ""}, {"birth_date": "2014-06-05"}):
        assert client.post(page, posted_form(client, page, **values, another_person="on")).status_code == 302
    Player.history.filter(id=his.pk, fide_id=14311191).update(fide_id=14311119)
    job = ImportJob.objects.create(
        kind="register", state="taken", filename="x", size=1, at=CLOCK, asked_at=CLOCK, finished_at=CLOCK
    )
    line = {"last_name": "Kasparr", "first_name": "Gert", "birth_date": date(2014, 5, 6), "club": "Rooks"}
    ListedPlayer.objects.create(job=job, line=1, kind="new", player=his, **line)
    kept = of_player(Player.objects.get(pk=his.pk))
    assert "14311119" not in told(kept)
    rows = {part.title: part.rows for part in kept}
    assert [row["club"] for title, found in rows.items() if title.startswith("Listed") for row in found] == ["Rooks"]
    added = [row["after"] for row in rows["Decision"] if row["action"] == "added"]
    assert added[-1] == {"FIDE id": "another player", "Last name": "Kasparr", "Club": "Rooks"}


def test_the_address_of_an_officer_s_account_that_stood_on_his_line_by_a_slip_is_not_his(his):
    User.objects.create_user("boss.private@example.org")
    User.objects.create_user("gert@example.org", first_name="Gert", last_name="Kasparr")
    own = User.objects.create_user("gert.private@example.org", first_name="Gert", last_name="Kasparr")
    Arbiter.objects.create(name="Gert Kasparr", player=his, number=his.number, user=own)
    for email in ("boss.private@example.org", "gert.private@example.org", ""):
        his.email = email
        save_player(his)
    text = told(of_player(his))
    assert "boss.private@example.org" not in text
    assert "gert.private@example.org" in text


@pytest.mark.parametrize("surname", ["Kasparr", "Qel"])
def test_a_sister_s_name_takes_nothing_from_what_the_trail_says_of_him_under_their_former_surname(his, surname):
    his.last_name = surname
    save_player(his)
    Player.history.filter(id=his.pk, last_name="Kasparr").exclude(last_name=surname).delete()
    player(surname, "Wanda", birth_date=date(2014, 5, 6))
    added = {"Last name": surname, "First name": "Gert", "Club": "Rooks"}
    record("added", his, at=CLOCK, by=None, after=added)
    held_for_years(his)
    for first, last in (("Gert", "Vexelby"), ("Wanda", surname), ("Gert", "Vexelby")):
        his.first_name, his.last_name = first, last
        save_player(his)
    rows = next(part.rows for part in of_player(his) if part.title == "Decision")
    assert [row["after"] for row in rows if row["action"] == "added"] == [added]


def test_what_was_mailed_to_a_coach_s_account_before_it_had_another_address_is_not_the_child_s(his):
    with_address(his, "coach@example.org")
    coach = User.objects.create_user("coach@example.org")
    Mail.objects.create(kind="x", to="coach@example.org", text="Qzcoach", created_at=CLOCK, state="sent", sent_at=CLOCK)
    assert "Qzcoach" not in told(of_player(his))
    record("changed", coach, at=CLOCK, by=None, before={"e-mail address": coach.email}, reason="moved")
    User.objects.filter(pk=coach.pk).update(email="new@example.org")
    assert "Qzcoach" not in told(of_player(his))


def test_what_the_register_said_of_whom_he_was_merged_with_is_not_his(his):
    other = player("Zqbabbage", "Hettie", birth_date=date(2014, 5, 6), club="Qrooks")
    his.club = "Kings"
    save_player(his)
    merge = merge_players(his, other, reason="one", at=CLOCK, taken=["birth", "club"], sure=True)
    undo_merge(merge, reason="two", at=LATER)
    kept = told(of_player(his))
    assert "'action': 'merged'" in kept
    assert "Qrooks" not in kept
    assert "2014" not in kept


def test_what_a_son_of_his_name_reported_about_himself_is_not_the_father_s(his):
    son = player("Kasparr", "Gert", birth_date=date(2014, 5, 6))
    with_address(his, "family@example.org")
    report = ErrorReport.objects.create(
        section=event_of([(son, people(1)[0], "1-0")]).sections.get(), player=son, month=MARCH, wrong="Qzwrong",
        right="0-1", role="player", at=CLOCK, confirmed_at=CLOCK, reporter_name="Gert Kasparr",
        reporter_email="family@example.org",
    )  # fmt: skip
    attach_proof(report, "qzillness.pdf", b"%PDF-1.4\n%%EOF\n", at=CLOCK, by=None)
    assert "Qzwrong" not in told(of_player(his))


def test_what_she_reported_before_she_married_is_hers(his):
    with_address(his, "own@example.org")
    ErrorReport.objects.create(
        section=event_of([(*people(2), "1-0")]).sections.get(), month=MARCH, wrong="Qzwrong", right="0-1", role="player",
        at=CLOCK, confirmed_at=CLOCK, reporter_name="G. Kasparr", reporter_email="own@example.org",
    )  # fmt: skip
    his.last_name = "Vexelby"
    save_player(his)
    assert "Qzwrong" in told(of_player(his))


@pytest.mark.parametrize(
    ("reporter", "is_his"),
    [("Hettie Kasparr", False), ("Hettie G. Kasparr", False), ("Kasparr, Gert", True), ("G. P. Kasparr", True)],
)
def test_what_another_of_the_family_reported_about_a_whole_section_is_not_his(his, reporter, is_his):
    with_address(his, "family@example.org")
    account = User.objects.create_user("cleared@example.org")  # of which no name is left
    Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account)
    report = ErrorReport.objects.create(
        section=event_of([(*people(2), "1-0")]).sections.get(), month=MARCH, wrong="Qzwrong", right="0-1", role="player",
        at=CLOCK, confirmed_at=CLOCK, reporter_name=reporter, reporter_email="family@example.org",
    )  # fmt: skip
    attach_proof(report, "qzillness.pdf", b"%PDF-1.4\n%%EOF\n", at=CLOCK, by=None)
    kept = told(of_player(his))
    assert {sign in kept for sign in ("Qzwrong", "qzillness")} == {is_his}


def test_what_a_coach_of_the_child_s_first_name_reported_is_not_the_child_s():
    child, other = player("Nel", "Pieter"), player("Botha", "Anna")
    with_address(child, "coach@example.org")
    ErrorReport.objects.create(
        section=event_of([(child, other, "1-0")]).sections.get(), player=other, month=MARCH, wrong="Qzwrong", right="0-1",
        role="player", at=CLOCK, confirmed_at=CLOCK, reporter_name="Pieter Botha", reporter_email="coach@example.org",
    )  # fmt: skip
    assert "Qzwrong" not in told(of_player(child))


def test_an_account_that_was_linked_to_her_by_mistake_is_not_in_what_is_kept_of_her():
    her = player("Zqbabbage", "Hettie")
    arbiter = Arbiter.objects.create(name=her.name, player=her, number=her.number)
    named = {"first_name": "Gert", "last_name": "Kasparr", "at": CLOCK, "by": officer()}
    link_arbiter(arbiter, "gert@example.org", **named)
    arbiter.refresh_from_db()
    unlink_arbiter(arbiter, at=CLOCK, by=User.objects.get(email="officer@example.org"))
    arbiter.refresh_from_db()
    link_arbiter(arbiter, "hettie@example.org", **named | {"first_name": "Hettie", "last_name": "Zqbabbage"})
    kept = told(of_player(her))
    assert "hettie@example.org" in kept
    assert "gert@example.org" not in kept
    assert "Kasparr" not in kept
