"""Why a player's rating of a month is what it is: the calculation's own columns, made again for him alone."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from events.models import Game, Section
from players.models import Player
from ratings.exports import raw_history
from ratings.gather import Games, gather_player
from ratings.models import RatingPeriod
from ratings.systems import chessa
from ratings.systems.base import Explanation
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


def _guests(player: int, sections: list[int], games: Games) -> dict[int, str]:
    """The names of opponents abroad, by row of their game."""
    rows = Game.objects.filter(section__in=sections, guest__isnull=False)
    named = {
        (section, round_): name
        for section, round_, name in (rows.filter(white=player) | rows.filter(black=player)).values_list(
            "section_id", "round", "guest__name"
        )
    }
    if not named:
        return {}
    return {
        row: named[sections[event], round_]
        for row, (event, round_) in enumerate(zip(games.event.tolist(), games.round.tolist(), strict=True))
        if (sections[event], round_) in named
    }
