"""Why a player's rating of a month is what it is: the calculation's own columns, made again for him alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from events.models import Game, Section
from players.models import Player
from ratings.exports import raw_history
from ratings.gather import Games, gather_player, read_input
from ratings.models import RatingPeriod
from ratings.sequences import rate_player
from ratings.systems import chessa
from ratings.systems.base import Cell, Explanation
from ratings.systems.chessa_columns import LISTS
from ratings.systems.explanations.chessa import Names, explain


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
    gathered = gather_player(period, player)
    result = chessa.rate(gathered.columns, gathered.input.edition)
    row = gathered.players.tolist().index(player)
    list_index = LISTS.index(list_code)
    people = Player.objects.in_bulk(gathered.players.tolist())
    sections = Section.objects.select_related("event").in_bulk(gathered.input.sections.tolist())
    player_names = told_apart({pk: (person.name, person.number) for pk, person in people.items()})
    event_names = told_apart({pk: (str(section), f"{section.ends:%Y-%m-%d}") for pk, section in sections.items()})
    names = Names(
        players=[player_names[pk] for pk in gathered.players.tolist()],
        events=[event_names[pk] for pk in gathered.input.sections.tolist()],
        guests=_guests(player, gathered.input.sections.tolist(), gathered.input.games),
        rounds=dict(enumerate(gathered.input.games.round.tolist())),
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
    guests = _guest_names(player, list(sections))

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
                explanation=_with_names(explanation, name_of(turn.section)),
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


def _with_names(explanation: Explanation, name: Callable[[str, object], str]) -> Explanation:
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


def _guest_names(player: int, sections: list[int]) -> dict[tuple[int, object], str]:
    """The names of opponents abroad, by section and round."""
    rows = Game.objects.filter(section__in=sections, guest__isnull=False)
    mine = (rows.filter(white=player) | rows.filter(black=player)).values_list("section_id", "round", "guest__name")
    return {(section, round_): name for section, round_, name in mine}


def _guests(player: int, sections: list[int], games: Games) -> dict[int, str]:
    """The names of opponents abroad, by row of their game."""
    named = _guest_names(player, sections)
    if not named:
        return {}
    return {
        row: named[sections[event], round_]
        for row, (event, round_) in enumerate(zip(games.event.tolist(), games.round.tolist(), strict=True))
        if (sections[event], round_) in named
    }
