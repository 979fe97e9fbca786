"""Which player on the register a line of a file is: by national id, FIDE id, name and birth date; never on a weak match."""

from dataclasses import replace
from datetime import date
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.files.reader import read
from events.submission.match_findings import _strangers, match_findings
from events.submission.matching import match_entrants
from players.models import Player
from tests.builders import Line, lines, player, round_robin, submitted, trf
from tests.fuzz.readers import least_seconds

pytestmark = pytest.mark.django_db
BORN = date(2001, 5, 17)


def match(*found, chosen=None):
    """The matches of a file with these lines first."""
    players = [*found, *lines(6 - len(found))]
    return match_entrants(read(trf(players, round_robin(6))), chosen)


def finding(matched, create=False):
    """The one finding about the first line."""
    return next((one for one in match_findings(matched, create=create) if "start number 1)" in one.message), None)


@pytest.mark.rule("chessa 14", "chessa 14.4")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (Line("Mokoena, N", national="100000007"), "same Chess SA id 100000007; names agree by 90%"),
        (Line("Mokoena, Naledi", fide="14300001"), "same FIDE id 14300001; same name"),
        (Line("Naledi Mokoena", born="2001/05/17"), "same name; same birth date"),
    ],
)
def test_certain_matches_are_taken_with_their_reason(line, reason):
    known = player(national_id="100000007", fide_id=14300001, birth_date=BORN)
    (first, *others) = match(line)
    assert (first.player, first.reason) == (known, reason)
    assert [other.player for other in others] == [None] * 5


def test_the_national_id_comes_before_the_fide_id():
    """A line whose two ids are two players' is nobody's until a person decides."""
    player("Mokoena", "Naledi", national_id="100000007")
    player("Mokoena", "Lerato", fide_id=14300001)
    matched = match(Line("Mokoena, Naledi", national="100000007", fide="14300001"))
    assert matched[0].player is None
    assert finding(matched).code == "player-uncertain"


@pytest.mark.rule("chessa 14")
@pytest.mark.parametrize(
    "line",
    [
        Line("Mokoena, Naledi"),
        Line("Mokoena, N", born="2001/05/17"),
        Line("Mokoena, Naledi", born="2001"),
        Line("Mokoena, Naledi", born="2001/06/17"),
    ],
)
@pytest.mark.parametrize("create", [False, True])
def test_weak_matches_are_asked_about_or_held(line, create):
    known = player(birth_date=BORN, fide_id=14300001)
    matched = match(line)
    assert matched[0].player is None
    found = finding(matched, create)
    assert (found.code, found.severity, found.line) == (
        ("player-alike", "hold", 10) if create else ("player-uncertain", "error", 10)
    )
    assert known.number in found.message
    assert create or "--match 1=NUMBER" in found.message


@pytest.mark.parametrize("create", [False, True])
def test_an_id_that_agrees_with_another_name_is_never_taken_and_never_made_new(create):
    player("Steyn", "Willem", fide_id=14300001)
    matched = match(Line("Mokoena, Naledi", fide="14300001"))
    assert matched[0].player is None
    assert finding(matched, create).code == "player-uncertain"
    assert "same FIDE id 14300001; names agree by" in finding(matched, create).message


def test_two_players_of_one_name_and_birth_date_are_asked_about():
    player(birth_date=BORN)
    player(birth_date=BORN)
    matched = match(Line("Mokoena, Naledi", born="2001/05/17"))
    assert matched[0].player is None
    assert len(matched[0].candidates) == 2
    assert " or " in finding(matched).message


@pytest.mark.rule("chessa 14", "chessa 56")
def test_a_stranger_is_new_only_when_the_uploader_says_so():
    matched = match(Line("Khumalo, Zodwa"))
    assert finding(matched).code == "player-unknown"
    assert finding(matched, create=True) is None


@pytest.mark.parametrize("name", ["Mokena, Naledy", "Mokwena, Naledie"])
def test_a_player_of_whom_no_word_is_spelt_as_on_the_register_is_asked_about(name):
    known = player(birth_date=BORN)
    matched = match(Line(name, born="2001/05/17"))
    assert [candidate.player for candidate in matched[0].candidates] == [known]
    assert matched[0].player is None


def test_a_namesake_of_another_birth_year_is_no_candidate():
    player(birth_date=BORN)
    assert match(Line("Mokoena, Naledi", born="1980/05/17"))[0].candidates == ()


def test_at_most_five_candidates_the_likeliest_first():
    for number in range(7):
        player("Mokoena", "Naledi", fide_id=14300001 + number)
    exact = player("Mokoena", "Naledi", birth_date=BORN)
    candidates = match(Line("Mokoena, Naledi", born="2001"))[0].candidates
    assert len(candidates) == 5
    assert candidates[0].player == exact
    assert [one.likelihood.score for one in candidates] == sorted(
        (one.likelihood.score for one in candidates), reverse=True
    )


