"""What is a parent's or a sister's of the same surname stays theirs at an erasure: also what once stood on the child's line."""

from datetime import date, timedelta

import pytest

from accounts.models import Decision, Mail, User
from accounts.operations import set_active
from accounts.trail.operations import key_of, record
from events.models import Arbiter, ErrorReport, Event, Guest, SubmissionFinding, SubmittedFile
from events.operations import accept_event
from players.models import Player
from players.operations import save_player
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.export import of_player, of_user
from ratings.personal_data.person import since
from tests.admin_pages import posted_form
from tests.builders import (
    CLOCK,
    MARCH,
    Line,
    event_of,
    everything,
    lines,
    named,
    people,
    player,
    publish,
    round_robin,
    submitted,
    trf,
    with_address,
)
from tests.ratings.personal_data.children import LATER, child, erase, held_for_years, left

pytestmark = pytest.mark.django_db


def organised(name, number):
    event = event_of([(*people(2), "1-0")])
    Event.objects.filter(pk=event.pk).update(organiser_name=name, organiser_number=number)
    return event


def typed_over(row, **values):
    """Something stands on a player's line by a slip, which is put right."""
    own = {name: getattr(row, name) for name in values}
    for given in (values, own):
        for name, value in given.items():
            setattr(row, name, value)
        save_player(row)


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("is_arbiter", [True, False])
def test_a_father_s_chess_sa_id_on_the_child_s_form_is_his(is_first, is_arbiter):
    his = child()
    if is_first:
        Player.history.filter(id=his.pk).update(number="199000555")
    else:
        typed_over(his, number="199000555")
    father = User.objects.create_user("thandi@example.org", first_name="Thandi", last_name="Qwibbelthorpe")
    if is_arbiter:
        Arbiter.objects.create(name="Thandi Qwibbelthorpe", number="199000555", user=father)
    event = organised("Thandi Qwibbelthorpe", "199000555")
    assert "Thandi" not in str([part.rows for part in of_player(his)])
    erase(his)
    father.refresh_from_db()
    event.refresh_from_db()
    assert (father.email, father.is_active) == ("thandi@example.org", True)
    assert event.organiser_name == "Thandi Qwibbelthorpe"
    assert set(Arbiter.objects.values_list("name", flat=True)) <= {"Thandi Qwibbelthorpe"}


def test_a_fide_id_that_she_had_for_a_time_goes():
    his = child()
    typed_over(his, fide_id=14300099)
    section = event_of([(*people(2), "1-0")]).sections.get()
    guest = Guest.objects.create(section=section, name="Qwibbelthorpe, Zandi", fide_id=14300099, fide_rating=1900)
    publish()
    erase(his)
    guest.refresh_from_db()
    his.refresh_from_db()
    assert (guest.name, guest.fide_id) == (his.last_name, None)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_father_s_fide_id_on_the_child_s_line_is_his(is_first):
    his = child()
    if is_first:
        Player.history.filter(id=his.pk).update(fide_id=14300055)
    else:
        typed_over(his, fide_id=14300055)
    Arbiter.objects.create(name="Thandi Qwibbelthorpe", fide_id=14300055)
    section = event_of([(*people(2), "1-0")]).sections.get()
    Guest.objects.create(section=section, name="Qwibbelthorpe, Thandi", fide_id=14300055, fide_rating=1900)
    erase(his)
    assert Guest.objects.values_list("name", "fide_id").get() == ("Qwibbelthorpe, Thandi", 14300055)
    assert Arbiter.objects.get().name == "Thandi Qwibbelthorpe"


@pytest.mark.parametrize("kind", [Arbiter, User, Player])
def test_a_name_of_the_family_that_was_typed_over_the_child_s_is_theirs(kind):
    his = child()
    typed_over(his, first_name="Wanda")
    named(kind, "Wanda Grace" if kind is Player else "Wanda", "Qwibbelthorpe")
    section = event_of([(his, people(1)[0], "1-0")]).sections.get()
    record("changed", section, at=CLOCK, by=None, reason="Wanda Qwibbelthorpe asked, Zandile Qwibbelthorpe was ill")
    publish()
    erase(his)
    his.refresh_from_db()
    told = Decision.objects.get(action="changed").reason
    assert told == f"Wanda Qwibbelthorpe asked, {his.last_name} was ill"


