from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from events.abroad.recording import GameAbroad, record_abroad
from events.models import Entry, Event, Game, Guest, Kind, Round, Section
from events.operations import EventError, add_section, move_event, register_event
from events.rules.game_result import Result
from events.rules.states import State
from players.models import Region
from players.operations import NewPlayer, register_players

pytestmark = pytest.mark.django_db

AT = datetime(2026, 5, 1, 10, tzinfo=UTC)
WIN = GameAbroad(1, True, Result.WHITE_WINS, "Varga, Tomas", "HUN", 995000001, 2104)
DRAW = GameAbroad(2, False, Result.DRAW, "Duarte, Ilse", "POR", performance=1850)
LOSS = GameAbroad(4, False, Result.WHITE_WINS, "Varga, Tomas", "HUN", 995000001, 2104)


def section_of(kind=Kind.ABROAD, results_url="https://example.org/results"):
    days = (date(2026, 5, 2), date(2026, 5, 6))
    details = Event(
        name="Masters", region=Region.objects.get(code="GAU"), starts=days[0], ends=days[1], kind=kind,
        federation="POR", results_url=results_url,
    )  # fmt: skip
    return add_section(
        register_event(details, at=AT), Section(base_minutes=90, increment_seconds=30, starts=days[0], ends=days[1])
    )


@pytest.fixture
def player():
    return register_players([NewPlayer("Mokoena", "Naledi", national_id="999000001")], at=AT)[0]


def test_games_are_written_with_the_guest_on_the_other_side(player):
    section = section_of()
    record_abroad(section, player, [WIN, DRAW, LOSS], rank=12)
    games = Game.objects.filter(section=section).order_by("round")
    assert [(game.round, game.white, game.black, game.result) for game in games] == [
        (1, player, None, "1-0"),
        (2, None, player, "1/2-1/2"),
        (4, None, player, "1-0"),
    ]
    assert [game.guest.name for game in games] == ["Varga, Tomas", "Duarte, Ilse", "Varga, Tomas"]
    assert list(section.rounds.values_list("number", flat=True)) == [1, 2, 4]


def test_points_and_place_are_the_player_s(player):
    entry = record_abroad(section_of(), player, [WIN, DRAW, LOSS], rank=12)
    assert (entry.points, entry.rank, entry.number) == (Decimal("1.5"), 12, 1)


def test_an_opponent_met_twice_is_one_guest(player):
    section = section_of()
    record_abroad(section, player, [WIN, DRAW, LOSS])
    guests = Guest.objects.filter(section=section).order_by("pk")
    assert [(g.fide_rating, g.performance) for g in guests] == [(2104, None), (None, 1850)]


def test_two_players_can_have_games_in_one_section(player):
    section = section_of()
    other = register_players([NewPlayer("Botha", "André", national_id="999000002")], at=AT)[0]
    record_abroad(section, player, [WIN, DRAW])
    assert record_abroad(section, other, [WIN, LOSS]).number == 2
    assert list(section.rounds.values_list("number", flat=True)) == [1, 2, 4]


def test_the_same_player_s_games_are_written_once(player):
    section = section_of()
    record_abroad(section, player, [WIN])
    with pytest.raises(EventError, match="already"):
        record_abroad(section, player, [DRAW])
    assert Game.objects.count() == 1


@pytest.mark.rule("chessa 46")
def test_a_bye_is_the_player_s_alone_and_counts_its_points(player):
    section = section_of()
    entry = record_abroad(section, player, [WIN, GameAbroad(2, False, Result.HALF_BYE)])
    assert entry.points == Decimal("1.5")
    bye = Game.objects.get(section=section, round=2)
    assert (bye.white, bye.black, bye.guest, bye.result) == (player, None, None, "bye-half")


def test_two_players_who_met_each_have_the_game_against_a_guest_tied_to_the_register(player):
    section = section_of()
    other = register_players([NewPlayer("Botha", "André", national_id="999000002", fide_id=14300002)], at=AT)[0]
    record_abroad(section, player, [GameAbroad(1, True, Result.DRAW, "Botha, André", "RSA", 14300002, 1700)])
    record_abroad(section, other, [GameAbroad(1, False, Result.DRAW, "Mokoena, Naledi", "RSA", 14300009, 1650)])
    assert [(game.white, game.black, game.guest.player) for game in section.games.order_by("pk")] == [
        (player, None, other),
        (None, other, None),
    ]


@pytest.mark.rule("chessa 44")
@pytest.mark.parametrize(
    ("games", "words"),
    [
        ([], "no game"),
        ([WIN, WIN], "one game a round"),
        ([GameAbroad(0, True, Result.DRAW, "Duarte, Ilse", fide_rating=2000)], "rounds from 1"),
        ([GameAbroad(1, True, Result.PAIRING_BYE, "Duarte, Ilse", fide_rating=2000)], "a bye has no opponent"),
        ([GameAbroad(1, True, Result.DRAW, "  ", fide_rating=2000)], "name the opponent"),
        ([GameAbroad(1, True, Result.DRAW, "Duarte, Ilse")], "article 44"),
    ],
)
def test_games_that_cannot_be_are_refused_whole(player, games, words):
    with pytest.raises(EventError, match=words):
        record_abroad(section_of(), player, games)
    assert [model.objects.count() for model in (Entry, Guest, Round, Game)] == [0, 0, 0, 0]


@pytest.mark.rule("chessa 43")
def test_an_event_at_home_is_submitted_as_a_file(player):
    with pytest.raises(EventError, match="not an event abroad"):
        record_abroad(section_of(kind=Kind.OVER_THE_BOARD), player, [WIN])


@pytest.mark.rule("chessa 10")
def test_the_link_to_the_official_results_is_asked_for(player):
    with pytest.raises(EventError, match="article 10"):
        record_abroad(section_of(results_url=""), player, [WIN])


def test_a_submitted_event_is_not_changed(player):
    section = section_of()
    move_event(section.event, State.SUBMITTED, at=AT)
    with pytest.raises(EventError, match="returned"):
        record_abroad(section, player, [WIN])