def test_the_uploader_chooses():
    known = player("Steyn", "Willem")
    first = match(Line("Mokoena, Naledi"), chosen={1: known.number})[0]
    assert (first.player, first.reason) == (known, "chosen by the uploader")


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({1: "999999999"}, "start number 1: no player with Chess SA id 999999999"),
        ({77: "100000001"}, "start number 77"),
    ],
)
def test_a_choice_that_means_nobody_is_refused(chosen, words):
    player(national_id="100000001")
    with pytest.raises(ValueError, match=words):
        match(Line("Mokoena, Naledi"), chosen=chosen)


def test_one_player_on_two_lines_names_both_and_what_each_was_taken_on():
    known = player(fide_id=14300001, birth_date=BORN)
    matched = match(Line("Mokoena, N", fide="14300001"), Line("Mokoena, Naledi", born="2001/05/17"))
    found = [one for one in match_findings(matched, create=True) if one.code == "player-twice"]
    assert [one.line for one in found] == [10, 11]
    assert all(known.number in one.message and "same " in one.message for one in found)


@pytest.mark.rule("chessa 14.4")
def test_an_id_on_two_new_lines_is_an_error_at_both():
    matched = match(Line("Khumalo, Zodwa", fide="14300009"), Line("Radebe, Sipho", fide="14300009"))
    found = [one for one in match_findings(matched, create=True) if one.code == "id-twice"]
    assert [(one.line, one.severity) for one in found] == [(10, "error"), (11, "error")]


def test_whom_an_uploader_has_chosen_is_read_in_few_queries():
    """A query for each of a thousand lines took 4.7 ms a line, in each check."""
    people = [player(f"Botha{number}", "Zola") for number in range(6)]

    def queries(count: int) -> int:
        chosen = {number: people[number - 1].number for number in range(1, count + 1)}
        with CaptureQueriesContext(connection) as asked:
            matched = match(chosen=chosen)
        assert [one.player for one in matched[:count]] == people[:count]
        return len(asked)

    assert queries(6) <= queries(1) + 1


def test_ids_of_as_many_new_lines_as_a_file_has_are_compared_in_no_time():
    """9,999 lines of players abroad, each with both ids."""
    line = match(Line("Khumalo, Zodwa"))[0]
    entrants = (
        replace(line.entrant, number=number, national_id=str(200000000 + number), fide_id=str(14000000 + number))
        for number in range(1, 10_000)
    )
    matched = [replace(line, entrant=entrant) for entrant in entrants]
    few, many = (least_seconds(partial(list, _strangers(some, ())), 0) for some in (matched[:1000], matched))
    assert many < 25 * few


@pytest.mark.rule("chessa 14.4")
@pytest.mark.parametrize(
    ("name", "born", "found"),
    [
        ("Khumalo, Zodwa", "2001/05/17", [("newcomer-twice", "error", 11)]),
        ("Zodwa KHUMALO", "2001/05/17", [("newcomer-twice", "error", 11)]),
        ("Khumalo, Zodwa", "2001/05/18", []),
        ("Khumalo, Sipho", "2001/05/17", []),
        ("Khumalo, Zodwa", "", [("newcomers-alike", "hold", 11)]),
        ("Khumalo, Zodwa", "2001", [("newcomers-alike", "hold", 11)]),
        ("Khumalo, Zodwa", "2002", []),
    ],
)
def test_a_new_player_stands_once(name, born, found):
    matched = match(Line("Khumalo, Zodwa", born="2001/05/17"), Line(name, born=born))
    codes = ("newcomer-twice", "newcomers-alike")
    alike = [one for one in match_findings(matched, create=True) if one.code in codes]
    assert [(one.code, one.severity, one.line) for one in alike] == found
    assert all("start number 1" in one.message for one in alike)


def test_a_new_players_name_has_plain_blanks():
    submitted(trf([Line("Van\u00a0 Zyl, Ann\u00a0Mari"), *lines(5)], round_robin(6)))
    assert Player.objects.filter(last_name="Van Zyl", first_name="Ann Mari").exists()


@pytest.mark.parametrize(
    ("number", "taken"), [("100000070", True), ("12345", False), ("1000000700", False), ("abc", False)]
)
def test_a_new_players_number_is_taken_or_it_is_said_that_it_is_not(number, taken):
    matched = match(Line("Khumalo, Zodwa", national=number))
    notes = [one for one in match_findings(matched, create=True) if one.code == "id-not-taken"]
    assert [(one.severity, one.line) for one in notes] == ([] if taken else [("note", 10)])
    submitted(trf([Line("Khumalo, Zodwa", national=number), *lines(5)], round_robin(6)))
    assert (Player.objects.get(last_name="Khumalo").number == number) is taken


def test_an_id_of_another_federation_is_not_a_chess_sa_id():
    player("Steyn", "Willem", national_id="100000007")
    stranger = Line("Murphy, Sean", federation="IRL", national="100000007", national_federation="IRL")
    assert match(stranger)[0].candidates == ()
    submitted(trf([stranger, *lines(5)], round_robin(6)))
    assert Player.objects.get(last_name="Murphy").number != "100000007"
