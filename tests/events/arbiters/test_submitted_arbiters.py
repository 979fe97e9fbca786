"""A file's arbiters beside the registration and the register, from reading the file on."""

from dataclasses import replace
from datetime import date

import pytest

from events.arbiters.lookup import entered_as_players
from events.arbiters.queries import arbiter_page
from events.models import Appointment, Arbiter, Membership, Readings
from events.operations import EventError, accept_event, return_event
from events.submission.recording import resubmit
from events.submission.validation import validate_file
from tests.builders import (
    CLOCK,
    TODAY,
    Line,
    details,
    lines,
    open_file,
    player,
    publish,
    round_robin,
    section_file,
    submitted,
    trf,
)

pytestmark = pytest.mark.django_db
FEE = {"year": 2024, "paid_on": date(2024, 3, 1)}


@pytest.fixture
def grace():
    """Paid on the day before the event of the builders starts."""
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", fide_id=14300001)
    Membership.objects.create(arbiter=arbiter, **FEE)
    return arbiter


def said(content=None, **fields):
    prepared = validate_file(section_file(content, **fields), today=TODAY)
    assert prepared.errors == []
    return {one.code: one for one in prepared.findings if one.article.split(".")[0] in ("6", "7", "8", "15")}


@pytest.mark.rule("chessa 15.1", "chessa 15.2")
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("IA Grace Tenza", True),
        ("Tenza, Gracé", True),
        ("IA G. Tenza (14300001)", True),
        ("Grace Tenza (99999)", False),
        ("Piet Ndlovu (14300001)", False),
    ],
)
def test_the_files_arbiter_is_sought_by_id_and_exact_name(grace, text, known):
    assert ("arbiter-unknown" not in said(open_file(arbiter=text))) is known


@pytest.mark.rule("chessa 7")
@pytest.mark.parametrize(("paid_on", "held"), [(date(2024, 3, 1), False), (date(2024, 3, 2), True)])
def test_a_fee_paid_on_the_first_day_holds_the_file_up(grace, paid_on, held):
    Membership.objects.update(paid_on=paid_on)
    found = said()
    assert ("membership-unpaid" in found) is held
    assert not held or "paid on 2 Mar 2024" in found["membership-unpaid"].message


@pytest.mark.rule("chessa 7", "chessa 12.3")
def test_an_officer_rates_it_all_the_same_and_it_does_not_count(grace):
    Membership.objects.all().delete()
    event = submitted()
    Appointment.objects.create(event=event, arbiter=grace, position=1)
    with pytest.raises(EventError, match="article 12"):
        accept_event(event, at=CLOCK)
    accept_event(event, at=CLOCK, reason="the AOC was closed")
    publish()
    page = arbiter_page(grace, today=TODAY, begins=1)
    assert [(row.state, row.fact.article) for row in page.past] == [("published", "7")]
    assert (page.years[0].total, page.years[0].lost) == (("", ""), "1")