@pytest.mark.parametrize("of_account", [True, False])
def test_another_s_name_that_was_typed_over_her_record_or_account_is_his(client, of_account):
    his = child()
    account = User.objects.create_user("zandi@example.org", first_name="Zandile", last_name="Qwibbelthorpe")
    record_of_hers = Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account, title="NA")
    Arbiter.objects.create(name="Grace Tenza", number="199000777")
    client.force_login(User.objects.create_superuser("boss@example.org"))
    row = account if of_account else record_of_hers
    page = f"/admin/{row._meta.label_lower.replace('.', '/')}/{row.pk}/change/"
    User.objects.filter(email="boss@example.org").update(is_officer=True)
    for first, last in (("Grace", "Tenza"), ("Zandile", "Qwibbelthorpe")):
        values = {"first_name": first, "last_name": last} if of_account else {"name": f"{first} {last}"}
        assert client.post(page, posted_form(client, page, **values)).status_code == 302
    section = event_of([(his, people(1)[0], "1-0")]).sections.get()
    record("asked", section, at=CLOCK, by=None, reason="Grace Tenza asked, Zandile Qwibbelthorpe was ill")
    publish()
    erase(his)
    his.refresh_from_db()
    assert Decision.objects.get(action="asked").reason == f"Grace Tenza asked, {his.last_name} was ill"


def test_a_name_with_which_a_sister_was_registered_by_mistake_is_not_hers():
    his, sister = child(), player("Qwibbelthorpe", "Zandile", birth_date=date(2014, 8, 9))
    sister.first_name = "Wanda"
    save_player(sister)
    registered, renamed = Player.history.filter(id=sister.pk).order_by("history_id")
    Player.history.filter(pk=renamed.pk).update(history_date=registered.history_date + timedelta(minutes=5))
    event = event_of([(*people(2), "1-0")], name="Zandile Qwibbelthorpe Farewell")
    publish()
    erase(his)
    event.refresh_from_db()
    his.refresh_from_db()
    assert event.name == f"{his.last_name} Farewell"


def registered_by_mistake(row, **put_right):
    """A row had another's name when it was entered, and was put right within five minutes."""
    for name, value in put_right.items():
        setattr(row, name, value)
    save_player(row) if isinstance(row, Player) else row.save()
    entered, renamed = type(row).history.filter(id=row.pk).order_by("history_id")
    type(row).history.filter(pk=renamed.pk).update(history_date=entered.history_date + timedelta(minutes=5))


def test_her_name_with_which_another_was_registered_by_mistake_goes():
    his = child()
    registered_by_mistake(player("Qwibbelthorpe", "Zandile"), last_name="Tenza", first_name="Wanda")
    registered_by_mistake(Arbiter.objects.create(name="Zandile Qwibbelthorpe"), name="Grace Tenza")
    event = event_of([(*people(2), "1-0")], name="Zandile Qwibbelthorpe Farewell")
    publish()
    erase(his)
    assert left() == []
    event.refresh_from_db()
    assert "Zandile" not in event.name


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("kind", [Arbiter, User, Player])
def test_a_name_of_the_family_on_the_child_s_line_is_not_in_the_child_s_copy(kind, is_first):
    if is_first:
        his = player("Qwibbelthorpe", "Wanda", birth_date=date(2012, 2, 3))
        registered_by_mistake(his, first_name="Zandile")
    else:
        his = child()
        typed_over(his, first_name="Wanda")
    named(kind, "Wanda Grace" if kind is Player else "Wanda", "Qwibbelthorpe")
    assert "Wanda" not in str([part.rows for part in of_player(his)])


