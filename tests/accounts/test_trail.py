"""The trail of decisions: who, as what, when, on what, before, after and why; and that it cannot be emptied."""

import csv
import io
from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.trail.operations import key_of, record
from events.models import Appointment, Arbiter, EventMove, Penalty, Section
from events.operations import accept_event, register_event, return_event
from events.penalties.operations import decide_penalties
from events.withholding.operations import withdraw
from players.administrators import appoint_administrator, disable_account, end_administration
from players.models import Player
from ratings.models import RatingRun
from ratings.runs.operations import request_publication, start_run
from ratings.runs.worker import process_run
from tests.admin_pages import form_errors, posted_form
from tests.builders import (
    CLOCK,
    details,
    event_of,
    lines,
    officer,
    people,
    period,
    player,
    region,
    round_robin,
    submitted,
    trf,
)

pytestmark = pytest.mark.django_db


def of(row):
    """What the trail says of a row and its parts, oldest first: action, role, before, after, reason."""
    rows = Decision.objects.filter(subject=key_of(row)) | Decision.objects.filter(part_of=key_of(row))
    return [
        (one.action, one.actor_role, one.before, one.after, one.reason) for one in rows.order_by("at", "pk").distinct()
    ]


@pytest.fixture
def by():
    return officer()


@pytest.fixture
def desk(client, by):
    client.force_login(by)
    return client


def test_name_and_role_are_those_of_the_moment(by):
    by.first_name, by.last_name = "Nomsa", "Dube"
    by.save()
    decision = record("decided", region(), at=CLOCK, by=by)
    by.is_officer, by.last_name = False, "Nkosi"
    by.save()
    decision.refresh_from_db()
    assert (decision.actor_name, decision.actor_role) == (f"Nomsa Dube ({by.email})", "ratings officer")


