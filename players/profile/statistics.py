"""A player's results by colour, strength and year, his opponents and best wins. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext

from config.lib import formatting
from events.rules.game_result import PLAYED
from players.profile.lines import PlayedRow

STRENGTH_STEP = 200  # rating points of a band of opponents
MOST_OPPONENTS, MOST_WINS = 12, 5


@dataclass(slots=True)
class Record:
    """Results of played games: what they have in common, and how many were won, drawn and lost. `key`: a number or id."""

    label: str
    key: str = ""
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, points: float) -> None:
        """Add a game."""
        if points == 1:
            self.won += 1
        elif points == 0:
            self.lost += 1
        else:
            self.drawn += 1

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """The player's points."""
        return self.won + self.drawn / 2

    @property
    def score_text(self) -> str:
        """The points of the games: `3½ of 6`. With a stroke, 1 of 2 would read as half a point."""
        return gettext("%(points)s of %(games)s") % {"points": formatting.score(self.points), "games": self.games}

    @property
    def texts(self) -> list[str]:
        """Games, won, drawn, lost, per cent."""
        share = formatting.decimal(100 * self.points / self.games, 0) if self.games else formatting.NONE
        return [*(formatting.number(value) for value in (self.games, self.won, self.drawn, self.lost)), f"{share} %"]


@dataclass(frozen=True, slots=True)
class BestWin:
    """A game won, with the opponent's rating at the start of its month."""

    row: PlayedRow
    rating: float

    @property
    def rating_text(self) -> str:
        """The opponent's rating."""
        return formatting.rating(self.rating)

    @property
    def day_text(self) -> str:
        """The last day of the section."""
        return formatting.day(self.row.ends)


@dataclass(slots=True)
class Statistics:
    """What a player's games come to."""

    total: Record
    by_colour: list[Record]
    by_strength: list[Record]
    by_year: list[Record]
    opponents: list[Record]
    best_wins: list[BestWin] = field(default_factory=list)


def statistics(rows: Sequence[PlayedRow], ratings: Mapping[int, float]) -> Statistics:
    """Return what the played games among a player's come to; `ratings`: the opponents' at the start of the month, by game."""
    played = [row for row in rows if row.outcome in PLAYED]
    wins = [BestWin(row, ratings[row.id]) for row in played if row.points == 1 and row.id in ratings]
    strengths = _grouped(played, lambda row: (_band(ratings.get(row.id)), _band_text(ratings.get(row.id)), ""))
    known = _grouped(
        [row for row in played if row.colour_known],
        lambda row: (not row.is_white, gettext("White") if row.is_white else gettext("Black"), ""),
    )
    met = _grouped([row for row in played if row.number], lambda row: (row.number, row.name, row.number))
    return Statistics(
        total=_total(played),
        by_colour=known,
        by_strength=strengths,
        by_year=_grouped(played, lambda row: (-row.ends.year, str(row.ends.year), "")),
        opponents=sorted(met, key=lambda record: (-record.games, record.label))[:MOST_OPPONENTS],
        best_wins=sorted(wins, key=lambda win: (-win.rating, win.row.ends))[:MOST_WINS],
    )


def _total(rows: Iterable[PlayedRow]) -> Record:
    total = Record(gettext("All games"))
    for row in rows:
        total.add(row.points)
    return total


def _grouped(rows: Iterable[PlayedRow], group: Callable[[PlayedRow], tuple[object, str, str]]) -> list[Record]:
    """Return the results by group, in the groups' order; `group` gives what orders it, its label and its key."""
    records: dict[object, Record] = {}
    for row in rows:
        order, label, key = group(row)
        records.setdefault(order, Record(label, key)).add(row.points)
    return [records[order] for order in sorted(records)]  # type: ignore[type-var]


def _band(rating: float | None) -> int:
    return 1 if rating is None else -int(rating // STRENGTH_STEP)  # the strongest first, the unrated last


def _band_text(rating: float | None) -> str:
    if rating is None:
        return gettext("unrated")
    least = int(rating // STRENGTH_STEP) * STRENGTH_STEP
    return f"{formatting.number(least)}–{formatting.number(least + STRENGTH_STEP - 1)}"