def test_an_arbiter_who_was_called_so_before_she_married_keeps_what_is_hers():
    his, arbiter = child(), Arbiter.objects.create(name="Zandile Qwibbelthorpe", number="199000555", fide_id=14300055)
    named = trf(lines(6), round_robin(6)).replace(
        b"102 IA Grace Tenza (14300001)", b"102 IA Zandile Qwibbelthorpe (14300055)"
    )
    submitted(named)
    file = SubmittedFile.objects.get()
    held_for_years(arbiter)
    arbiter.name = "Zandile Vexelby"
    arbiter.save()
    record("changed", arbiter, at=CLOCK, by=None, before={"name": "Zandile Qwibbelthorpe"}, reason="married")
    erase(his)
    file.refresh_from_db()
    assert b"Zandile Qwibbelthorpe (14300055)" in bytes(file.content)
    assert Decision.objects.get(action="changed").before == {"name": "Zandile Qwibbelthorpe"}


@pytest.mark.parametrize("name", ["Z. Qwibbelthorpe", "Zandi Qwibbelthorpe", "Qwibbelthorpe, Z"])
def test_what_stands_by_a_short_name_beside_a_former_id_of_hers_is_hers(name):
    his = child()
    Player.history.filter(id=his.pk).update(number="199000555", fide_id=14399977)
    event = organised(name, "199000555")
    guest = Guest.objects.create(
        section=event_of([(*people(2), "1-0")]).sections.get(), name=name, fide_id=14399977, fide_rating=1900
    )
    publish()
    erase(his)
    event.refresh_from_db()
    guest.refresh_from_db()
    his.refresh_from_db()
    assert (event.organiser_name, guest.name, guest.fide_id) == (his.last_name, his.last_name, None)


def test_a_namesake_on_record_by_an_initial_keeps_the_name_under_which_he_organised():
    his = child()
    Arbiter.objects.create(name="Z. Qwibbelthorpe", number="199000555")
    event = organised("Zandile Qwibbelthorpe", "199000555")
    erase(his)
    event.refresh_from_db()
    assert event.organiser_name == "Zandile Qwibbelthorpe"


@pytest.mark.parametrize("number", ["", "100000777", "199000009"])
def test_an_organiser_goes_whose_id_is_missing_or_another_s_who_was_never_called_so(number):
    his = child()
    player("Dube", "Anna", national_id="100000777")
    Arbiter.objects.create(name="Some Arbiter", number="", fide_id=14300077)
    organised("Zandile Qwibbelthorpe", number)
    erase(his)
    assert left() == []


def test_a_record_that_is_linked_to_the_child_by_mistake_in_a_back_up_is_not_erased_again():
    his = child()
    account = User.objects.create_user("thandi@example.org", first_name="Thandi", last_name="Nkosi")
    record_of_his = Arbiter.objects.create(name="Thandi Nkosi", player=his, number="199000555", user=account)
    known = {key_of(his): since(his)}
    erase_player(his, at=LATER, by=None, reason="again", again=True, shown=known, pseudonym="Player 1234567")
    record_of_his.refresh_from_db()
    account.refresh_from_db()
    assert (record_of_his.name, account.email, account.is_active) == ("Thandi Nkosi", "thandi@example.org", True)
    assert left() == []


def test_her_record_is_erased_again_though_a_back_up_has_linked_it_to_another():
    his, other = child(), people(1)[0]
    account = User.objects.create_user("zandile@example.org", first_name="Zandile", last_name="Qwibbelthorpe")
    record_of_hers = Arbiter.objects.create(name="Zandile Qwibbelthorpe", player=other, user=account)
    known = {key_of(row): since(row) for row in (his, record_of_hers, account)}
    again = {"again": True, "shown": known, "arbiters": [record_of_hers.pk], "users": [account.pk]}
    erase_player(his, at=LATER, by=None, reason="again", pseudonym="Player 1234567", **again)
    record_of_hers.refresh_from_db()
    account.refresh_from_db()
    assert (record_of_hers.name, record_of_hers.player, account.is_active) == ("Player 1234567", None, False)
    assert left() == []