def test_without_a_user_it_was_the_command_line_or_the_clock():
    decision = record("decided", region(), at=CLOCK, by=None)
    assert (decision.actor, decision.actor_name, decision.actor_role) == (None, *["command line or clock"] * 2)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_decision SET reason = 'another'",
        "UPDATE accounts_decision SET reason = 'another' WHERE id = (SELECT max(id) FROM accounts_decision)",
        "DELETE FROM accounts_decision",
        pytest.param("SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE accounts_decision", marks=pytest.mark.servers),
    ],
)
def test_the_database_refuses_to_change_and_delete(statement):
    record("decided", region(), at=CLOCK, by=None, reason="as it was")
    with (
        pytest.raises(DatabaseError, match="decisions are only added"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert Decision.objects.get().reason == "as it was"


def test_a_row_is_not_replaced_on_sqlite_either():
    record("decided", region(), at=CLOCK, by=None, reason="as it was")
    if connection.vendor == "sqlite":
        with (
            pytest.raises(DatabaseError, match="decisions are only added"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("INSERT OR REPLACE INTO accounts_decision SELECT * FROM accounts_decision")
    assert Decision.objects.get().reason == "as it was"


def test_who_has_decided_cannot_be_deleted(by):
    record("decided", region(), at=CLOCK, by=by)
    with pytest.raises(ProtectedError):
        by.delete()


def test_not_even_a_superuser_deletes_an_account(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    other = User.objects.create_user("other@example.org")
    assert client.post(f"/admin/accounts/user/{other.pk}/delete/", {"post": "yes"}).status_code == 403
    answer = client.post(
        "/admin/accounts/user/", {"action": "delete_selected", "_selected_action": [other.pk], "post": "yes"}
    )
    assert answer.status_code in (200, 302)
    assert User.objects.filter(pk=other.pk).exists()


def test_every_step_of_an_event_is_on_its_trail(by):
    event = submitted(trf(lines(4), round_robin(4)))  # too few players: on hold
    accept_event(event, at=CLOCK, by=by, reason="a small club")
    return_event(event, at=CLOCK, by=by, reason="wrong file")
    steps = of(event)
    assert [step[:2] for step in steps[-1:]] == [("returned", "ratings officer")]
    assert ("accepted", "ratings officer", {"state": "submitted"}, {"state": "accepted"}, "a small club") in steps
    waived = [step for step in steps if step[0] == "waived"]
    assert waived
    assert all((step[3], step[4]) == ({"hold": "waived"}, "a small club") for step in waived)
    assert "4 players" in waived[0][2]["hold"]


def test_the_role_of_a_step_outlives_the_role(by, client):
    event = submitted(trf(lines(6), round_robin(6)))
    accept_event(event, at=CLOCK, by=by, reason="all in order")
    by.is_officer = False
    by.save()
    assert EventMove.objects.latest("pk").role == "ratings officer"
    assert "by the ratings officer" in client.get(f"/events/{event.pk}/").content.decode()


def test_a_penalty_s_decisions(by):
    event = submitted(trf(lines(6), round_robin(6)))
    section = event.sections.get()
    penalty = Penalty.objects.create(
        section=section, player=section.entries.first().player, round=2, kind="forfeit", points=20
    )
    decide_penalties([penalty], Penalty.Status.DROPPED, at=CLOCK, by=by, reason="he was ill", final=True)
    assert of(penalty) == [
        ("dropped", "ratings officer", {"penalty": "proposed"}, {"penalty": "dropped"}, "he was ill")
    ]
    assert of(penalty)[0] in of(event)


def test_who_published_is_recorded_and_not_who_started(by):
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=CLOCK, by=None)
    process_run(run.pk)
    request_publication(RatingRun.objects.get(), at=timezone.now(), by=by)
    run = process_run(run.pk)
    assert (run.by, run.published_by) == (None, by)
    assert [(action, role) for action, role, *_ in of(run.period)] == [
        ("calculation started", "command line or clock"),
        ("publication started", "ratings officer"),
        ("published", "ratings officer"),
    ]
    assert EventMove.objects.latest("pk").actor == by


def test_administrations_and_accounts(by):
    user = appoint_administrator(region(), "thandi@example.org", at=CLOCK, by=by).administration.user
    end_administration(region(), at=CLOCK, by=by)
    disable_account(user, at=CLOCK, by=by)
    assert [(action, before, after) for action, _, before, after, _ in of(user)] == [
        ("administrator appointed", {"administrator": ""}, {"administrator": "thandi@example.org"}),
        ("administration ended", {"administrator": "thandi@example.org"}, {"administrator": ""}),
        ("disabled", {}, {"account": "off"}),
    ]
    assert [step[0] for step in of(region())] == ["administrator appointed", "administration ended"]


def test_a_correction_of_a_player_needs_a_reason_and_shows_before_and_after(desk):
    naledi = player("Botha", "Naledi")
    address = f"/admin/players/player/{naledi.pk}/change/"
    data = posted_form(desk, address, last_name="Bothma", reason_for_change=" ")
    assert form_errors(desk.post(address, data)) == ["This field is required."]
    naledi.refresh_from_db()
    assert (naledi.last_name, of(naledi)) == ("Botha", [])
    data["reason_for_change"] = "married"
    assert desk.post(address, data).status_code == 302
    assert of(naledi) == [("changed", "ratings officer", {"Last name": "Botha"}, {"Last name": "Bothma"}, "married")]


def test_what_not_all_may_see_is_changed_without_its_value(desk):
    """Superusers and the appeals panel read the trail, too; birth dates are for officers and the region's administrator."""
    naledi = player("Botha", "Naledi", birth_date=date(1990, 5, 17))
    address = f"/admin/players/player/{naledi.pk}/change/"
    changes = {"birth_date": "1991-06-18", "birth_year": "1991", "email": "naledi@example.org"}
    data = posted_form(desk, address, reason_for_change="a typing error", **changes)
    assert desk.post(address, data).status_code == 302
    ((_, _, before, after, _),) = of(naledi)
    assert (before["Birth date"], after["Birth date"]) == ("(hidden)", "(hidden)")
    assert (before["E-mail address"], after["E-mail address"]) == ("(hidden)", "(hidden)")
    assert naledi.history.latest().birth_date == date(1991, 6, 18)


def test_a_page_that_is_saved_unchanged_leaves_no_trace(desk):
    naledi = player()
    address = f"/admin/players/player/{naledi.pk}/change/"
    assert desk.post(address, posted_form(desk, address)).status_code == 302
    assert of(naledi) == []


def test_a_correction_of_an_arbiter_needs_a_reason_and_a_fee_is_named_with_its_day(desk):
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA")
    fee = grace.memberships.create(year=2026, paid_on=date(2026, 1, 5))
    address = f"/admin/events/arbiter/{grace.pk}/change/"
    data = posted_form(desk, address, memberships__0__paid_on="2026-02-05", reason_for_change="")
    assert form_errors(desk.post(address, data)) == ["This field is required."]
    data["reason_for_change"] = "a typing error"
    assert desk.post(address, data).status_code == 302
    label = f"membership {fee}: Paid on"
    assert of(grace) == [("changed", "ratings officer", {label: "2026-01-05"}, {label: "2026-02-05"}, "a typing error")]


def test_of_a_row_that_is_added_neither_key_nor_link_is_on_the_trail(desk):
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA")
    address = f"/admin/events/arbiter/{grace.pk}/change/"
    fee = {"memberships__TOTAL_FORMS": 1, "memberships__0__fee": "aoc", "memberships__0__year": 2026}
    answer = desk.post(address, posted_form(desk, address, **fee, memberships__0__paid_on="2026-01-05"))
    assert answer.status_code == 302, form_errors(answer)
    ((_, _, _, after, _),) = of(grace)
    assert {label.rpartition(": ")[2] for label in after} <= {"Fee", "Fee year", "Paid on"}


def test_a_new_player_needs_no_reason(desk):
    page = desk.get("/admin/players/player/add/").content.decode()
    assert "reason_for_change" not in page


def test_a_change_of_appointments_names_both_arbiters(desk):
    event = submitted(trf(lines(6), round_robin(6)))
    grace, themba = (Arbiter.objects.create(name=name, title="NA") for name in ("Grace Tenza", "Themba Zulu"))
    appointment = Appointment.objects.create(event=event, arbiter=grace, position=1)
    address = f"/admin/events/event/{event.pk}/change/"
    data = posted_form(desk, address, appointments__0__arbiter=themba.pk, reason_for_change="Grace fell ill")
    answer = desk.post(address, data)
    assert answer.status_code == 302, form_errors(answer)
    action, _, before, after, reason = of(event)[-1]
    assert (action, reason) == ("changed", "Grace fell ill")
    assert list(before.values()) == [str(grace)]
    assert list(after.values()) == [str(themba)]
    appointment.refresh_from_db()
    assert appointment.arbiter == themba


def test_a_row_that_is_removed_is_kept_as_it_stood(desk):
    event = submitted(trf(lines(6), round_robin(6)))
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA")
    appointments = [Appointment.objects.create(event=event, arbiter=grace, position=place) for place in (1, 2)]
    address = f"/admin/events/event/{event.pk}/change/"
    data = posted_form(desk, address, appointments__1__DELETE="on", reason_for_change="entered twice")
    answer = desk.post(address, data)
    assert answer.status_code == 302, form_errors(answer)
    _, _, before, after, _ = next(step for step in of(event) if step[0] == "changed")
    assert list(before.values()) == [f"Arbiter: {grace}, Position: 2"]
    assert list(after.values()) == ["removed"]
    assert list(event.appointments.all()) == appointments[:1]


def test_the_trail_shows_what_was_stored(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    other = User.objects.create_user("other@example.org", is_officer=True, is_staff=True)
    address = f"/admin/accounts/user/{other.pk}/change/"
    data = posted_form(client, address, first_name="Thandi", date_joined_0="2026-01-31", date_joined_1="00:30:00")
    data.pop("is_staff")
    answer = client.post(address, data)
    assert answer.status_code == 302, form_errors(answer)
    ((action, _, before, after, _),) = of(other)
    assert action == "changed"
    assert after == {"First name": "Thandi", "Date joined": "31 Jan 2026, 00:30"}
    assert before["First name"] == ""
    data.pop("is_officer")
    client.post(address, data)
    before, after = of(other)[-1][2:4]
    assert before == {"Ratings officer": "yes", "Staff status": "yes"}
    assert after == dict.fromkeys(before, "no")


ONE, TOGETHER = "/admin/{0}/{1}/delete/", "/admin/{0}/"


def deleted(client, row, page, reason):
    """The answer to the confirmation that a row is deleted."""
    data = {"post": "yes", "reason_for_change": reason}
    if page == TOGETHER:
        data |= {"action": "delete_selected", "_selected_action": [row.pk]}
    return client.post(page.format(row._meta.label_lower.replace(".", "/"), row.pk), data, follow=True)


@pytest.mark.parametrize("page", [ONE, TOGETHER])
def test_a_deletion_needs_a_reason_and_keeps_what_the_row_held(desk, page):
    naledi = player("Botha", "Naledi", birth_date=date(1990, 5, 17))
    for reason in ("", " \u200b"):
        assert (
            "Nothing was deleted. Reason: This field is required."
            in deleted(desk, naledi, page, reason).content.decode()
        )
    assert of(naledi) == []
    naledi.refresh_from_db()
    deleted(desk, naledi, page, "entered twice")
    assert not Player.objects.exists()
    ((action, role, before, _, reason),) = of(naledi)
    assert (action, role, reason) == ("deleted", "ratings officer", "entered twice")
    assert (before["last name"], before["birth date"]) == ("Botha", "(hidden)")


@pytest.mark.parametrize("page", [ONE, TOGETHER])
def test_the_reason_is_asked_for_where_a_deletion_is_confirmed(desk, page):
    naledi = player()
    address = page.format("players/player", naledi.pk)
    asked = {"action": "delete_selected", "_selected_action": [naledi.pk]}
    shown = desk.post(address, asked) if page == TOGETHER else desk.get(address)
    assert 'name="reason_for_change"' in shown.content.decode()


def test_what_is_deleted_with_a_row_is_on_the_trail(desk):
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA")
    grace.memberships.create(year=2026, paid_on=date(2026, 1, 5))
    deleted(desk, grace, ONE, "another Grace")
    (step,) = Decision.objects.filter(action="deleted")
    assert step.before["membership National Arbiter Grace Tenza: AOC membership 2026"] == (
        "arbiter: National Arbiter Grace Tenza, fee: AOC membership, fee year: 2026, paid on: 2026-01-05"
    )


def test_passwords_are_not_on_the_trail(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    other = User.objects.create_user("other@example.org", "mopane-mopane")
    address = f"/admin/accounts/user/{other.pk}/password/"
    data = {"usable_password": "true", "password1": "baobab-baobab", "password2": "baobab-baobab"}
    assert client.post(address, data).status_code == 302
    assert "baobab" not in str(list(Decision.objects.values()))
    assert [step[0] for step in of(other)] == ["changed"]


def test_who_sets_the_password_of_another_is_on_the_trail_and_in_a_mail_to_him(client):
    chief = User.objects.create_superuser("chief@example.org", "mopane-mopane")
    client.force_login(chief)
    other = User.objects.create_user("officer2@example.org", "mopane-mopane", is_officer=True, is_staff=True)
    data = {"usable_password": "true", "password1": "baobab-baobab", "password2": "baobab-baobab"}
    assert client.post(f"/admin/accounts/user/{other.pk}/password/", data | {"password2": "x"}).status_code == 200
    assert not Mail.objects.exists()
    assert client.post(f"/admin/accounts/user/{other.pk}/password/", data).status_code == 302
    (step,) = Decision.objects.filter(subject=key_of(other))
    assert step.actor == chief
    assert step.after == {"password": "(hidden)"}
    mail = Mail.objects.get()
    assert mail.to == "officer2@example.org"
    assert "set by chief@example.org on" in " ".join(mail.text.split())
    assert "baobab" not in mail.text
    client.post(f"/admin/accounts/user/{chief.pk}/password/", data)
    assert Mail.objects.count() == 1


def test_it_is_for_officers_only(client):
    decision = record("decided", region(), at=CLOCK, by=None)
    for user in (AnonymousUser(), User.objects.create_user("gau@example.org", is_staff=True)):
        client.logout()
        if isinstance(user, User):
            client.force_login(user)
        for address in ("", "csv/", f"{decision.pk}/change/"):
            assert client.get(f"/admin/accounts/decision/{address}").status_code in (302, 403)


def test_the_page_and_the_csv_choose_alike(desk, by):
    first, second = region("GAU"), region("LCP")
    record("decided", first, at=CLOCK, by=by, before={"name": "=1+1"}, reason=" =HYPERLINK(1)")
    record("decided", second, at=CLOCK, by=by)
    record("changed", second, at=CLOCK, by=by, part_of=first)
    for query, expected in (("", 3), (f"?about={key_of(first)}", 2), ("?action=changed", 1), ("?q=LCP", 2)):
        page = desk.get(f"/admin/accounts/decision/{query}")
        assert page.context["cl"].result_count == expected
        assert "By role" in page.content.decode()
        text = b"".join(desk.get(f"/admin/accounts/decision/csv/{query}")).decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == expected
    text = b"".join(desk.get(f"/admin/accounts/decision/csv/?about={key_of(first)}")).decode("utf-8-sig")
    row = next(row for row in csv.DictReader(io.StringIO(text)) if row["before"])
    assert (row["before"], row["reason"], row["who"]) == ("name: =1+1", "' =HYPERLINK(1)", by.email)


def test_the_trail_is_filtered_by_person_event_and_player(desk, by):
    first, second = (register_event(details(name=name), at=CLOCK) for name in ("Mopane Open", "Baobab Open"))
    withdraw(first, at=CLOCK, by=by, reason="Rain.")
    naledi = player()
    section = Section.objects.create(
        event=second,
        position=1,
        base_minutes=90,
        increment_seconds=30,
        starts=second.starts,
        ends=second.ends,
    )
    penalty = Penalty.objects.create(section=section, player=naledi, round=1, kind="forfeit", points=20)
    record("confirmed", penalty, at=CLOCK, by=None, part_of=second)
    record("told apart", naledi, at=CLOCK, by=by)

    def actions(query: str) -> list[str]:
        page = desk.get(f"/admin/accounts/decision/?{query}")
        text = b"".join(desk.get(f"/admin/accounts/decision/csv/?{query}")).decode("utf-8-sig")
        chosen = [row["action"] for row in csv.DictReader(io.StringIO(text))]
        assert chosen == [row.action for row in page.context["cl"].queryset]
        return sorted(chosen)

    assert actions("event=mopane") == ["registered", "withdrawn"]
    assert actions(f"player={naledi.number}") == ["confirmed", "told apart"]
    assert actions("person=officer") == ["told apart", "withdrawn"]
    assert actions("person=officer&event=Mopane+Open") == ["withdrawn"]
    assert actions("event=nothing") == []
    page = desk.get("/admin/accounts/decision/?person=officer&event=mopane").content.decode()
    assert '<input type="hidden" name="person" value="officer">' in page


def test_a_row_s_page_leads_to_its_trail(desk):
    naledi = player()
    page = desk.get(f"/admin/players/player/{naledi.pk}/change/").content.decode()
    assert f"/admin/accounts/decision/?about=players.player+{naledi.pk}" in page


@pytest.mark.parametrize("query", ["at__day=abc", "foo__bar=1"])
def test_a_filter_that_cannot_be_meant_leads_back_to_the_page(desk, query):
    assert desk.get(f"/admin/accounts/decision/csv/?{query}").status_code == 302
