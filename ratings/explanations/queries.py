"""Why a player's rating of a month is what it is: the calculation's own columns, made again for him alone."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from config.lib.database import as_float
from events.models import Game, Penalty, RatingPeriod, Section
from players.hidden import hidden_in, in_public, met_hidden_since, name_in_public
from players.models import Player
from ratings.explanations.case_files import raw_history
from ratings.models import Adjustment, Performance
from ratings.runs.inputs import Games, PeriodInput, read_input, read_player_input
from ratings.runs.sequential import rate_player
from ratings.systems import chessa
from ratings.systems.base import Cell, CellKind, Event, Explanation
from ratings.systems.chessa.columns import LISTS, day
from ratings.systems.chessa.explanation import explain
from ratings.systems.chessa.names import Abroad, Named, Names


@dataclass(frozen=True, slots=True)
class MonthExplanation:
    """A player's month on one of the four lists, with what its cells refer to.

    `published` is the rating to which the steps lead, None where there is none; `players` are Chess SA ids by player,
    `events` the ids of events by section.
    """

    explanation: Explanation
    published: float | None
    players: dict[str, str]
    events: dict[str, int]

    @property
    def sections(self) -> list[Named]:
        """The player's rated sections of the month, in their order."""
        weights = self.explanation.step("weights")
        cells = [cell for row in weights.rows for cell in row] if weights else []
        return [Named(cell.ref, str(cell.value)) for cell in cells if cell.kind is CellKind.EVENT]


def explain_month(period: RatingPeriod, player: int, list_code: str, *, on_desk: bool = False) -> MonthExplanation:
    """Return the steps of one player's rating on one of the four lists at the end of a period. `on_desk`: with the names of
    hidden players. A few short queries."""
    gathered = read_player_input(period, player)
    result = chessa.rate(gathered.columns, gathered.input.edition)
    row = gathered.players.tolist().index(player)
    list_index = LISTS.index(list_code)
    people = _people(gathered.players.tolist(), on_desk=on_desk)
    stored = gathered.columns.standings.recent_ended[list_index, row]
    earlier = _earlier(
        player, list_code, period, [date.fromordinal(ordinal) for ordinal in stored.tolist() if ordinal > 0]
    )
    guests, abroad = _guests(player, gathered.input.sections.tolist(), gathered.input.games)
    sections = Section.objects.select_related("event").in_bulk([*gathered.input.sections.tolist(), *earlier.values()])
    player_names, section_names = names_of_players(people), names_of_sections(sections)
    names = Names(
        players=[Named(str(pk), player_names[pk]) for pk in gathered.players.tolist()],
        events=[Named(str(pk), section_names[pk]) for pk in gathered.input.sections.tolist()],
        guests=guests,
        rounds=dict(enumerate(gathered.input.games.round.tolist())),
        abroad=abroad,
        earlier={key: Named(str(pk), section_names[pk]) for key, pk in earlier.items()},
        controls={
            row: (sections[pk].base_minutes, sections[pk].increment_seconds)
            for row, pk in enumerate(gathered.input.sections.tolist())
        },
        penalties=_penalties(gathered.input),
        adjustments=_adjustments(period, player) if gathered.input.adjustments else (),
    )
    history = raw_history(period, gathered)[list_index, row]
    published = result.published[list_index, row]
    return MonthExplanation(
        explanation=explain(
            gathered.columns,
            result,
            gathered.input.edition,
            row,
            list_index,
            names,
            history.tolist(),
        ),
        published=None if published != published else float(published),
        players={str(pk): person.number for pk, person in people.items()},
        events={str(pk): section.event_id for pk, section in sections.items()},
    )


def _people(keys: Iterable[int], *, on_desk: bool) -> dict[int, Player]:
    """Return players by key, hidden ones as the public sees them unless it is for the desk. One query."""
    people = Player.objects.in_bulk(list(keys))
    return people if on_desk else {pk: in_public(person) for pk, person in people.items()}


