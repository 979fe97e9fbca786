"""Opponents abroad on FIDE's list of the month in which the event began: compared by the checks, filled into the form."""

from dataclasses import replace
from datetime import date

import pytest

from events.abroad.fide_list import list_findings
from events.abroad.operations import Channel, submit_abroad
from events.models import Guest, Submission
from events.rules.fide_list import ListedPeople, ListedPerson, listed_findings
from events.rules.game_result import Result
from players.models import FideList, FideListed
from tests.builders import CLOCK, officer
from tests.events.abroad.entries import AT, DRAW, FORFEIT, LOSS, WIN, results, text_of, this_month

MARCH = date(2024, 3, 1)
VARGA = ListedPerson("Varga, Tomas", "HUN", {"standard": 2104, "rapid": 2050, "blitz": None})


def findings(game, person=VARGA, kind="standard"):
    people = {game.fide_id: person} if person else {}
    return [
        (finding.severity.value, finding.code, finding.message)
        for finding in listed_findings((game,), kind, ListedPeople(MARCH, people))
    ]


@pytest.mark.rule("chessa 44")
@pytest.mark.parametrize(
    ("kind", "given", "agrees"),
    [
        ("standard", 2104, True),
        ("standard", 2103, False),
        ("rapid", 2050, True),
        ("rapid", 2104, False),
        ("blitz", 2104, True),
    ],
)
def test_the_rating_is_that_of_the_type_of_game_or_else_the_standard_one(kind, given, agrees):
    codes = [code for _, code, _ in findings(replace(WIN, fide_rating=given), kind=kind)]
    assert codes == ["fide-list-agrees" if agrees else "fide-rating-differs"]


@pytest.mark.rule("chessa 44")
@pytest.mark.parametrize(
    ("game", "person", "code", "message"),
    [
        (
            replace(WIN, fide_rating=2200),
            VARGA,
            "fide-rating-differs",
            "has Varga, Tomas at 2104 (standard); 2200 is given.",
        ),
        (
            replace(WIN, fide_rating=None, performance=2200),
            VARGA,
            "fide-rating-differs",
            "which counts; a performance is given.",
        ),
        (WIN, replace(VARGA, ratings={}), "fide-rating-differs", "has Varga, Tomas without a rating; 2104 is given."),
        (WIN, None, "fide-id-not-listed", "has no player with the id 995000001."),
        (WIN, replace(VARGA, name="Olsen, Per"), "fide-id-of-another", "for Olsen, Per, and not for Varga, Tomas."),
    ],
)
def test_what_the_list_has_otherwise_waits_for_the_officer(game, person, code, message):
    ((severity, found, text),) = findings(game, person)
    assert (severity, found) == ("hold", code)
    assert text.startswith("Round 1: FIDE’s list of March 2024")
    assert message in text


def test_an_opponent_without_a_rating_there_counts_at_the_performance():
    assert findings(DRAW, replace(VARGA, name=DRAW.opponent, ratings={}))[0][1] == "fide-list-agrees"


def test_byes_and_opponents_without_an_id_are_not_looked_for():
    bye = replace(WIN, result=Result.PAIRING_BYE)
    assert [*findings(bye), *findings(replace(WIN, fide_id=None))] == []


def keep_list(month=MARCH, kinds="SRB", **dropped):
    return FideList.objects.create(month=month, kinds=kinds, at=CLOCK, filename="list.zip", sha256="", **dropped)


def keep_person(game, rating, *, since=MARCH, until=None):
    FideListed.objects.create(
        fide_id=game.fide_id, name=game.opponent, federation=game.federation, standard=rating, since=since, until=until
    )


@pytest.mark.django_db
@pytest.mark.rule("chessa 44")
def test_the_list_of_the_month_in_which_the_event_began_counts():
    keep_list()
    keep_list(date(2024, 4, 1))
    keep_person(LOSS, 1990, since=date(2023, 12, 1), until=date(2024, 4, 1))
    keep_person(LOSS, 2010, since=date(2024, 4, 1))
    across = {"starts": date(2024, 3, 30), "ends": date(2024, 4, 2), "games": (LOSS,)}
    assert [finding.code for finding in list_findings(results(**across))] == ["fide-list-agrees"]
    later = across | {"starts": date(2024, 4, 1)}
    assert [finding.code for finding in list_findings(results(**later))] == ["fide-rating-differs"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "lists",
    [
        [],
        [{"month": date(2024, 2, 1)}, {"month": date(2024, 4, 1)}],
        [{"kinds": "R"}],
        [{"dropped_at": CLOCK}],
        [{}, {"month": date(2024, 8, 1)}],  # what March's list said is no longer kept
    ],
)
def test_without_the_list_of_that_month_nothing_is_said(lists):
    for fields in lists:
        keep_list(**fields)
    keep_person(LOSS, 2400, since=date(2023, 1, 1))
    assert list(list_findings(results(games=(LOSS,)))) == []


@pytest.mark.django_db
@pytest.mark.rule("chessa 44")
def test_what_is_sent_in_keeps_which_list_has_the_rating(naledi):
    keep_list()
    keep_person(WIN, 2104)
    keep_person(LOSS, 2010)
    event = submit_abroad(naledi, results(), at=AT, channel=Channel(by=officer()))
    assert dict(Guest.objects.values_list("name", "fide_list")) == {
        WIN.opponent: MARCH, DRAW.opponent: None, LOSS.opponent: None, FORFEIT.opponent: None,
    }  # fmt: skip
    codes = Submission.objects.get(section__event=event).findings.values_list("code", flat=True)
    assert {"fide-list-agrees", "fide-rating-differs", "fide-id-not-listed"} <= set(codes)


@pytest.mark.django_db
@pytest.mark.rule("chessa 10")
def test_the_form_fills_in_what_the_list_has_and_says_so(client, address):
    values = this_month(game_0_fide_rating="", game_0_opponent="", game_0_federation="")
    keep_list(date.fromisoformat(values["starts"]).replace(day=1))
    keep_person(WIN, 2111)
    shown = text_of(client.post(address, values | {"do": "look"}))
    assert "Filled in from FIDE’s list of" in shown
    assert "the opponent’s rating in round 1." in shown
    assert 'value="2111"' in shown
    assert 'value="Varga, Tomas"' in shown
    assert "Round 2: FIDE’s list of" in shown  # nobody with that id
    assert not Guest.objects.exists()
    assert client.post(address, values).status_code == 422  # what is sent in was seen before


@pytest.mark.django_db
def test_what_was_entered_is_not_replaced(client, address):
    values = this_month()
    keep_list(date.fromisoformat(values["starts"]).replace(day=1))
    keep_person(WIN, 2111)
    shown = text_of(client.post(address, values | {"do": "look"}))
    assert "Filled in" not in shown
    assert 'value="2104"' in shown
    assert "has Varga, Tomas at 2111 (standard); 2104 is given." in shown
