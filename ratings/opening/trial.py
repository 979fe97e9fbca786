"""The trial month: what is calculated here beside what the old bureau published. Nothing is written."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from config.lib import formatting
from config.lib.days import months_back
from config.lib.names import shown
from config.lib.spreadsheets import cell
from events.models import Event, RatingPeriod, Section
from events.rules.findings import Finding
from events.rules.states import State
from players.models import Player
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.models import Rating, RatingRun
from ratings.opening.causes import Cause, Kind, PlayerMonth
from ratings.opening.reading import SentFile, Standings, read_standings
from ratings.periods import RunError
from ratings.runs.inputs import RunInput, published_run_id, read_run_input
from ratings.runs.sequential import ListPlace, rate_lists
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS

_CSV_DECIMALS = 9  # of a difference: a subtraction leaves others behind
CSV_COLUMNS = ("list", "id", "name", "here", "there", "difference", "games", "cause", "about")
_EXACT = 1e-6


@dataclass(frozen=True, slots=True)
class Difference:
    """A player on a list whose published rating is another here than there, with the likely cause. None: not on the list."""

    list: str
    number: str
    name: str
    here: float | None
    there: float | None
    games: int
    cause: Cause

    @property
    def points(self) -> float | None:
        """How much higher the rating is here; None if there is only one."""
        return None if self.here is None or self.there is None else self.here - self.there

    @property
    def here_text(self) -> str:
        """The rating here, or a dash."""
        return formatting.rating(self.here)

    @property
    def there_text(self) -> str:
        """The rating there, or a dash."""
        return formatting.rating(self.there)

    @property
    def points_text(self) -> str:
        """How much higher it is here, or a dash."""
        return formatting.change(self.points)


@dataclass(frozen=True, slots=True)
class ListTrial:
    """How a list agrees: players with a rating here and there, of these how many agree as whole numbers and exactly.

    `is_whole`: the other list has whole numbers only, so that nothing can agree more exactly.
    """

    listing: ListDefinition
    both: int
    agree: int
    exact: int
    is_whole: bool
    differences: Sequence[Difference] = field(default=())

    @property
    def causes(self) -> list[tuple[str, int]]:
        """How many differences have which likely cause, the most frequent first."""
        return [(str(kind), count) for kind, count in Counter(row.cause.kind for row in self.differences).most_common()]

    @property
    def text(self) -> str:
        """The list in a sentence."""
        points = [abs(row.points) for row in self.differences if row.points is not None]
        one_sided = len(self.differences) - len(points)
        text = f"{self.agree} of {self.both} players agree"
        if not self.is_whole:
            text += f", {self.exact} of them exactly"
        if points:
            text += (
                f"; {len(points)} differ, by {sum(points) / len(points):.1f} on average and {max(points):.1f} at most"
            )
        return f"{text}; {one_sided} on one list only" if one_sided else text


@dataclass(frozen=True, slots=True)
class Trial:
    """A month calculated here beside the lists that the old bureau published of it."""

    month: date
    findings: Sequence[Finding]
    sections: int = 0
    games: int = 0
    waiting: int = 0
    lists: Sequence[ListTrial] = ()

    @property
    def errors(self) -> list[Finding]:
        """The findings for which nothing was compared."""
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def text(self) -> str:
        """What was calculated, in a sentence."""
        text = f"{self.month:%Y-%m}: {formatting.count(self.games, 'game')} in {formatting.count(self.sections, 'section')}"
        if self.waiting:
            verb = "is" if self.waiting == 1 else "are"
            text += f"; {formatting.count(self.waiting, 'event')} of the month {verb} not accepted and not in it"
        return text

    def rows(self) -> Iterator[Sequence[Any]]:
        """Yield the differences as lines of a CSV, the heading first."""
        yield CSV_COLUMNS
        for of_list in self.lists:
            for row in of_list.differences:
                points = None if row.points is None else round(row.points, _CSV_DECIMALS)
                yield (
                    row.list, row.number, cell(row.name), row.here, row.there, points, row.games, str(row.cause.kind),
                    cell(row.cause.text),
                )  # fmt: skip


def trial(month: date, files: Sequence[SentFile]) -> Trial:
    """Calculate a month as it stands and compare its lists with those of the old bureau. Nothing is written.

    Raises RunError if the month is not on record, was brought in, or if the month before it is not published.
    """
    period = RatingPeriod.objects.filter(month=month).first()
    if period is None:
        raise RunError(f"{month:%Y-%m} is not on record: accept the events of the month first")
    if RatingRun.objects.filter(publication__period=period).exclude(kind=RatingRun.Kind.CALCULATED).exists():
        raise RunError(f"{period} was brought in: the trial month is one that is calculated here")
    before = months_back(month, 1)
    if published_run_id(before) is None:
        raise RunError(f"{before:%Y-%m} is not published: begin with its opening balance")
    theirs = read_standings(files, month, leave_out_unknown=True)
    if theirs.errors:
        return Trial(month, theirs.findings)
    gathered = read_run_input(period)
    sections = Section.objects.select_related("event").in_bulk(gathered.input.sections.tolist())
    names = [str(sections[pk]) for pk in gathered.input.sections.tolist()]
    listings = list_definitions()
    waiting = Event.objects.filter(
        sections__ends__gte=month, sections__ends__lt=period.calculated_on, state__in=[State.SUBMITTED, State.RETURNED]
    )
    compared = _national(gathered, theirs, [listing for listing in listings if listing.is_national], names)
    compared += _others(gathered, theirs, [listing for listing in listings if not listing.is_national])
    return Trial(
        month,
        theirs.findings,
        sections=len(names),
        games=len(gathered.columns.event),
        waiting=waiting.distinct().count(),
        lists=compared,
    )


def _national(
    gathered: RunInput, theirs: Standings, listings: Sequence[ListDefinition], names: list[str]
) -> list[ListTrial]:
    edition = gathered.input.edition
    result = chessa.rate(gathered.columns, edition)
    place = {player: row for row, player in enumerate(gathered.players.tolist())}
    padded = _padded(gathered)
    compared = []
    for listing in listings:
        index = LISTS.index(listing.code)
        there = _published_there(theirs, index)
        here = {
            player: float(result.published[index, row])
            for player, row in place.items()
            if not np.isnan(result.published[index, row])
        }

        def cause(player: int, figure: float | None, listing: ListDefinition = listing, index: int = index) -> Cause:
            row = place.get(player)
            if row is None:
                return Cause(Kind.MISSING_STANDING, "no standing was brought and no game is rated here")
            month = PlayerMonth(
                gathered.columns,
                result,
                edition,
                gathered.published,
                names,
                index,
                row,
                *padded.get((listing.id, player), (0, False)),
            )
            if figure is not None:
                return month.cause(figure)
            played = ", ".join(names[event.place] for event in month.events())
            if played and np.isnan(gathered.published[index, row]):
                return Cause(Kind.NOT_RATED_THERE, f"rated here for the first time and not there: {played}")
            return Cause(Kind.NOT_LISTED, "on the opening balance, and not on their list of this month")

        games = {player: int(result.games[index, row]) for player, row in place.items()}
        compared.append(_compared(listing, theirs, here, there, games, cause))
    return [of_list for of_list in compared if of_list is not None]


def _others(gathered: RunInput, theirs: Standings, listings: Sequence[ListDefinition]) -> list[ListTrial]:
    results = {result.list_id: result for result in rate_lists(gathered.input)}
    compared = []
    for listing in listings:
        there = {
            player: place.published
            for player, place in theirs.others.get(listing.id, {}).items()
            if place.published is not None
        }
        places: Mapping[int, ListPlace] = results[listing.id].places if listing.id in results else {}
        here = {player: place.published for player, place in places.items() if place.published is not None}

        def cause(player: int, figure: float | None, places: Mapping[int, ListPlace] = places) -> Cause:
            place = places.get(player)
            if place is None:
                return Cause(Kind.MISSING_STANDING, "no standing was brought and no game is rated here")
            if figure is None:
                return Cause(Kind.NOT_LISTED, "rated here, and not on their list of this month")
            if not place.games:
                return Cause(Kind.MISSING_EVENT, "the rating moved there, and no game of the month is rated here")
            return Cause(Kind.UNEXPLAINED, f"{formatting.count(place.games, 'game')} rated here")

        games = {player: place.games for player, place in places.items()}
        compared.append(_compared(listing, theirs, here, there, games, cause))
    return [of_list for of_list in compared if of_list is not None]


def _published_there(theirs: Standings, index: int) -> dict[int, float]:
    if theirs.columns is None:
        return {}
    published = theirs.columns.published[index]
    return {
        player: float(figure) for player, figure in zip(theirs.players, published, strict=True) if not np.isnan(figure)
    }


def _padded(gathered: RunInput) -> dict[tuple[int, int], tuple[int, bool]]:
    """Return how many former ratings were filled in, and whether the highest was, by (list, player), where the month follows an
    opening balance."""
    run = gathered.input.previous_run
    rows = Rating.objects.filter(
        run=run, run__kind=RatingRun.Kind.OPENING, standing__isnull=False, list__in=gathered.list_ids
    )
    return {
        (list_id, player): ((standing or {}).get("padded", 0), "highest" in (standing or {}).get("filled", ()))
        for list_id, player, standing in rows.values_list("list_id", "player_id", "standing")
    }


def _compared(
    listing: ListDefinition,
    theirs: Standings,
    here: Mapping[int, float],
    there: Mapping[int, float],
    games: Mapping[int, int],
    cause: Any,
) -> ListTrial | None:
    """Return how a list agrees; None if their files have nothing of it."""
    unknown = [entry for entry in theirs.left_out if entry.list == listing.code and entry.is_rated]
    if not there and not unknown:
        return None
    both = here.keys() & there.keys()
    is_whole = all(figure == int(figure) for figure in there.values())
    agree = {player for player in both if formatting.rounded(here[player]) == formatting.rounded(there[player])}
    apart = (here.keys() | there.keys()) - agree
    people = {
        pk: (number, f"{first} {last}".strip())
        for pk, number, first, last in Player.objects.order_by().values_list("pk", "number", "first_name", "last_name")
        if pk in apart
    }
    differences = [
        Difference(
            listing.code, *people[player], here.get(player), there.get(player), games.get(player, 0),
            cause(player, there.get(player)),
        )
        for player in apart
    ]  # fmt: skip
    not_on_register = Cause(Kind.NOT_ON_REGISTER, "no player on the register has this id")
    differences += [
        Difference(
            listing.code,
            entry.number or f"FIDE {entry.fide_id}",
            shown(entry.name),
            None,
            entry.raw if entry.published is None else entry.published,
            0,
            not_on_register,
        )
        for entry in unknown
    ]
    differences.sort(key=lambda row: (row.points is None, -abs(row.points or 0.0), row.name))
    return ListTrial(
        listing,
        len(both),
        len(agree),
        sum(abs(here[player] - there[player]) <= _EXACT for player in both),
        is_whole,
        differences,
    )
