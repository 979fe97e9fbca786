"""A league of teams: every team against every other, board against board."""

from collections.abc import Sequence

from demo.swiss import Pairs, round_robin

BOARDS = 4


def draw_teams(numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Teams of four boards out of players in the order of their strength, so that the teams are about equal."""
    count = len(numbers) // BOARDS
    return tuple(tuple(numbers[team + board * count] for board in range(BOARDS)) for team in range(count))


def pair_teams(teams: Sequence[tuple[int, ...]]) -> list[Pairs]:
    """The rounds of the league; the first team of a match has White on the odd boards. The teams are even in number."""
    return [
        Pairs(
            tuple(
                (one, other) if board % 2 == 0 else (other, one)
                for home, away in match.games
                for board, (one, other) in enumerate(zip(teams[home - 1], teams[away - 1], strict=True))
            ),
            None,
        )
        for match in round_robin(len(teams))
    ]