@pytest.mark.parametrize("of_the_family", [True, False])
def test_an_address_that_his_account_had_is_a_player_s_who_has_it_now(of_the_family):
    """A father's, who has another one by now; or typed by a slip and put right."""
    his = child()
    account = User.objects.create_user("family@example.org", first_name="Zandile", last_name="Qwibbelthorpe")
    Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account)
    wanda = with_address(player("Qwibbelthorpe" if of_the_family else "Tenza", "Wanda"), "family@example.org")
    section = event_of([(wanda, people(1)[0], "1-0")]).sections.get()
    User.objects.filter(pk=account.pk).update(email="work@example.org")
    before, after = {"E-mail address": "family@example.org"}, {"E-mail address": "work@example.org"}
    record("changed", account, at=CLOCK, by=None, before=before, after=after)
    reported = {
        "section": section,
        "month": MARCH,
        "player": wanda,
        "role": "player",
        "at": CLOCK,
        "confirmed_at": CLOCK,
    }
    report = ErrorReport.objects.create(
        reporter_name=wanda.name, reporter_email="family@example.org", wrong="x", right="y", **reported
    )
    mail = {"kind": "x", "subject": "s", "text": wanda.number, "about": key_of(wanda)}
    Mail.objects.create(to="family@example.org", created_at=CLOCK, state="waiting", next_at=CLOCK, **mail)
    record("waived", section, at=CLOCK, by=None, reason="Wanda wrote from family@example.org")
    publish()
    erase(his)
    report.refresh_from_db()
    assert (report.reporter_email, Mail.objects.filter(to="family@example.org").count()) == ("family@example.org", 1)
    assert Decision.objects.get(action="waived").reason == "Wanda wrote from family@example.org"
    assert "zandile" not in str(everything()).lower()


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Wanda", "Wanda"),
        ("Wanda", "Wanda Grace"),
        ("Wanda", "Wanda G."),
        ("Wanda Grace", "Wanda"),
        ("Wanda Grace", "Wanda G."),
        ("Wanda", "W."),
    ],
)
@pytest.mark.parametrize("surname", ["Qwibbelthorpe", "Tenza"])
def test_a_name_that_was_typed_otherwise_than_another_has_it_is_the_other_s(name, typed, surname):
    his, wanda = child(), player(surname, name, birth_date=date(2014, 8, 9))
    typed_over(his, first_name=typed, last_name=surname)
    section = event_of([(his, people(1)[0], "1-0")]).sections.get()
    record("changed", section, at=CLOCK, by=None, reason=f"Wanda {surname} asked, Zandile Qwibbelthorpe was ill")
    publish()
    assert "Wanda" not in str([part.rows for part in of_player(his)])
    erase(his)
    his.refresh_from_db()
    assert Decision.objects.get(action="changed").reason == f"Wanda {surname} asked, {his.last_name} was ill"
    assert Player.objects.get(pk=wanda.pk).name == f"{name} {surname}"


def test_the_address_of_a_parent_that_was_typed_into_an_account_is_the_parent_s():
    his, wanda = child(), player("Tenza", "Wanda")
    account = User.objects.create_user("zandile@example.org", first_name="Zandile", last_name="Qwibbelthorpe")
    Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account)
    section = event_of([(wanda, people(1)[0], "1-0")]).sections.get()
    reported = {
        "section": section,
        "month": MARCH,
        "player": wanda,
        "role": "other",
        "at": CLOCK,
        "confirmed_at": CLOCK,
    }
    report = ErrorReport.objects.create(
        reporter_name="Thandi Tenza", reporter_email="thandi@example.org", wrong="Qzwrong", right="y", **reported
    )
    mail = {"kind": "x", "subject": "s", "text": "Dear Thandi", "about": key_of(report)}
    Mail.objects.create(to="thandi@example.org", created_at=CLOCK, state="waiting", next_at=CLOCK, **mail)
    for before, after in (("zandile@example.org", "thandi@example.org"), ("thandi@example.org", "zandile@example.org")):
        sides = {"before": {"E-mail address": before}, "after": {"E-mail address": after}}
        record("changed", account, at=CLOCK, by=None, **sides)
    publish()
    for kept in (of_player(his), of_user(account)):
        text = str([part.rows for part in kept])
        assert "Thandi" not in text
        assert "thandi" not in text
        assert "Qzwrong" not in text
    erase(his)
    report.refresh_from_db()
    assert (report.reporter_email, Mail.objects.filter(to="thandi@example.org").count()) == ("thandi@example.org", 1)


