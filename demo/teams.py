"""A league of teams: every team against every other, board against board."""

from collections.abc import Sequence

from demo.swiss import Pairs, round_robin

BOARDS = 4


def draw_teams(numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Divide start numbers, strongest first, into teams of BOARDS players and about equal strength."""
    count = len(numbers) // BOARDS
    return tuple(tuple(numbers[team + board * count] for board in range(BOARDS)) for team in range(count))


def pair_teams(teams: Sequence[tuple[int, ...]]) -> list[Pairs]:
    """Return the rounds of the league; a match's first team has White on odd boards. The number of teams must be even."""
    return [
        Pairs(
            tuple(
                (home_player, away_player) if board % 2 == 0 else (away_player, home_player)
                for home, away in match.games
                for board, (home_player, away_player) in enumerate(zip(teams[home - 1], teams[away - 1], strict=True))
            ),
            None,
        )
        for match in round_robin(len(teams))
    ]
