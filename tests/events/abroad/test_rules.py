"""What is asked of results from abroad, each rule at its limit."""

from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from events.abroad.words import said
from events.rules.abroad import GameAbroad, abroad_errors, abroad_findings
from events.rules.deadlines import is_late_abroad, last_day_abroad
from events.rules.findings import Severity
from events.rules.game_result import Result
from tests.events.abroad.entries import BYE, DRAW, FORFEIT, LOSS, WHOLE, WIN, results

TODAY = date(2024, 3, 12)
JOHANNESBURG = ZoneInfo("Africa/Johannesburg")


def fields(found=WHOLE, today=TODAY):
    return [finding.field for finding in abroad_errors(found, today=today)]


def codes(found=WHOLE, **given):
    return [finding.code for finding in abroad_findings(found, **given)]


def test_nothing_is_missing_in_whole_results():
    assert fields() == []
    assert codes() == []


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(
    ("ends", "last"),
    [
        (date(2024, 3, 1), date(2024, 4, 30)),
        (date(2024, 3, 31), date(2024, 4, 30)),
        (date(2024, 12, 31), date(2025, 1, 31)),
        (date(2024, 1, 31), date(2024, 2, 29)),
    ],
)
def test_the_last_day_is_that_of_the_month_after_the_end(ends, last):
    assert last_day_abroad(ends) == last


@pytest.mark.rule("chessa 10")
def test_the_last_second_is_in_time_and_the_next_is_late():
    ends = date(2024, 3, 31)
    assert not is_late_abroad(ends, at=datetime(2024, 4, 30, 23, 59, 59, tzinfo=JOHANNESBURG))
    assert is_late_abroad(ends, at=datetime(2024, 5, 1, tzinfo=JOHANNESBURG))


@pytest.mark.rule("chessa 10")
def test_late_results_go_to_the_officer_with_their_reason():
    found = abroad_findings(WHOLE, late=True, reason="The link came late.")
    assert [(one.severity, one.article) for one in found] == [(Severity.HOLD, "10")]
    assert "The link came late." in found[0].message
    assert "30 Apr 2024" in found[0].message


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": ""}, "name"),
        ({"federation": ""}, "federation"),
        ({"federation": "XYZ"}, "federation"),
        ({"results_url": ""}, "results_url"),
        ({"fide_rated": False}, "fide_rated"),
        ({"rank": None}, "rank"),
        ({"starts": None}, "starts"),
        ({"ends": None}, "ends"),
        ({"base": None}, "base"),
        ({"starts": date(2024, 3, 7)}, "ends"),
        ({"starts": date(1900, 3, 2)}, "starts"),
        ({"starts": date(2023, 3, 5)}, "ends"),
        ({"ends": date(2999, 1, 1)}, "ends"),
    ],
)
def test_what_must_be_given_is_named_with_its_place(given, field):
    assert field in fields(results(**given))


@pytest.mark.rule("chessa 43")
def test_an_event_at_home_is_none_abroad():
    assert fields(results(federation="RSA")) == ["federation"]


def test_an_event_that_ends_today_is_taken_and_one_that_ends_tomorrow_is_not():
    assert fields(today=date(2024, 3, 6)) == []
    assert fields(today=date(2024, 3, 5)) == ["ends"]


@pytest.mark.rule("chessa 23")
@pytest.mark.parametrize(("base", "increment", "found"), [(5, 0, []), (3, 2, []), (4, 0, ["base"]), (3, 1, ["base"])])
def test_under_five_minutes_nothing_is_rated(base, increment, found):
    assert fields(results(base=base, increment=increment)) == found


@pytest.mark.rule("chessa 46")
@pytest.mark.parametrize("games", [(), (replace(BYE, round=1),), (replace(FORFEIT, round=1),)])
def test_without_a_played_game_there_is_nothing_to_rate(games):
    assert fields(results(games=games)) == ["game-0-result"]


def test_a_round_left_out_is_asked_for():
    assert fields(results(games=(WIN, LOSS))) == ["game-1-result"]


def test_a_round_given_twice_and_one_beyond_the_last_are_refused():
    assert fields(results(games=(WIN, replace(DRAW, round=1)))) == [""]
    rows = tuple(replace(WIN, round=number) for number in range(1, 32))
    assert fields(results(games=rows)) == [""]
    assert fields(results(games=rows[:30])) == []


@pytest.mark.rule("chessa 10", "chessa 44")
@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"opponent": "  "}, "game-0-opponent"),
        ({"fide_rating": None}, "game-0-fide_rating"),
        ({"performance": 2000}, "game-0-performance"),
        ({"fide_rating": 0}, "game-0-fide_rating"),
        ({"fide_rating": 999}, "game-0-fide_rating"),
        ({"fide_rating": 3001}, "game-0-fide_rating"),
        ({"fide_rating": 9999}, "game-0-fide_rating"),
        ({"fide_rating": None, "performance": 99}, "game-0-performance"),
        ({"fide_rating": None, "performance": 3501}, "game-0-performance"),
        ({"federation": "QQQ"}, "game-0-federation"),
    ],
)
def test_an_opponent_has_a_name_and_one_rating_that_can_be(given, field):
    assert fields(results(games=(replace(WIN, **given), *WHOLE.games[1:]))) == [field]


@pytest.mark.parametrize("given", [{"fide_rating": 1000}, {"fide_rating": 3000}, {"federation": "FID"}])
def test_ratings_at_their_limits_and_players_without_a_federation_are_taken(given):
    assert fields(results(games=(replace(WIN, **given), *WHOLE.games[1:]))) == []


@pytest.mark.rule("chessa 46")
def test_a_bye_has_no_opponent():
    games = (*WHOLE.games[:3], GameAbroad(4, True, Result.PAIRING_BYE, "Ito, Ken"), FORFEIT)
    assert fields(results(games=games)) == ["game-3-result"]


def test_nobody_plays_himself():
    assert fields(results(own_fide_id=995000001)) == ["game-0-fide_id"]


def test_a_fide_id_has_one_name_and_one_rating():
    other = replace(LOSS, fide_id=WIN.fide_id)
    assert fields(results(games=(WIN, DRAW, other))) == ["game-2-fide_id"]
    again = replace(WIN, round=3, fide_rating=2105)
    assert fields(results(games=(WIN, DRAW, again))) == ["game-2-fide_rating"]


def test_meeting_twice_is_right_in_some_formats_and_looked_at_in_others():
    games = (WIN, DRAW, LOSS, replace(WIN, round=4), replace(FORFEIT, round=5))
    assert fields(results(games=games)) == []
    assert codes(results(games=games)) == ["met-twice"]
    assert codes(results(games=(*games, BYE), format="double-round-robin")) == ["too-few-rounds"]


@pytest.mark.rule("chessa 17.1")
def test_fewer_than_five_rounds_are_looked_at():
    assert codes(results(games=WHOLE.games[:4])) == ["too-few-rounds"]
    assert codes(results(games=WHOLE.games[:5])) == []
    (one,) = abroad_findings(results(games=WHOLE.games[:1]))
    assert one.message == "1 round; a Swiss section needs at least 5. Look into the official results."
    assert said(one) == one.message


@pytest.mark.rule("chessa 14.4")
def test_a_missing_fide_id_is_looked_at_and_of_a_bye_none_is_missing():
    games = (replace(WIN, fide_id=None), *WHOLE.games[1:])
    found = abroad_findings(results(games=games))
    assert [(one.code, one.severity) for one in found] == [("fide-ids-missing", Severity.HOLD)]
