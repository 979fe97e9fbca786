"""A name that was erased does not come back with a file, a list or a merge: an officer is asked."""

import json
from dataclasses import replace

import pytest

from accounts.models import Decision
from events.arbiters.import_list import export_arbiters, preview_import
from events.files.aoc_list import read_aoc_list
from events.files.reader import read
from events.files.register_list import RegisterLine
from events.models import Arbiter, SubmissionFinding
from events.operations import accept_event
from events.rules.findings import Severity
from events.rules.states import EventError
from events.submission.match_findings import match_findings
from events.submission.matching import called_by_id, match_entrants
from players.models import Player
from ratings.duplicates.operations import tell_apart
from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import ask_for, create_job
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.register.matching import LEAVE_OUT, Kind, differences
from ratings.moving_in.steps import STEPS
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.merges import merge_players
from tests.admin_pages import opened_form
from tests.builders import CLOCK, TODAY, everything, lines, officer, player, publish, round_robin, submitted, trf
from tests.ratings.personal_data.test_erasure import held

pytestmark = pytest.mark.django_db


@pytest.fixture
def erased():
    found = player("Mokoena", "Naledi")
    erase_player(found, at=CLOCK, by=None, reason="asked for")
    found.refresh_from_db()
    return found


def test_a_list_brought_in_asks_and_leaving_out_settles_it(erased):
    line = RegisterLine(line=2, last_name="Mokoena", first_name="Naledi", national_id=erased.number)
    for answers in ({}, {2: erased.number}, {2: "new"}):
        (found,) = differences([line], answers)
        assert found.kind is Kind.REFUSED, answers
    assert "whose data was erased" in differences([line], {})[0].why
    assert differences([line], {2: LEAVE_OUT})[0].kind is Kind.LEFT_OUT
    for answers in ({}, {2: LEAVE_OUT}):  # lines are kept, and read beside the id
        assert differences([line], answers)[0].line == RegisterLine(2, "", national_id=erased.number)
    (answered,) = differences([RegisterLine(2, "Mokoena", "Naledi")], {2: erased.number})
    assert (answered.line, erased.name in answered.why) == (RegisterLine(2, ""), False)
    (new,) = differences([RegisterLine(line=2, last_name="Mokoena", first_name="Naledi")], {})
    assert new.kind is Kind.NEW  # the name alone is nobody's any more


@pytest.mark.parametrize(("national", "taken"), [("", 1), ("199900007", 1), ("", 2)])
def test_a_file_with_his_id_is_held_for_an_officer(erased, national, taken):
    players = [replace(line, national=national) if not place else line for place, line in enumerate(lines(6))]
    tournament = read(trf(players, round_robin(6)), "open.trf")
    chosen = {entrant.number: erased.number for entrant in tournament.entrants[:taken]}
    matches = list(map(called_by_id, match_entrants(tournament, chosen)))
    holds = [found for found in match_findings(matches, create=True) if found.code == "player-erased"]
    assert [hold.severity for hold in holds] == [Severity.HOLD] * taken
    # Who uploads a name does not learn by which pseudonym the lists have it.
    told = [found.message for found in match_findings(matches, create=True)]
    assert [text for text in told if erased.name in text] == []
    # Nor does who reads what was held, or why that was waived, learn his name by the id.
    taken_for_him = [entrant.last_name for entrant in tournament.entrants[:taken]]
    assert [text for text in told for name in taken_for_him if name in text] == []


def test_a_list_of_the_aoc_does_not_bring_him_back(erased):
    head = "number;fide_id;name;title;federation;fee_year;paid_on"
    listed = read_aoc_list(f"{head}\n{erased.number};;Naledi Mokoena;NA;;;".encode(), begins=1, today=TODAY)
    found = preview_import(listed, at=CLOCK, by=officer())
    assert [error.line for error in found.errors] == [2]
    assert "whose data was erased at his wish. Leave the line out" in found.errors[0].message


