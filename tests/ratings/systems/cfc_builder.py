"""Small CFC events for tests, so that a test says only what it is about."""

from hypothesis import strategies as st

from ratings.systems.base import Event, Game, GameResult, Opponent
from ratings.systems.cfc import EDITIONS, Outcome, Standing, Status, rate

RULES = EDITIONS[0]
PLAYED = (GameResult.WHITE_WINS, GameResult.BLACK_WINS, GameResult.DRAW)
UNRATED = Standing(Status.UNRATED)


def established(rating: int, high: int | None = 2700, games: int = 100) -> Standing:
    return Standing(Status.ESTABLISHED, rating, games, high)


def provisional(rating: int, games: int = 10) -> Standing:
    return Standing(Status.PROVISIONAL, rating, games)


def event(*games: str) -> Event:
    """Games as "white black result"; an opponent who is not rated here is "=rating", that of a bye "-"."""
    return Event("e", tuple(_game(game) for game in games))


def _game(line: str) -> Game:
    white, black, result = line.split()
    return Game(_side(white), None if black == "-" else _side(black), GameResult(result))


def _side(word: str) -> str | Opponent:
    return Opponent(rating=float(word[1:])) if word.startswith("=") else word


def against(*opponents: int, score: float) -> Event:
    """Player p against opponents who are not rated here: won from the first on, then half a point, then lost."""
    games = []
    for place, opponent in enumerate(opponents):
        points = min(1.0, max(0.0, score - place))
        result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[points]
        games.append(f"p ={opponent} {result}")
    return event(*games)


def one(standing: Standing, played: Event, **options) -> Outcome:
    """The outcome of player p."""
    return rate(played, {"p": standing}, RULES, **options).outcomes["p"]


RATINGS = st.integers(200, 2800)
STANDINGS = st.one_of(
    st.builds(lambda rating, more: established(rating, rating + more), RATINGS, st.integers(0, 200)),
    st.builds(established, RATINGS, st.none()),
    st.builds(provisional, RATINGS, st.integers(1, 24)),
    st.just(UNRATED),
)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[Event, dict[str, Standing]]:
    """Three to eight players of all kinds, and up to 30 games among them and against outsiders."""
    names = [f"p{number}" for number in range(draw(st.integers(3, 8)))]
    players = {name: draw(STANDINGS) for name in names}
    sides = st.one_of(st.sampled_from(names), RATINGS.map(lambda rating: Opponent(rating=float(rating))))
    pairs = st.tuples(st.sampled_from(names), sides).filter(lambda pair: pair[0] != pair[1])
    games = draw(st.lists(st.tuples(pairs, st.sampled_from(PLAYED)), min_size=1, max_size=30))
    return Event("e", tuple(Game(white, black, result) for (white, black), result in games)), players
