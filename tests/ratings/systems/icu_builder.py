"""Small events of the Irish Chess Union's system for tests, so that a test says only what it is about."""

from collections.abc import Sequence

from hypothesis import strategies as st

from ratings.systems.base import Event, Game, GameResult, Opponent
from ratings.systems.icu import PlayerType, Standing

PLAYED = [GameResult.WHITE_WINS, GameResult.BLACK_WINS, GameResult.DRAW]
UNRATED = Standing(PlayerType.UNRATED)


def rated(rating: float, k: float = 24) -> Standing:
    return Standing(PlayerType.RATED, rating, k)


def provisional(rating: float, games: int = 10) -> Standing:
    return Standing(PlayerType.PROVISIONAL, rating, games=games)


def foreign(rating: float) -> Standing:
    return Standing(PlayerType.FOREIGN, rating)


def event(*games: str | Game) -> Event:
    """Games as "white black result [round]"."""
    return Event("e", tuple(_game(game) for game in games))


def _game(game: str | Game) -> Game:
    if isinstance(game, Game):
        return game
    white, black, result, *number = game.split()
    return Game(white, None if black == "-" else black, GameResult(result), int(number[0]) if number else None)


def wins(player: str, opponents: Sequence[str]) -> list[str]:
    return [f"{player} {opponent} 1-0" for opponent in opponents]


def expected(own: float, opponent: float) -> float:
    return 1 / (1 + 10 ** ((opponent - own) / 400))


# Made once: to make a strategy takes longer than to draw from it.
_ratings = st.integers(800, 2400)
_standings = st.one_of(
    st.builds(rated, _ratings, st.sampled_from([16, 24, 32, 40])),
    st.builds(provisional, _ratings, st.integers(1, 19)),
    st.just(UNRATED),
    st.builds(foreign, _ratings),
)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[Event, dict[str, Standing]]:
    """Three to nine players, two of them rated, and up to 40 games; good scores, and so bonuses, are frequent."""
    names = [str(number) for number in range(1, draw(st.integers(3, 9)) + 1)]
    players = {name: draw(_standings) for name in names}
    pairs = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    games = draw(st.lists(st.tuples(pairs, st.sampled_from(PLAYED)), max_size=24))
    for name in names[:2]:
        players[name] = rated(draw(st.integers(1000, 2050)), draw(st.sampled_from([32, 40])))
        beaten = draw(st.lists(st.sampled_from([other for other in names if other != name]), max_size=8))
        games += [([name, other], GameResult.WHITE_WINS) for other in beaten]
    return Event("e", tuple(Game(white, black, result) for (white, black), result in games)), players


def guest(rating: float) -> Opponent:
    return Opponent(rating=rating)