@pytest.mark.parametrize("by", ["number", "player"])
def test_an_arbiter_who_is_added_on_the_desk_does_not_bring_him_back(client, erased, by):
    client.force_login(officer())
    given = {"name": "Naledi Mokoena", "title": "NA", "federation": "RSA", "number": "", "player": "", "fide_id": ""}
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0", "reason_for_change": "new"}
    value = {"number": erased.number, "player": erased.pk}
    answer = client.post("/admin/events/arbiter/add/", {**given, **rows, by: value[by]})
    assert (answer.status_code, "whose data was erased at his wish" in answer.content.decode()) == (200, True)
    assert not Arbiter.objects.exists()
    assert client.post("/admin/events/arbiter/add/", {**given, **rows}).status_code == 302


def test_the_bureau_s_own_export_of_arbiters_is_no_contradiction(erased):
    Arbiter.objects.create(name=erased.name, number=erased.number, player=erased, title="NA")
    listed = read_aoc_list(export_arbiters(Arbiter.objects.all()), begins=1, today=TODAY)
    found = preview_import(listed, at=CLOCK, by=officer())
    assert (found.errors, found.unchanged) == ((), 1)


def test_who_is_told_apart_from_another_while_he_is_erased_is_named_by_the_pseudonym(erased):
    """The page had him by his name; the trail is kept for good."""
    other, his = player("Mokoena", "Naledi"), Player.objects.get(pk=erased.pk)
    his.last_name, his.first_name = "Mokoena", "Naledi"
    tell_apart(his, other, at=CLOCK)
    told = Decision.objects.get(action="told apart")
    assert "Mokoena" not in f"{told.subject_name} {told.after}".replace(str(other), "")


@pytest.mark.parametrize("before", [False, True])
def test_what_is_kept_of_a_former_list_says_nothing_beside_his_id(before):
    """The former lists of the bureau of before have his name; or another that he had before he was on the register."""
    found = player("Mokoena", "Naledi", national_id="180012345")
    content = b"id,name,list,raw\n180012345,Naledi Xylander,main,1500\n"
    if not before:
        erase_player(found, at=CLOCK, by=None, reason="asked for")
    job = create_job(
        ImportJob.Kind.HISTORY,
        filename="2023.csv",
        chunks=[content],
        at=CLOCK,
        by=officer(),
        how={"month": "2023-11"},
    )
    process_job(job.pk, STEPS[job.kind])
    job.refresh_from_db()
    if before:
        assert "Naledi Xylander" in str(job.summary)
        ImportJob.objects.update(state=ImportJob.State.TAKEN)
        job.pieces.all().delete()
        erase_player(found, at=CLOCK, by=None, reason="asked for")
        job.refresh_from_db()
    assert "Xylander" not in str(job.summary)
    assert before or "The data of 180012345 was erased" in str(job.summary)


def test_a_merge_would_give_him_a_name_again(erased):
    other = player("Mokoena", "Naledi")
    for old, new in ((erased, other), (other, erased)):
        with pytest.raises(EventError, match="was erased"):
            merge_players(old, new, taken=[], reason="one person", at=CLOCK, by=None, sure=True)
    assert Player.objects.get(pk=erased.pk).name == erased.name


