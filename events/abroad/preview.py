"""What results from abroad would do to a rating: the calculator's own answer, from the published lists."""

from dataclasses import dataclass
from datetime import date, timedelta

from config.lib import formatting
from config.lib.days import next_month
from config.lib.forms import BLACK, WHITE
from events.rules.abroad import GameAbroad, ResultsAbroad
from events.rules.game_result import PLAYED
from players.models import Player
from ratings.calculators.chessa_form import ChessaForm
from ratings.calculators.players import result_of
from ratings.calculators.results import Part, calculate
from ratings.systems import chessa


@dataclass(frozen=True, slots=True)
class Preview:
    """The answer on each list that the games update; `day` of the list that it starts from, `link` to every step of it."""

    parts: list[Part]
    day: str
    link: str


def preview(player: Player, results: ResultsAbroad) -> Preview | None:
    """The calculator's answer to results that have no problems. None where the calculator refuses them."""
    form = ChessaForm(entry(player, results))
    if form.is_valid() and form.games:
        return Preview(calculate(form), formatting.day(form.latest), form.link())
    return None


def entry(player: Player, results: ResultsAbroad) -> dict[str, str]:
    """Results as the Chess SA calculator takes them: opponents at their adjusted ratings, from the latest list."""
    month = ChessaForm().latest
    ends = min(results.ends or month, next_month(month) - timedelta(days=1))
    found = {"player": player.number, "b": str(results.base), "i": str(results.increment), "e": ends.isoformat()}
    played = [game for game in results.games if game.result in PLAYED]
    for place, game in enumerate(played, start=1):
        found |= {
            f"o{place}": repr(adjusted(game, next_month(month))),
            f"c{place}": WHITE if game.white else BLACK,
            f"r{place}": result_of(game.result, game.white),
        }
    return found | {"n": str(max(len(played), 1))}


def adjusted(game: GameAbroad, calculated_on: date) -> float:
    """What an opponent counts at (articles 44, 45)."""
    return chessa.adjusted_fide(float(game.rating or 0), chessa.edition_for(calculated_on))


def adjusted_texts(results: ResultsAbroad, *, today: date) -> dict[int, str]:
    """What the opponents count at, in words, by round; rounds without a game are not rated (article 46)."""
    calculated_on = next_month((results.ends or today).replace(day=1))
    return {
        game.round: f"counts {formatting.rating(adjusted(game, calculated_on))}"
        if game.result in PLAYED
        else "not rated"
        for game in results.games
        if game.result not in PLAYED or game.rating is not None
    }
