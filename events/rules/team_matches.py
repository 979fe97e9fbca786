"""The matches of a team tournament, and the standings that follow from them. Pure.

A match won has two match points and a match drawn one, as in FIDE's team competitions.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from events.rules.game_result import POINTS, Result
from events.rules.tiebreaks import places

_MATCH_WON, _MATCH_DRAWN = 2, 1


@dataclass(frozen=True, slots=True)
class TeamGame:
    """A game of a match; players and teams by their keys."""

    round: int
    white: int
    black: int
    result: Result


@dataclass(frozen=True, slots=True)
class Match:
    """Two teams in a round with their board points; the games in the order of the first team's boards."""

    round: int
    first: int
    second: int
    first_points: float
    second_points: float
    games: tuple[TeamGame, ...]


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team's place, shared by those who are level in match points and board points, and what it is made of."""

    place: int
    team: int
    match_points: int
    board_points: float
    won: int
    drawn: int
    lost: int


def matches(games: Iterable[TeamGame], teams: Mapping[int, int], boards: Mapping[int, int]) -> list[Match]:
    """Return the matches by round and first team; takes the team and the board of each player.

    The first team is the one of the lower key. A game of players without a team, or of one team, belongs to no match.
    """
    sides: dict[tuple[int, int, int], list[TeamGame]] = defaultdict(list)
    for game in games:
        pair = {teams[player] for player in (game.white, game.black) if player in teams}
        if len(pair) == 2:
            sides[game.round, min(pair), max(pair)].append(game)
    return [_match(*key, played, teams, boards) for key, played in sorted(sides.items(), key=lambda item: item[0])]


def _match(
    number: int, first: int, second: int, games: list[TeamGame], teams: Mapping[int, int], boards: Mapping[int, int]
) -> Match:
    def of_first(game: TeamGame) -> int:
        return game.white if teams[game.white] == first else game.black

    ordered = sorted(games, key=lambda game: boards[of_first(game)])
    points = {first: 0.0, second: 0.0}
    for game in ordered:
        for player, gained in zip((game.white, game.black), POINTS[game.result], strict=True):
            points[teams[player]] += gained
    return Match(number, first, second, points[first], points[second], tuple(ordered))


def team_standings(teams: Iterable[int], played: Iterable[Match]) -> list[TeamStanding]:
    """Return the teams by match points, then board points, then key."""
    outcomes: dict[int, list[int]] = {team: [0, 0, 0] for team in teams}  # won, drawn, lost
    board_points = dict.fromkeys(outcomes, 0.0)
    for match in played:
        first, second = match.first_points, match.second_points
        outcomes[match.first][(first < second) * 2 + (first == second)] += 1
        outcomes[match.second][(second < first) * 2 + (first == second)] += 1
        board_points[match.first] += first
        board_points[match.second] += second
    points = {team: _MATCH_WON * won + _MATCH_DRAWN * drawn for team, (won, drawn, _) in outcomes.items()}
    found = places([(points[team], board_points[team]) for team in outcomes])
    rows = [
        TeamStanding(place, team, points[team], board_points[team], *outcomes[team])
        for place, team in zip(found, outcomes, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.place, row.team))