def test_a_list_in_which_his_line_stood_in_the_place_of_the_headings_names_him_no_more():
    """The officer said what each column is, and took it."""
    his, other = player("Xylander", "Quentin"), player("Ywander", "Peregrine")
    meanings = {}
    for row in (his, other):
        line = [row.number, row.last_name, row.first_name]
        content = "\n".join([";".join(line), "180012353;Mokoena;Naledi", "180012361;Dlamini;Bongani"])
        job = create_job(ImportJob.Kind.REGISTER, filename="x.csv", chunks=[content.encode()], at=CLOCK, by=None)
        process_job(job.pk, STEPS[job.kind])
        meanings[job.pk] = dict(zip(line, ["national_id", "last_name", "first_name"], strict=True))
        ask_for(job, ImportJob.State.READING, at=CLOCK, by=None, how={"columns": meanings[job.pk]})
        process_job(job.pk, STEPS[job.kind])
        job.refresh_from_db()
        ask_for(job, ImportJob.State.TAKING, at=CLOCK, by=None, how=job.options)
        process_job(job.pk, STEPS[job.kind])
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    first, second = ImportJob.objects.order_by("pk")
    assert first.state == second.state == "taken"
    assert "Xylander" not in json.dumps([first.summary, first.options])
    assert "Quentin" not in json.dumps([first.summary, first.options])
    assert second.options["columns"] == meanings[second.pk]
    assert second.summary["columns"][1] == ["Ywander", "last_name"]


def test_what_is_found_in_a_file_that_names_him_calls_him_by_his_id(client):
    """As soon as it is known who he is: it is kept, with his start number, and at the acceptance on the trail."""
    his = player("Adendorff", "Anele", national_id="180012345")
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    first, *others = lines(6)
    players = [replace(first, name="Adendorff, Anele", national="180012345", born="1980/00/00"), *others]
    event = submitted(trf(players, round_robin(6)), chosen={1: "180012345"})
    found = SubmissionFinding.objects.values_list("code", "message")
    assert ("birth-dates-missing", "180012345 (1): no full date of birth. Complete them.") in found
    accept_event(event, at=CLOCK, reason="so be it", penalty_reason="x")
    publish()
    kept = {table: rows for table, rows in everything().items() if table != "events_submittedfile"}
    assert held(kept, "Adendorff") == {}


def test_what_is_found_at_a_line_of_whose_data_was_erased_is_not_kept():
    his = player("Xylander", "Quentin")
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    list_of = f"Chess SA id;Surname;First name\n{his.number};XYLANDER;QUENTIN\n180012353;MOKOENA;NALEDI\n"
    job = create_job(ImportJob.Kind.REGISTER, filename="x.csv", chunks=[list_of.encode()], at=CLOCK, by=None)
    process_job(job.pk, STEPS[job.kind])
    job.refresh_from_db()
    assert job.state == "ready"
    assert "xylander" not in json.dumps(job.summary["findings"]).lower()


def test_an_arbiter_whose_data_was_erased_is_not_given_his_name_again(client):
    """All his events would be under it."""
    his = player("Xylander", "Quentin")
    arbiter = Arbiter.objects.create(name=his.name, title="NA", player=his, number=his.number)
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    client.force_login(officer())
    address = f"/admin/events/arbiter/{arbiter.pk}/change/"
    form = opened_form(client, address) | {"number": "", "player": "", "reason_for_change": "He asks."}
    answer = client.post(address, form | {"name": "Quentin Xylander"})
    assert "erased at his wish" in answer.content.decode()
    arbiter.refresh_from_db()
    assert arbiter.name == pseudonym
    assert client.post(address, form).status_code == 302


def test_the_desk_does_not_name_whose_data_was_erased_as_chief_organiser(client):
    his, other = player("Xylander", "Quentin"), player("Mokoena", "Naledi")
    event = submitted()
    erase_player(his, at=CLOCK, by=None, reason="asked for", again=True)
    client.force_login(officer())
    address = f"/admin/events/event/{event.pk}/change/"
    form = opened_form(client, address) | {"organiser_name": "Quentin Xylander", "reason_for_change": "So it was."}
    answer = client.post(address, form | {"organiser_number": his.number}).content.decode()
    assert f"{his.number} is not the id of Quentin Xylander" in answer
    answer = client.post(address, form | {"organiser_number": other.number}).content.decode()
    assert f"{other.number} is Naledi Mokoena on the register" in answer
    event.refresh_from_db()
    assert event.organiser_name != "Quentin Xylander"
    assert client.post(address, form | {"organiser_number": ""}).status_code == 302