@pytest.mark.rule("chessa 7")
def test_the_fee_year_is_that_of_the_readings(grace):
    Readings.objects.update(aoc_year_begins=3)  # 2024 ends with February
    assert "2024/25" in said()["membership-unpaid"].message


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (Line("Tenza, Grace", sex="w", fide="14300001", born="1980/01/02"), "arbiter-plays"),
        (Line("Tensa, Grace", sex="w", fide="14300001", born="1980/01/02"), "arbiter-plays"),
        (Line("Botha, Ann", sex="w", fide="14300002", born="1980/01/02"), None),
    ],
)
def test_an_arbiter_who_plays_is_found_by_his_id(grace, line, code):
    found = said(trf([line, *lines(5)], round_robin(6)))
    assert [one for one in found if one.startswith("arbiter-plays")] == ([code] if code else [])


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize(("fide", "plays"), [("14300001", True), ("14300002", False)])
def test_the_id_on_the_line_counts_too_when_the_line_is_of_a_registered_player_without_one(grace, fide, plays):
    player("Tenza", "Grace Maria", birth_date=date(1980, 1, 2), sex="F")
    line = Line("Tenza, Grace Maria", sex="w", fide=fide, born="1980/01/02")
    assert ("arbiter-plays" in said(trf([line, *lines(5)], round_robin(6)))) is plays


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize(
    ("arbiter", "fide", "code"),
    [
        ("NA Zukiswa Tyali (999000005)", "999000005", "arbiter-plays"),
        ("NA Zukiswa Tyali (999000005)", "999000006", ""),
        ("NA Zukiswa Tyali (999000005)", "", "arbiter-namesake"),
        ("NA Zukiswa Tyali", "999000005", "arbiter-namesake"),
        ("NA Zukiswa Tyali (14300009)", "14300008", ""),
        ("NA Zukiswa Tyali (14300009)", "999000005", "arbiter-namesake"),  # no id that both have
        ("NA Zola Tyali", "", ""),
    ],
)
def test_an_arbiter_of_the_file_whom_the_register_does_not_know_may_not_play_either(arbiter, fide, code):
    line = Line("Tyali, Zukiswa", sex="w", born="1980/01/02", fide=fide)
    found = said(trf([line, *lines(5)], round_robin(6), arbiter=arbiter))
    assert [one for one in found if one in ("arbiter-plays", "arbiter-namesake")] == ([code] if code else [])


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize("fide_id", [None, 14300001])
@pytest.mark.parametrize(("number", "code"), [("199900011", "arbiter-plays"), ("199900012", "")])
def test_a_chess_sa_id_in_the_column_for_fide_ids_is_the_arbiters(fide_id, number, code):
    """South African files have it there; another's tells a namesake apart."""
    tenza = Arbiter.objects.create(name="Grace Tenza", title="NA", number="199900011", fide_id=fide_id)
    tenza.memberships.create(year=2024, paid_on=date(2024, 1, 1))
    line = Line("Tenza, Grace", sex="w", born="1980/01/02", fide=number)
    found = said(trf([line, *lines(5)], round_robin(6), arbiter="NA Grace Tenza"))
    assert [one for one in found if one in ("arbiter-plays", "arbiter-namesake")] == ([code] if code else [])


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize(("fide", "counts"), [("14300001", "8"), ("14300002", "")])
def test_the_id_on_the_line_counts_after_the_hold_is_waived(grace, fide, counts):
    Membership.objects.update(paid_on=date(2024, 1, 2))
    known = player("Tenza", "Grace Maria", birth_date=date(1980, 1, 2), sex="F")
    line = Line("Tenza, Grace Maria", sex="w", fide=fide, born="1980/01/02")
    event = submitted(trf([line, *lines(5)], round_robin(6)))
    assert event.sections.get().entries.filter(player=known).exists()
    Appointment.objects.create(event=event, arbiter=grace, position=1)
    assert (grace.pk in entered_as_players(event, [grace])) is bool(counts)
    accept_event(event, at=CLOCK, reason="the AOC knows of it")
    publish()
    assert [row.fact.article for row in arbiter_page(grace, today=TODAY, begins=1).past] == [counts]


@pytest.mark.rule("chessa 8")
def test_an_arbiter_who_is_a_player_on_the_register_and_a_namesake(grace):
    known = player("Tenza", "Grace", birth_date=date(1980, 1, 2))
    content = trf([Line("Tenza, Grace", sex="w", born="1980/01/02"), *lines(5)], round_robin(6))
    Arbiter.objects.update(fide_id=None)
    assert "arbiter-namesake" in said(content)
    Arbiter.objects.update(player=known)
    assert "arbiter-plays" in said(content)
    assert "arbiter-plays" not in said(content, event=details(kind="club"))


