"""What once stood on a person's line, or on another's, by a slip or for a time: an address of the family, an id of another, a
day of birth. It is told from what is his, and what is another's stays."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest

from accounts.models import Decision, User
from accounts.trail.operations import record
from events.models import Arbiter, Entry, Event, Guest, SubmissionFinding, SubmittedFile
from events.operations import accept_event, return_event
from events.submission.recording import resubmit
from events.submission.validation import validate_file
from players.models import Player
from players.operations import save_player
from ratings.models import ImportJob, ListedPlayer
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.export import of_player
from tests.builders import (
    CLOCK,
    TODAY,
    Line,
    event_of,
    everything,
    lines,
    named,
    people,
    player,
    publish,
    region,
    round_robin,
    section_file,
    submitted,
    trf,
    with_address,
)
from tests.ratings.personal_data.children import BORN, child, erase, held_for_years, left

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("last", "first", "code", "called"),
    [
        ("Ottolyne", "Wanda", "GAU", "Vexelby"),
        ("Qwibbelthorpe", "Wanda", "LCP", "Vexelby"),
        ("Qwibbelthorpe", "Wanda", "GAU", "Vexelby"),
        ("Nyl", "Wanda", "GAU", "Vexelby"),
        ("Ottolyne", "Wanda", "GAU", "Qwibbelthorp"),
    ],
)
def test_a_name_of_when_she_had_the_address_of_her_mother_is_hers(last, first, code, called):
    """Or of her coach, or of another of her family elsewhere."""
    with_address(player(last, first, region=region(code)), "family@example.org")
    his = child()
    his.region, his.email = region("GAU"), "family@example.org"
    save_player(his)
    event_of([(his, people(1)[0], "1-0")], name="Zandile Qwibbelthorpe Farewell")
    record("changed", his, at=CLOCK, by=None, reason="Zandile Qwibbelthorpe asked for it")
    his.last_name = called
    save_player(his)
    his.email = "own@example.org"
    save_player(his)
    publish()
    erase(his)
    assert "zandile" not in str(everything()).lower()


def test_a_sister_s_name_that_was_typed_over_hers_is_the_sister_s():
    his, sister = child(), player("Qwibbelthorpe", "Wanda", birth_date=date(2014, 8, 9))
    for first in ("Wanda", "Zandile"):
        his.first_name = first
        save_player(his)
    section = event_of([(his, sister, "1-0")]).sections.get()
    for row in (his, sister):
        record("changed", section, at=CLOCK, by=None, reason=f"{row.name} was ill")
    publish()
    assert "Wanda" not in str([part.rows for part in of_player(his) if part.title == "Player, former versions"])
    erase(his)
    his.refresh_from_db()
    told = Decision.objects.filter(action="changed").order_by("pk").values_list("reason", flat=True)
    assert list(told) == [f"{his.last_name} was ill", "Wanda Qwibbelthorpe was ill"]


@pytest.mark.parametrize("typed", [("100000001", "199000009", "100000001"), ("199000009", "100000001")])
@pytest.mark.parametrize("is_arbiter", [True, False])
def test_an_arbiter_s_id_that_was_typed_over_hers_is_the_arbiter_s(typed, is_arbiter):
    """Her record, her account, and the events that she organises."""
    his = child()
    Player.history.filter(id=his.pk).update(number=typed[0])
    for number in typed:
        his.number = number
        save_player(his)
    user = User.objects.create_user("thandi@example.org", first_name="Thandi", last_name="Nkosi")
    if is_arbiter:
        Arbiter.objects.create(name="Thandi Nkosi", number="199000009", user=user)
    event = event_of([(*people(2), "1-0")])
    assert (event.organiser_name, event.organiser_number) == ("Thandi Nkosi", "199000009")
    assert "Nkosi" not in str([part.rows for part in of_player(his)])
    erase(his)
    user.refresh_from_db()
    event.refresh_from_db()
    assert (user.email, user.is_active, event.organiser_name) == ("thandi@example.org", True, "Thandi Nkosi")
    assert list(Arbiter.objects.values_list("name", flat=True)) == ["Thandi Nkosi"] * is_arbiter
    assert left() == []


def test_a_fide_id_of_an_opponent_abroad_that_was_typed_on_her_line_is_his():
    his = child()
    section = event_of([(*people(2), "1-0")]).sections.get()
    Guest.objects.create(section=section, name="Varga, Tomas", fide_id=995000001, fide_rating=1900)
    line = Entry.objects.create(
        section=section, player=people(2)[0], number=1, name_in_file="Tomas Varga", points=0, rank=1, match_reason="x",
        fide_id_in_file=995000001,
    )  # fmt: skip
    for fide_id in (995000001, 14398866):
        his.fide_id = fide_id
        save_player(his)
    erase(his)
    line.refresh_from_db()
    assert (line.fide_id_in_file, Guest.objects.get().fide_id) == (995000001, 995000001)
    assert left() == []


@pytest.mark.parametrize("first", ["Zandile", "Mia"])
def test_a_former_name_of_twins_is_hers_though_the_other_has_the_address_by_now(first):
    his, twin = twins = child(first), player("Qwibbelthorpe", "Wanda", birth_date=BORN)
    event_of([(his, people(1)[0], "1-0")], name=f"{first} Qwibbelthorpe Farewell")
    for row in twins:
        Player.history.filter(id=row.pk).update(email="mother@example.org")
        row.email, row.last_name = "mother@example.org", "Vexelby"
        save_player(row)
    his.email = "own@example.org"
    save_player(his)
    publish()
    erase(his)
    assert not re.search(rf"\b{first}\b", str(everything()), re.IGNORECASE)
    twin.refresh_from_db()
    assert (twin.name, twin.email) == ("Wanda Vexelby", "mother@example.org")


@pytest.mark.parametrize("first", ["Zandile", "Mia"])
def test_a_name_of_when_the_register_had_her_day_of_birth_is_hers_though_it_is_a_twin_s_too(first):
    his, twin = child(first), player("Qwibbelthorpe", "Wanda", birth_date=BORN)
    event_of([(his, people(1)[0], "1-0")])
    record(
        "changed",
        twin,
        at=CLOCK,
        by=None,
        reason=f"{first} Qwibbelthorpe was ill; {first} Vexelby, born 2012-02-03, too",
    )
    for fields in ({"last_name": "Vexelby"}, {"birth_date": None, "birth_year": 2012}):
        for name, value in fields.items():
            setattr(his, name, value)
        save_player(his)
    publish()
    erase(his)
    assert not re.search(rf"\b{first}\b", str(everything()), re.IGNORECASE)
    twin.refresh_from_db()
    assert (twin.name, twin.birth_date) == ("Wanda Qwibbelthorpe", BORN)


@pytest.mark.parametrize("first", ["Zandile", "Mia"])
@pytest.mark.parametrize("email", ["", "mother@example.org"])
def test_a_name_under_which_she_was_registered_with_her_mother_s_day_of_birth_is_hers(first, email):
    born = date(1985, 5, 6)
    mother = with_address(player("Qwibbelthorpe", "Wanda", birth_date=born), "mother@example.org")
    his = player("Qwibbelthorpe", first, birth_date=born)
    if email:
        his = with_address(his, email)
    event_of([(his, people(1)[0], "1-0")], name=f"{first} Qwibbelthorpe Farewell")
    held_for_years(his)
    his.last_name, his.birth_date, his.email = "Vexelby", BORN, "own@example.org"
    save_player(his)
    publish()
    erase(his)
    assert not re.search(rf"\b{first}\b", str(everything()), re.IGNORECASE)
    mother.refresh_from_db()
    assert (mother.name, mother.birth_date, mother.email) == ("Wanda Qwibbelthorpe", born, "mother@example.org")


@pytest.mark.parametrize("written", ["Qwibbelthorp, Zandile", "Qwibbelthorpe, Zandi"])
@pytest.mark.parametrize("case", ["", "another was erased before", "she is not in the second"])
def test_a_name_that_the_first_file_had_goes_from_what_its_check_found(written, case):
    """An officer returns the event for it, and it is sent in again with her name as the register has it."""
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    with_other = [Line("Nkosi, Themba", national=other.number, born="1980/05/17"), *lines(6)[2:]]
    hers = Line("Qwibbelthorpe, Zandile", national=his.number, born="2012/02/03")
    first = [replace(hers, name=written), *with_other]
    second = [lines(6)[0] if "not in" in case else hers, *with_other]
    event = submitted(trf(first, round_robin(6)))
    section = event.sections.get()
    found = f"On the register without a region: {written} (1): GAU Gauteng."
    for waived in ({}, {"waived_at": CLOCK, "waived_reason": "seen"}):
        SubmissionFinding.objects.create(
            submission=section.submissions.get(), severity="hold", code="x", message=found, **waived
        )
    return_event(event, at=CLOCK, reason="A name is misspelt: see the register.")
    section.refresh_from_db()
    sent = section_file(trf(second, round_robin(6)), section=section)
    resubmit(validate_file(sent, today=TODAY), at=CLOCK)
    accept_event(Event.objects.get(pk=event.pk), at=CLOCK, reason="seen", penalty_reason="seen")
    publish()
    if case.startswith("another"):
        erase(other)
    erase(his)
    assert left() == []
    assert "qwibbelthorp" not in str(everything()).lower()
    assert SubmissionFinding.objects.filter(waived_at__isnull=False).exists()  # that he did stays


@pytest.mark.parametrize("kind", [Player, Arbiter, User])
@pytest.mark.parametrize("wrong", ["Jan Pietrus", "Jan B."])
def test_a_slip_in_her_second_first_name_is_hers_though_her_father_has_the_first(kind, wrong):
    named(kind, "Jan", "Qwibbelthorpe")
    his = player("Qwibbelthorpe", wrong, birth_date=BORN)
    his.first_name = "Jan Petrus"
    save_player(his)
    section = event_of([(his, people(1)[0], "1-0")]).sections.get()
    record("asked", section, at=CLOCK, by=None, reason=f"{wrong} Qwibbelthorpe asked for it")
    publish()
    assert "another player" not in str([part.rows for part in of_player(his)])
    erase(his)
    his.refresh_from_db()
    assert Decision.objects.get(action="asked").reason == f"{his.last_name} asked for it"


def test_what_a_list_put_right_of_another_s_line_goes_from_what_it_changed():
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17), national_id="200000001")
    his.fide_id = None
    save_player(his)
    typed = {"last_name": "Qwibbelthorpe", "first_name": "Zandile", "birth_date": BORN, "fide_id": 14398866}
    for name, value in typed.items():
        setattr(other, name, value)
    save_player(other)
    listed = ListedPlayer(national_id="200000001", last_name="Nkosi", first_name="Themba", kind="changed", player=other)
    listed.changes = [
        ["last_name", "Qwibbelthorpe", "Nkosi"], ["first_name", "Zandile", "Themba"],
        ["birth", "2012-02-03", "1980-05-17"], ["fide_id", "14398866", "14300009"], ["club", "", "Rooks"],
    ]  # fmt: skip
    listed.job = ImportJob.objects.create(
        kind="register", state="taken", filename="x", size=1, at=CLOCK, asked_at=CLOCK, finished_at=CLOCK
    )
    listed.line = 2
    listed.save()
    own = {"last_name": "Nkosi", "first_name": "Themba", "birth_date": date(1980, 5, 17), "fide_id": 14300009}
    for name, value in own.items():
        setattr(other, name, value)
    save_player(other)
    his.fide_id = 14398866
    save_player(his)
    erase(his)
    assert left() == []
    listed.refresh_from_db()
    assert [after for _, _, after in listed.changes] == ["Nkosi", "Themba", "1980-05-17", "14300009", "Rooks"]


@pytest.mark.parametrize("whose", ["own", "other"])
def test_a_chess_sa_id_that_stood_in_her_fide_id_s_place_stays_where_it_stands(whose):
    his, other = child(), player("Ottolyne", "Wanda", national_id="200000001")
    his.fide_id = int(his.number if whose == "own" else other.number)
    save_player(his)
    his.fide_id = 14398866
    save_player(his)
    for row in (his, other):
        event = event_of([(row, people(1)[0], "1-0")])
        Event.objects.filter(pk=event.pk).update(organiser_name=row.name, organiser_number=row.number)
        record("changed", row, at=CLOCK, by=None, reason=f"{row.number} wrote")
    publish()
    erase(his)
    organisers = list(Event.objects.order_by("pk").values_list("organiser_name", "organiser_number"))
    his.refresh_from_db()
    assert organisers == [(his.name, his.number), (other.name, other.number)]
    assert left() == []


def test_who_has_by_now_a_fide_id_that_stood_on_her_line_keeps_his_files():
    his, other = child(), player("Ottolyne", "Wanda", birth_date=date(1981, 4, 5))
    his.fide_id = 14398867
    save_player(his)
    his.fide_id, other.fide_id = 14398866, 14398867
    save_player(his)
    save_player(other)
    played = [Line("Ottolyne, Wanda", fide="14398867", national=other.number, born="1981/04/05"), *lines(6)[1:]]
    event = submitted(trf(played, round_robin(6)))
    accept_event(event, at=CLOCK, reason="Looked at.")
    assert hindrance(his) == ""
    publish()
    erase(his)
    file = SubmittedFile.objects.get()
    assert file.replaced_at is None
    assert b"14398867" in bytes(file.content)


@pytest.mark.parametrize("address", ["zandile@example.org", ""])
def test_her_day_of_birth_goes_from_a_line_that_had_another_before_and_has_it_again(address):
    """With her address, also after that was cleared."""
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    for born, email in ((BORN, address), (date(1980, 5, 17), "")):
        other.birth_date, other.email = born, email
        save_player(other)
    clear_personal_data(at=CLOCK + timedelta(days=1))
    erase(his)
    assert left() == []
