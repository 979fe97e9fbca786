"""Why a player's rating of a month is what it is: the calculation's own columns, made again for him alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from config.lib.database import as_float
from events.models import Game, Penalty, RatingPeriod, Section
from players.models import Player
from ratings.explanations.case_files import raw_history
from ratings.models import Performance
from ratings.runs.inputs import Games, PeriodInput, read_input, read_player_input
from ratings.runs.sequential import rate_player
from ratings.systems import chessa
from ratings.systems.base import Cell, Explanation
from ratings.systems.chessa.columns import LISTS, day
from ratings.systems.chessa.explanation import Abroad, Names, explain


@dataclass(frozen=True, slots=True)
class MonthExplanation:
    """An explanation, with the ids of who and what it names, for links. Keys are the names."""

    explanation: Explanation
    published: float | None
    players: dict[str, str]  # name as shown: Chess SA id
    events: dict[str, int]  # name as shown: event
    sections: dict[str, int]  # name as shown: section


def explain_month(period: RatingPeriod, player: int, list_code: str) -> MonthExplanation:
    """The steps of one player's rating on one of the four lists at the end of a period. A few short queries."""
    gathered = read_player_input(period, player)
    result = chessa.rate(gathered.columns, gathered.input.edition)
    row = gathered.players.tolist().index(player)
    list_index = LISTS.index(list_code)
    people = Player.objects.in_bulk(gathered.players.tolist())
    stored = gathered.columns.standings.recent_ended[list_index, row]
    earlier = _earlier(player, list_code, period, [date.fromordinal(on) for on in stored.tolist() if on > 0])
    guests, abroad = _guests(player, gathered.input.sections.tolist(), gathered.input.games)
    sections = Section.objects.select_related("event").in_bulk([*gathered.input.sections.tolist(), *earlier.values()])
    player_names = told_apart({pk: (person.name, person.number) for pk, person in people.items()})
    event_names = told_apart({pk: (str(section), f"{section.ends:%Y-%m-%d}") for pk, section in sections.items()})
    names = Names(
        players=[player_names[pk] for pk in gathered.players.tolist()],
        events=[event_names[pk] for pk in gathered.input.sections.tolist()],
        guests=guests,
        rounds=dict(enumerate(gathered.input.games.round.tolist())),
        abroad=abroad,
        earlier={key: event_names[section] for key, section in earlier.items()},
        penalties=_penalties(gathered.input),
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
            [value for value in history.tolist() if value == value],
        ),
        published=None if published != published else float(published),
        players={player_names[pk]: person.number for pk, person in people.items()},
        events={event_names[pk]: section.event_id for pk, section in sections.items()},
        sections={event_names[pk]: pk for pk in sections},
    )


def told_apart(names: Mapping[int, tuple[str, str]]) -> dict[int, str]:
    """The name of each key, from (name, mark): with its mark, and if need be the key, where several have the name."""
    result = {key: name for key, (name, _) in names.items()}
    for marks in ({key: mark for key, (_, mark) in names.items()}, {key: f"no. {key}" for key in names}):
        times = Counter(result.values())
        result = {key: f"{name} ({marks[key]})" if times[name] > 1 else name for key, name in result.items()}
    return result


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
    """A player's month on a list of another system, event by event, with who and what it names.

    `rating` is unrounded, `published` as the list shows it; `brought` what he comes with from another list, if he is new.
    `refused`: (event, name of the section, why) of what was not rated on the list.
    """

    events: list[EventExplanation]
    rating: float | None
    published: float | None
    brought: float | None
    refused: list[tuple[int, str, str]]
    players: dict[str, str]  # name as shown: Chess SA id


