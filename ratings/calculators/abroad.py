"""Previews what results from abroad would do to a player's ratings, from the latest published lists."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.http import urlencode
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.days import next_month
from config.lib.forms import BLACK, WHITE
from events.rules.abroad import GameAbroad, ResultsAbroad
from events.rules.game_result import PLAYED
from ratings.calculators.chessa_results import ChessaEvent, ChessaGame, rate_event
from ratings.calculators.fields import FIRST_ROWS, PlayedGame
from ratings.calculators.parts import Part
from ratings.calculators.players import known_players, latest_day, result_of
from ratings.lists.queries import publications
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS


@dataclass(frozen=True, slots=True)
class Preview:
    """The answer for each list that the games update. `day`: of the list at its start; `link`: the calculator's entry."""

    parts: list[Part]
    day: str
    link: str


def preview(number: str, results: ResultsAbroad) -> Preview | None:
    """Return what valid results do to the ratings of a player, as if they were the only ones of the month.

    None if there is nothing to rate: no such player, no game played, or too fast games (article 23).
    """
    month = latest_day(publications())
    event = _event(number, results, month)
    if event is None or not event.games or event.list_codes[1] not in LISTS:
        return None
    return Preview(rate_event(event), formatting.day(month), urlencode(_entry(number, event)))


def _event(number: str, results: ResultsAbroad, month: date) -> ChessaEvent | None:
    """Return the results as an event of the period `month`, with the opponents' adjusted ratings."""
    player = known_players([number], month, own=number).get(number)
    if player is None or results.base is None:
        return None
    calculated_on = next_month(month)
    games = []
    for row, game in enumerate((game for game in results.games if game.result in PLAYED), start=1):
        rating = adjusted_rating(game, calculated_on)
        colour, result = WHITE if game.white else BLACK, result_of(game.result, game.white)
        played = PlayedGame(row, rating, result, colour)
        games.append(
            ChessaGame(played, dict.fromkeys(LISTS, rating), gettext("opponent in game %(number)s") % {"number": row})
        )
    return ChessaEvent(
        month=month,
        base=results.base,
        increment=results.increment,
        ended=min(results.ends or month, calculated_on - timedelta(days=1)),
        lists=player.lists,
        games=tuple(games),
        player=player.name,
        known_on=player.rated_on,
    )


def _entry(number: str, event: ChessaEvent) -> dict[str, str]:
    entry = {"n": str(len(event.games))} if len(event.games) != FIRST_ROWS else {}
    entry |= {"b": str(event.base), "i": str(event.increment), "e": event.ended.isoformat(), "player": number}
    for game in event.games:
        row = game.played.number
        entry |= {f"o{row}": repr(game.played.rating), f"c{row}": game.played.colour, f"r{row}": game.played.result}
    return entry


def adjusted_rating(game: GameAbroad, calculated_on: date) -> float:
    """Return an opponent's adjusted rating in the period that is calculated on a day (articles 44, 45)."""
    return chessa.adjusted_fide(float(game.rating or 0), chessa.edition_for(calculated_on))


def adjusted_texts(results: ResultsAbroad, *, today: date) -> dict[int, str]:
    """Return round → adjusted rating of the opponent in words; rounds without a game are not rated (article 46)."""
    calculated_on = next_month((results.ends or today).replace(day=1))
    return {
        game.round: gettext("counts %(rating)s") % {"rating": formatting.rating(adjusted_rating(game, calculated_on))}
        if game.result in PLAYED
        else gettext("not rated")
        for game in results.games
        if game.result not in PLAYED or game.rating is not None
    }