GRACE = Line("Tenza, Grace", sex="w", born="1980/01/02")


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize(
    ("registered", "ids", "line", "held"),
    [
        # no id on both sides
        ({}, {"fide_id": None}, GRACE, True),
        ({}, {"fide_id": 14300001}, GRACE, True),
        ({"fide_id": 14300002}, {"fide_id": None}, GRACE, True),
        (None, {"number": "199000077"}, GRACE, True),
        (None, {"fide_id": 14300001}, GRACE, True),
        # an id on both sides, which is another one
        ({}, {"number": "199000077"}, GRACE, False),
        ({"fide_id": 14300002}, {"fide_id": 14300001}, GRACE, False),
        (None, {"fide_id": 14300001}, replace(GRACE, fide="14300002"), False),
        (None, {"number": "199000077"}, replace(GRACE, national="199000078"), False),
        # the register's name of the player counts, too
        ({}, {"fide_id": 14300001}, replace(GRACE, name="Tenza, G.", born="1980/01/02"), True),
    ],
)
def test_a_player_of_an_arbiters_name_is_held_unless_an_id_tells_them_apart(grace, registered, ids, line, held):
    if registered is not None:
        known = player("Tenza", "Grace", birth_date=date(1980, 1, 2), **registered)
        line = replace(line, national=known.number)
    Arbiter.objects.update(**{"fide_id": None, **ids})
    found = said(trf([line, *lines(5)], round_robin(6)))
    assert ("arbiter-namesake" in found) is held
    assert not held or "Grace Tenza (start number 1)" in found["arbiter-namesake"].message
    assert "arbiter-plays" not in found


@pytest.mark.rule("chessa 8")
def test_a_namesake_whom_the_register_of_arbiters_ties_to_another_player_is_somebody_else(grace):
    player("Tenza", "Grace", birth_date=date(1980, 1, 2))
    Arbiter.objects.update(fide_id=None, player=player("Tenza", "Grace", birth_date=date(1955, 5, 5)))
    found = said(trf([GRACE, *lines(5)], round_robin(6)))
    assert not [code for code in found if code.startswith(("arbiter-namesake", "arbiter-plays"))]


@pytest.fixture
def returned(grace):
    """A section that went back, of an event with an appointed arbiter for the first four rounds."""
    event = submitted()
    Appointment.objects.create(event=event, arbiter=grace, position=1, first_round=1, last_round=4)
    return_event(event, at=CLOCK, reason="round dates")
    return event.sections.get()


@pytest.mark.rule("chessa 6", "chessa 15.4")
def test_a_returned_section_is_held_against_its_registration(returned):
    found = said(open_file(arbiter="NA Zodwa Cele", name="Corrected"), section=returned)
    assert found["round-without-arbiter"].message.startswith("No arbiter is appointed for round 5.")
    assert "The file’s Chief Arbiter is Zodwa Cele" in found["chief-arbiter-differs"].message
    assert "arbiters-not-appointed" not in found
    Appointment.objects.update(first_round=None, last_round=None)
    assert set(said(open_file(name="Corrected"), section=returned)) == set()


@pytest.mark.rule("chessa 8")
def test_who_no_longer_plays_in_the_corrected_file_is_not_held_for_the_old_one(returned, grace):
    entry = returned.entries.first()
    grace.player = entry.player
    grace.save()
    assert "start number" in said(open_file(name="Corrected"), section=returned)["arbiter-plays"].message
    without = [*lines(6)]
    without[entry.number - 1] = Line("Khumalo, Zodwa", sex="w", born="2001/02/03")
    content = trf(without, round_robin(6), name="Corrected")
    assert "arbiter-plays" not in said(content, section=returned)
    prepared = validate_file(section_file(content, section=returned), today=TODAY)
    resubmit(prepared, at=CLOCK)
    held = returned.submissions.latest("pk").findings.filter(severity="hold").values_list("code", flat=True)
    assert "round-without-arbiter" in held


def test_a_file_takes_a_fixed_number_of_queries_for_its_arbiters(grace, django_assert_max_num_queries):
    for number in range(20):
        Arbiter.objects.create(name=f"Arbiter {number}", title="PA")
    with django_assert_max_num_queries(12):
        said(open_file(arbiter="IA Grace Tenza"))
