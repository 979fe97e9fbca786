"""The rounds of a section with their pairings, and of teams with their matches and the teams' standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from config.lib import formatting
from events.public.rows import StandingRow
from events.rules.game_result import BYES, POINTS, Result
from events.rules.team_matches import TeamGame, TeamStanding, matches, team_standings


@dataclass(frozen=True, slots=True)
class Visitor:
    """An opponent abroad, who has no line: name with federation, and rating in words."""

    name: str
    rating: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a section, or a round without one; players by key, None for a visitor's side and an empty one."""

    round: int
    white: int | None
    black: int | None
    result: Result
    colour_known: bool
    visitor: Visitor | None

    @property
    def bye(self) -> bool:
        """Whether it is a round without an opponent."""
        return self.result in BYES


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pairing; `number`: the Chess SA id, "" for a visitor."""

    name: str
    number: str
    rating: str


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A line of a round. `black` is None for a round without an opponent; `colour_known`: whether White had White.

    `result` is text, `outcome` what it says.
    """

    board: int | None
    white: Side
    black: Side | None
    result: str
    outcome: Result
    colour_known: bool


@dataclass(frozen=True, slots=True)
class TeamScore:
    """Two teams in a round with their board points."""

    first: str
    second: str
    first_points: float
    second_points: float


@dataclass(frozen=True, slots=True)
class PairingGroup:
    """The pairings of a match; or all others, without one."""

    match: TeamScore | None
    rows: list[PairingRow]

    @property
    def title(self) -> str:
        """The teams and their board points; "" without a match."""
        if self.match is None:
            return ""
        points = f"{formatting.score(self.match.first_points)} – {formatting.score(self.match.second_points)}"
        return f"{self.match.first} {points} {self.match.second}"


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A round with its pairings."""

    number: int
    groups: list[PairingGroup]

    @property
    def rated(self) -> bool:
        """Whether a rating is known of somebody."""
        return any(row.white.rating or (row.black and row.black.rating) for group in self.groups for row in group.rows)


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team's line in the standings. `board_points` are text, `scored` their number."""

    place: int
    name: str
    match_points: int
    board_points: str
    scored: float
    won: int
    drawn: int
    lost: int


def round_tables(
    games: Sequence[PlayedGame], rows: Mapping[int, StandingRow], teams: Mapping[int, str]
) -> tuple[list[RoundTable], list[TeamRow]]:
    """Return the rounds, and the standings of the teams, none if there are none. Takes the teams' names by key."""
    if teams:
        return _team_rounds(games, rows, teams)
    before: dict[int, float] = {}
    tables = []
    for number, played in _by_round(games):
        ordered = sorted(played, key=lambda game: _strength(game, before, rows))
        tables.append(RoundTable(number, [PairingGroup(None, _numbered(ordered, rows))]))
        for game in played:
            for player, gained in zip((game.white, game.black), POINTS[game.result], strict=True):
                if player is not None:
                    before[player] = before.get(player, 0.0) + gained
    return tables, []


def _by_round(games: Iterable[PlayedGame]) -> list[tuple[int, list[PlayedGame]]]:
    rounds: dict[int, list[PlayedGame]] = {}
    for game in games:
        rounds.setdefault(game.round, []).append(game)
    return sorted(rounds.items())


def _strength(
    game: PlayedGame, before: Mapping[int, float], rows: Mapping[int, StandingRow]
) -> tuple[bool, float, float, int]:
    """The order of the boards: by the points of the better player before the round, then of both; byes come last."""
    players = [player for player in (game.white, game.black) if player is not None]
    points = [before.get(player, 0.0) for player in players]
    lines = [rows[player].line for player in players if player in rows]
    return game.bye, -max(points), -sum(points), min(lines, default=len(rows))


def _numbered(games: Iterable[PlayedGame], rows: Mapping[int, StandingRow]) -> list[PairingRow]:
    return [_row(game, None if game.bye else board, rows) for board, game in enumerate(games, start=1)]


def _row(game: PlayedGame, board: int | None, rows: Mapping[int, StandingRow]) -> PairingRow:
    black = None if game.bye else _side(game.black, game.visitor, rows)
    white = _side(game.white, game.visitor, rows)
    return PairingRow(board, white, black, _result(game.result), game.result, game.colour_known)


def _side(player: int | None, visitor: Visitor | None, rows: Mapping[int, StandingRow]) -> Side:
    row = rows.get(player) if player is not None else None
    if row is not None:
        return Side(row.name, row.number, row.before)
    if player is None and visitor is not None:
        return Side(visitor.name, "", visitor.rating)
    return Side(gettext("not in the standings"), "", "")


def _result(result: Result) -> str:
    """The result as it is written on a wall chart: `1 – 0`, `½ – ½`, `+ – −`, `1 bye`."""
    white, black = POINTS[result]
    if result in BYES:
        return gettext("%(points)s bye") % {"points": formatting.score(white)} if white else gettext("absent")
    if result.value in ("+--", "--+", "---"):
        return f"{'+' if white else '−'} – {'+' if black else '−'}"
    points = f"{formatting.score(white)} – {formatting.score(black)}"
    return gettext("%(points)s, unplayed") % {"points": points} if result.value.endswith("u") else points


def _team_rounds(
    games: Sequence[PlayedGame], rows: Mapping[int, StandingRow], names: Mapping[int, str]
) -> tuple[list[RoundTable], list[TeamRow]]:
    team_of = {player: row.team_key for player, row in rows.items() if row.team_key}
    boards = {player: row.board or 0 for player, row in rows.items()}
    by_pair = {(game.round, game.white, game.black): game for game in games}
    played = matches(
        [
            TeamGame(game.round, game.white, game.black, game.result)
            for game in games
            if game.white is not None and game.black is not None
        ],
        team_of,
        boards,
    )
    in_matches = {(game.round, game.white, game.black) for match in played for game in match.games}
    tables = []
    for number, of_round in _by_round(games):
        groups = [
            PairingGroup(
                TeamScore(names[match.first], names[match.second], match.first_points, match.second_points),
                _numbered([by_pair[game.round, game.white, game.black] for game in match.games], rows),
            )
            for match in played
            if match.round == number
        ]
        others = [game for game in of_round if (number, game.white, game.black) not in in_matches]
        if others:
            groups.append(PairingGroup(None, [_row(game, None, rows) for game in others]))
        tables.append(RoundTable(number, groups))
    return tables, [_team_row(standing, names) for standing in team_standings(names, played)]


def _team_row(standing: TeamStanding, names: Mapping[int, str]) -> TeamRow:
    return TeamRow(
        standing.place,
        names[standing.team],
        standing.match_points,
        formatting.score(standing.board_points),
        standing.board_points,
        standing.won,
        standing.drawn,
        standing.lost,
    )
