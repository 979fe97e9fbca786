from events.rules.game_result import Result
from events.rules.team_matches import TeamGame, matches, team_standings

# Three teams of two boards: players 11 and 12 of team 1, and so on; 19 belongs to no team.
TEAMS = {11: 1, 12: 1, 21: 2, 22: 2, 31: 3, 32: 3}
BOARDS = {player: player % 10 for player in TEAMS}


def game(number, white, black, result):
    return TeamGame(number, white, black, Result(result))


GAMES = [
    game(1, 22, 12, "1/2-1/2"),
    game(1, 11, 21, "1-0"),
    game(2, 31, 21, "--+"),
    game(2, 32, 22, "1-0"),
    game(3, 11, 31, "0-1"),
    game(3, 32, 12, "1/2-1/2"),
    game(3, 19, 22, "1-0"),
    game(3, 11, 12, "1-0"),
]


def test_games_make_matches_in_the_order_of_the_boards():
    found = matches(GAMES, TEAMS, BOARDS)
    assert [(match.round, match.first, match.second) for match in found] == [(1, 1, 2), (2, 2, 3), (3, 1, 3)]
    assert [(match.first_points, match.second_points) for match in found] == [(1.5, 0.5), (1, 1), (0.5, 1.5)]
    assert [pairing.white for pairing in found[0].games] == [11, 22]


def test_match_points_come_first_then_board_points():
    rows = team_standings([1, 2, 3], matches(GAMES, TEAMS, BOARDS))
    assert [(row.place, row.team, row.match_points, row.board_points) for row in rows] == [
        (1, 3, 3, 2.5),
        (2, 1, 2, 2.0),
        (3, 2, 1, 1.5),
    ]
    assert [(row.won, row.drawn, row.lost) for row in rows] == [(1, 1, 0), (1, 0, 1), (0, 1, 1)]


def test_teams_level_in_both_share_the_place():
    level = [game(1, 11, 21, "1-0"), game(1, 22, 12, "1-0")]
    assert [row.place for row in team_standings([1, 2], matches(level, TEAMS, BOARDS))] == [1, 1]
