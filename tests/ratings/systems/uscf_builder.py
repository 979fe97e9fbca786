"""Small USCF events for tests, so that a test says only what it is about."""

from hypothesis import strategies as st

from config.lib.editions import Edition, edition_named
from ratings.systems.base import Event, Game, GameResult, Opponent
from ratings.systems.uscf import EDITIONS, Outcome, Record, Result, Standing, rate

PLAYED = (GameResult.WHITE_WINS, GameResult.BLACK_WINS, GameResult.DRAW)
UNRATED = Standing()


def edition(name: str) -> Edition:
    return edition_named(EDITIONS, name)


def rated(rating: float, games: float | None = 100, **fields) -> Standing:
    return Standing(rating=rating, games=games, **fields)


def event(*games: str) -> Event:
    """Games as "white black result"; an opponent who is not rated here is "=rating", that of a bye "-"."""
    return Event("e", tuple(_game(game) for game in games))


def _game(line: str) -> Game:
    white, black, result = line.split()
    return Game(_side(white), None if black == "-" else _side(black), GameResult(result))


def _side(word: str) -> str | Opponent:
    return Opponent(rating=float(word[1:])) if word.startswith("=") else word


def against(*opponents: float, score: float) -> Event:
    """Player p against opponents who are not rated here: won from the first on, then half a point, then lost."""
    games = []
    for place, opponent in enumerate(opponents):
        points = min(1.0, max(0.0, score - place))
        result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[points]
        games.append(f"p ={opponent} {result}")
    return event(*games)


def one(standing: Standing, played: Event, rules: str = "2025", **options) -> Outcome:
    """The outcome of player p."""
    return rate(played, {"p": standing}, edition(rules), **options).outcomes["p"]


def rated_events(result: Result) -> dict[str, tuple[float | None, int | None]]:
    return {name: (outcome.rating, outcome.published) for name, outcome in sorted(result.outcomes.items())}


RATINGS = st.integers(10000, 280000).map(lambda hundredths: hundredths / 100)
STANDINGS = st.one_of(
    st.builds(Standing, rating=RATINGS, games=st.one_of(st.none(), st.integers(9, 400)), peak=st.none() | RATINGS),
    st.builds(Standing, rating=RATINGS, games=st.integers(0, 8), wins=st.integers(0, 8), draws=st.integers(0, 8)),
    st.builds(Standing, rating=RATINGS, games=st.integers(1, 20), record=st.sampled_from(list(Record))),
    st.builds(Standing, age=st.integers(0, 40)),
    st.builds(Standing, fide=st.integers(1000, 2600)),
    st.builds(Standing, start=st.tuples(RATINGS, st.integers(0, 10))),
)


@st.composite
def sections(draw: st.DrawFn) -> tuple[Event, dict[str, Standing]]:
    """Two to seven players of all kinds, up to 24 games among them and some against outsiders."""
    names = [f"p{number}" for number in range(draw(st.integers(2, 7)))]
    players = {name: draw(STANDINGS) for name in names}
    sides = st.one_of(st.sampled_from(names), RATINGS.map(lambda rating: Opponent(rating=rating)))
    pairs = st.tuples(st.sampled_from(names), sides).filter(lambda pair: pair[0] != pair[1])
    games = draw(st.lists(st.tuples(pairs, st.sampled_from(PLAYED)), min_size=1, max_size=24))
    return Event("e", tuple(Game(white, black, result) for (white, black), result in games)), players