def distinct_names(names: Mapping[int, tuple[str, str]]) -> dict[int, str]:
    """Names for readers, by key, from (name, mark): with the mark, and if need be the key, where several share a name."""
    result = {key: name for key, (name, _) in names.items()}
    for marks in ({key: mark for key, (_, mark) in names.items()}, {key: f"no. {key}" for key in names}):
        times = Counter(result.values())
        result = {
            key: f"{name} ({marks[key]})" if times[name] > 1 and marks[key] else name for key, name in result.items()
        }
    return result


def names_of_players(players: Mapping[int, Player]) -> dict[int, str]:
    """Players' names for readers, by id, with their Chess SA ids where several share a name."""
    return distinct_names({pk: (player.name, player.number) for pk, player in players.items()})


def names_of_sections(sections: Mapping[int, Section]) -> dict[int, str]:
    """Sections' names for readers, by id, with their last days where several share a name."""
    return distinct_names({pk: (str(section), f"{section.ends:%Y-%m-%d}") for pk, section in sections.items()})


@dataclass(frozen=True, slots=True)
class EventExplanation:
    """One event of a month on a list of another system. `before` and `after` as the list shows them, None: unrated."""

    section: int
    event: int
    name: str
    ended: date
    before: float | None
    after: float | None
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class ListMonthExplanation:
    """A player's month on a list of another system, event by event, with what its cells refer to.

    `rating` is unrounded, `published` as the list shows it; `brought` what he comes with from another list, if he is new.
    `refused`: (event, name of the section, why) of what was not rated on the list. `players`: Chess SA ids by player.
    `ages_by_day`: the month was calculated with ages to the day, which are not shown, and the steps are by years.
    """

    events: list[EventExplanation]
    rating: float | None
    published: float | None
    brought: float | None
    refused: list[tuple[int, str, str]]
    players: dict[str, str]
    ages_by_day: bool


def explain_list_month(
    period: RatingPeriod, player: int, rating_list: int, *, on_desk: bool = False
) -> ListMonthExplanation:
    """Return the steps of one player's rating on a list of another system at the end of a period, each event from the standings
    that were current then. `on_desk`: with the names of hidden players. Raises StopIteration if there is no such list of
    another system."""
    period_input = read_input(period)
    month = rate_player(period_input, rating_list, player)
    sections = Section.objects.select_related("event").in_bulk(
        [*(turn.section for turn in month.turns), *month.refused]
    )
    section_names = names_of_sections(sections)
    explanations = [turn.rated.explain(str(player)) for turn in month.turns]
    people = _people({int(id) for explanation in explanations for id in _players(explanation)}, on_desk=on_desk)
    player_names = {str(pk): name for pk, name in names_of_players(people).items()}
    guests = guest_names(player, list(sections))
    return ListMonthExplanation(
        events=[
            EventExplanation(
                section=turn.section,
                event=sections[turn.section].event_id,
                name=section_names[turn.section],
                ended=sections[turn.section].ends,
                before=turn.before,
                after=turn.after,
                explanation=with_names(
                    explanation, player_names, names_outside(turn.rated.event, turn.section, guests)
                ),
            )
            for turn, explanation in zip(month.turns, explanations, strict=True)
        ],
        rating=month.place.rating if month.place else None,
        published=month.place.published if month.place else None,
        brought=month.brought,
        refused=[(sections[pk].event_id, section_names[pk], why) for pk, why in month.refused.items()],
        players={str(pk): person.number for pk, person in people.items()},
        ages_by_day=period_input.ages_by_day,
    )


def _players(explanation: Explanation) -> set[str]:
    rows = (row for step in explanation.steps for row in step.rows)
    return {cell.ref for row in rows for cell in row if cell.kind is CellKind.PLAYER}