def explain_list_month(period: RatingPeriod, player: int, rating_list: int) -> ListMonthExplanation:
    """The steps of one player's rating on a list of another system at the end of a period, each event from the standings
    that were current then. StopIteration when there is no such list of another system."""
    month = rate_player(read_input(period), rating_list, player)
    sections = Section.objects.select_related("event").in_bulk(
        [*(turn.section for turn in month.turns), *month.refused]
    )
    names = told_apart({pk: (str(section), f"{section.ends:%Y-%m-%d}") for pk, section in sections.items()})
    found = [turn.rated.explain(str(player)) for turn in month.turns]
    people = Player.objects.in_bulk({int(met) for one in found for met in _met(one) if met.isdecimal()})
    player_names = told_apart({pk: (person.name, person.number) for pk, person in people.items()})
    guests = guest_names(player, list(sections))

    def name_of(section: int) -> Callable[[str, object], str]:
        def name(met: str, round_: object) -> str:
            if met.isdecimal():
                return player_names[int(met)]
            return guests.get((section, round_), met)

        return name

    return ListMonthExplanation(
        events=[
            EventExplanation(
                section=turn.section,
                event=sections[turn.section].event_id,
                name=names[turn.section],
                ended=sections[turn.section].ends,
                before=turn.before,
                after=turn.after,
                explanation=with_names(explanation, name_of(turn.section)),
            )
            for turn, explanation in zip(month.turns, found, strict=True)
        ],
        rating=month.place.rating if month.place else None,
        published=month.place.published if month.place else None,
        brought=month.brought,
        refused=[(sections[pk].event_id, names[pk], why) for pk, why in month.refused.items()],
        players={player_names[pk]: person.number for pk, person in people.items()},
    )


def _met(explanation: Explanation) -> Iterable[str]:
    return (
        cell.value
        for step in explanation.steps
        for row in step.rows
        for cell in row
        if cell.label == "Opponent" and isinstance(cell.value, str)
    )


def with_names(explanation: Explanation, name: Callable[[str, object], str]) -> Explanation:
    """The same with every opponent by `name(as it stands, round)`."""

    def row(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        round_ = next((cell.value for cell in cells if cell.label == "Round"), None)
        return tuple(
            replace(cell, value=name(cell.value, round_))
            if cell.label == "Opponent" and isinstance(cell.value, str)
            else cell
            for cell in cells
        )

    return replace(
        explanation,
        steps=tuple(replace(step, rows=tuple(row(cells) for cells in step.rows)) for step in explanation.steps),
    )


def guest_names(player: int, sections: list[int]) -> dict[tuple[int, object], str]:
    """The names of opponents abroad, by section and round."""
    rows = Game.objects.filter(section__in=sections, guest__isnull=False)
    mine = (rows.filter(white=player) | rows.filter(black=player)).values_list("section_id", "round", "guest__name")
    return {(section, round_): name for section, round_, name in mine}


def _earlier(player: int, list_code: str, period: RatingPeriod, ended: list[date]) -> dict[tuple[int, float], int]:
    """The sections of a player's tournaments of published periods before that ended on these days, by day and
    performance."""
    runs = RatingPeriod.objects.filter(month__lt=period.month, publication__isnull=False).values("publication__run")
    rows = Performance.objects.filter(
        run_id__in=runs, list__code=list_code, player_id=player, section__ends__in=ended, performance__isnull=False
    ).values_list("section__ends", as_float("performance"), "section_id")
    return {(day(on), performance): section for on, performance, section in rows}


def _penalties(found: PeriodInput) -> list[tuple[int, str]]:
    """Round and kind of each penalty, in the order of the columns."""
    rows = Penalty.objects.filter(section__in=found.sections.tolist(), player__in={row[1] for row in found.penalties})
    kinds = {
        (section, player, round_): Penalty.Kind(kind).label
        for section, player, round_, kind in rows.values_list("section_id", "player_id", "round", "kind")
    }
    sections = found.sections.tolist()
    return [(round_, kinds[sections[place], player, round_]) for place, player, round_, _ in found.penalties]


def _guests(player: int, sections: list[int], games: Games) -> tuple[dict[int, str], dict[int, Abroad]]:
    """The names of opponents abroad and what rating they brought, by row of their game."""
    rows = Game.objects.filter(section__in=sections, guest__isnull=False)
    mine = (rows.filter(white=player) | rows.filter(black=player)).values_list(
        "section_id", "round", "guest__name", "guest__fide_rating", "guest__performance"
    )
    met = {(section, round_): (name, fide, performance) for section, round_, name, fide, performance in mine}
    names: dict[int, str] = {}
    brought: dict[int, Abroad] = {}
    for row, (event, round_) in enumerate(zip(games.event.tolist(), games.round.tolist(), strict=True)):
        if (sections[event], round_) not in met:
            continue
        name, fide, performance = met[sections[event], round_]
        names[row] = name
        rating = performance if fide is None else fide
        if rating is not None:
            brought[row] = Abroad(float(rating), fide is not None)
    return names, brought