@pytest.mark.parametrize("signed", ["Zandile", "Ms Qwibbelthorpe", "Wanda Qwibbelthorpe", "Dr Zandile Qwibbelthorpe"])
@pytest.mark.parametrize("about_himself", [True, False])
def test_a_former_address_of_an_account_is_its_holder_s_however_a_report_from_it_is_signed(signed, about_himself):
    his = child()
    account = User.objects.create_user("old@example.org", first_name="Zandile", last_name="Qwibbelthorpe")
    Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account)
    section = event_of([(his, people(1)[0], "1-0")]).sections.get()
    reported = {"section": section, "month": MARCH, "player": his if about_himself else None, "at": CLOCK}
    ErrorReport.objects.create(
        reporter_name=signed, reporter_email="old@example.org", wrong="x", right="y", role="arbiter", **reported
    )
    mail = {"kind": "x", "subject": "s", "text": "Dear Zandile, Qzmail"}
    Mail.objects.create(to="old@example.org", created_at=CLOCK, state="sent", sent_at=CLOCK, next_at=None, **mail)
    User.objects.filter(pk=account.pk).update(email="new@example.org", date_joined=CLOCK - timedelta(days=400))
    sides = {"before": {"E-mail address": "old@example.org"}, "after": {"E-mail address": "new@example.org"}}
    record("changed", account, at=CLOCK, by=None, **sides)
    record("waived", section, at=CLOCK, by=None, reason="She wrote from old@example.org")
    publish()
    assert "Qzmail" in str([part.rows for part in of_player(his)])
    erase(his)
    reports = str(list(ErrorReport.objects.values_list("reporter_email", "player")))
    text = str({table: rows for table, rows in everything().items() if "errorreport" not in table})
    assert "old@example.org" not in text
    assert "old@example.org" not in reports


@pytest.mark.parametrize("fide", [True, False])
def test_a_father_who_wrote_his_child_s_id_beside_his_own_name_keeps_his(fide):
    his = child()
    Arbiter.objects.create(name="Thandi Qwibbelthorpe", number="199000555")
    number = "14398866" if fide else his.number
    played = [Line("Qwibbelthorpe, Zandile", national=his.number, born="2012/02/03"), *lines(6)[1:]]
    event = submitted(
        trf(played, round_robin(6)).replace(
            b"102 IA Grace Tenza (14300001)", f"102 Thandi Qwibbelthorpe ({number})".encode()
        )
    )
    section = event.sections.get()
    submission = section.submissions.get()
    found = f"An id is another's: Thandi Qwibbelthorpe, {number}: Zandile Qwibbelthorpe."
    SubmissionFinding.objects.create(
        submission=submission, severity="hold", code="arbiter-id-of-another", message=found
    )
    record("accepted", section, at=CLOCK, by=None, reason="Thandi Qwibbelthorpe was asked about Zandile Qwibbelthorpe.")
    accept_event(event, at=CLOCK, reason="seen", penalty_reason="seen")
    publish()
    erase(his)
    his.refresh_from_db()
    told = Decision.objects.get(reason__startswith="Thandi").reason
    assert told == f"Thandi Qwibbelthorpe was asked about {his.last_name}."


@pytest.mark.parametrize("is_cleared", [True, False])
def test_who_decided_under_a_short_name_is_erased_though_the_account_was_cleared(is_cleared):
    his = child()
    account = User.objects.create_user("zandi@example.org", first_name="Zandi", last_name="Qwibbelthorpe")
    Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account)
    record("waived", people(1)[0], at=CLOCK, by=account, reason="right")
    if is_cleared:
        set_active(account, False, at=CLOCK, by=User.objects.create_superuser("boss@example.org"))
        clear_personal_data(at=CLOCK + timedelta(days=3 * 366))
        account.refresh_from_db()
        assert account.get_full_name() == ""
    assert "Zandi Qwibbelthorpe" in Decision.objects.get(action="waived").actor_name
    erase(his)
    his.refresh_from_db()
    assert Decision.objects.get(action="waived").actor_name == f"{his.last_name} (erased)"