def with_names(explanation: Explanation, players: Mapping[str, str], outside: Mapping[str, str]) -> Explanation:
    """Return an explanation with the names of its players, by id, and of opponents who are not rated here, by the index of the
    game. Who has no name keeps what stands there."""
    names = {CellKind.PLAYER: players, CellKind.OUTSIDE: outside}

    def row(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(replace(cell, value=names.get(cell.kind, {}).get(cell.ref, cell.value)) for cell in cells)

    return replace(
        explanation,
        steps=tuple(replace(step, rows=tuple(row(cells) for cells in step.rows)) for step in explanation.steps),
    )


def guest_names(player: int, sections: list[int]) -> dict[tuple[int, int], str]:
    """Return the names of a player's opponents abroad, as the public reads them, by section and round."""
    rows = Game.objects.filter(section__in=sections, guest__isnull=False)
    games = (rows.filter(white=player) | rows.filter(black=player)).values_list(
        "section_id", "round", "guest__name", met_hidden_since("guest__")
    )
    return {(section, round_): name_in_public(name, hidden) for section, round_, name, hidden in games}


def names_outside(event: Event, section: int, guests: Mapping[tuple[int, int], str]) -> dict[str, str]:
    """Return the names of opponents abroad by the index of the game in its event, from those of `guest_names`."""
    return {
        str(index): guests[section, game.round]
        for index, game in enumerate(event.games)
        if game.round is not None and (section, game.round) in guests
    }


def _earlier(player: int, list_code: str, period: RatingPeriod, ended: list[date]) -> dict[tuple[int, float], int]:
    """Return the sections of a player's tournaments of published periods before that ended on these days, by day and
    performance."""
    runs = RatingPeriod.objects.filter(month__lt=period.month, publication__isnull=False).values("publication__run")
    rows = Performance.objects.filter(
        run_id__in=runs, list__code=list_code, player_id=player, section__ends__in=ended, performance__isnull=False
    ).values_list("section__ends", as_float("performance"), "section_id")
    return {(day(ends), performance): section for ends, performance, section in rows}


def _penalties(period: PeriodInput) -> list[tuple[int, str]]:
    """Round and kind of each penalty, in the order of the columns."""
    rows = Penalty.objects.filter(
        section__in=period.sections.tolist(),
        player__in={row[1] for row in period.penalties},
        status=Penalty.Status.CONFIRMED,
    )
    kinds = {
        (section, player, round_): Penalty.Kind(kind).label
        for section, player, round_, kind in rows.values_list("section_id", "player_id", "round", "kind")
    }
    sections = period.sections.tolist()
    return [(round_, kinds[sections[place], player, round_]) for place, player, round_, _ in period.penalties]


def _adjustments(period: RatingPeriod, player: int) -> list[str]:
    """Return why each adjustment of a player was made, in the order of the columns."""
    rows = Adjustment.objects.filter(Adjustment.IN_FORCE, period=period, player=player)
    reasons = list(rows.order_by("list_id", "pk").values_list("reason", flat=True))
    hidden = hidden_in(reasons)
    return [hidden.replaced(reason) for reason in reasons]


def _guests(player: int, sections: list[int], games: Games) -> tuple[dict[int, str], dict[int, Abroad]]:
    """Return the names of opponents abroad and what rating they brought, by row of their game."""
    rows = Game.objects.filter(section__in=sections, guest__isnull=False)
    own_games = (rows.filter(white=player) | rows.filter(black=player)).values_list(
        "section_id", "round", "guest__name", met_hidden_since("guest__"),
        "guest__fide_rating", "guest__performance", "guest__fide_list",
    )  # fmt: skip
    guests = {
        (section, round_): (name_in_public(name, hidden), fide, performance, fide_list)
        for section, round_, name, hidden, fide, performance, fide_list in own_games
    }
    names: dict[int, str] = {}
    abroad: dict[int, Abroad] = {}
    for row, (event, round_) in enumerate(zip(games.event.tolist(), games.round.tolist(), strict=True)):
        if (sections[event], round_) not in guests:
            continue
        name, fide, performance, fide_list = guests[sections[event], round_]
        names[row] = name
        rating = performance if fide is None else fide
        if rating is not None:
            abroad[row] = Abroad(float(rating), fide is not None, f"{fide_list:%Y-%m}" if fide_list else "")
    return names, abroad
