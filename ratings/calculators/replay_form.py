"""The form of a published section that is played again on a list of another system: only the player's results change."""

from functools import cached_property
from typing import Any

from django import forms
from django.http import Http404
from django.utils.http import urlencode

from config.lib import formatting
from config.lib.forms import RESULTS, PlainChoice
from ratings.calculators.base_form import CalculatorForm
from ratings.calculators.fields import MOST_GAMES, PlayedGame, ShownRow
from ratings.calculators.replay import Again, OwnGame, section_again
from ratings.systems.adapters import ADAPTERS, Rated
from ratings.systems.base import Opponent


class AgainForm(CalculatorForm):
    """A player's games of a section. A result `r` that the address does not have is the one that was played."""

    SYSTEM = ""
    GROUPS = ()
    NAMES = ("r",)

    list = forms.CharField(required=False, widget=forms.HiddenInput)
    player = forms.CharField(required=False, widget=forms.HiddenInput)
    section = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, again: Again, data: dict[str, str]) -> None:
        self.again = again
        self.as_played = {f"r{number}": game.result for number, game in enumerate(again.games, start=1)}
        start = {"list": again.listing.code, "player": again.player.number, "section": str(again.section.pk)}
        given = {name: value for name, value in data.items() if name in self.as_played and value.strip()}
        super().__init__(self.as_played | given | start)
        self.SYSTEM = again.listing.system

    def _row_count(self) -> int:
        return len(self.again.games)

    def row_fields(self, number: int) -> dict[str, forms.Field]:
        """The result alone."""
        return {"r": PlainChoice(label=f"Result, game {number}", choices=RESULTS[1:])}

    @property
    def columns(self) -> tuple[str, ...]:
        """The heading of what can be changed."""
        return ("Result",)

    @property
    def fact_columns(self) -> tuple[str, ...]:
        """The headings of what stands as it was."""
        return ("Opponent", "Rating")

    @property
    def more_rows(self) -> None:
        """There are no other games."""

    def shown_row(self, number: int) -> ShownRow:
        """A game with its opponent, his rating before the event, and its result."""
        again, game = self.again, self.again.games[number - 1]
        met = self._met(game)
        person = again.people.get(str(game.opponent))
        rating = game.opponent.rating if isinstance(game.opponent, Opponent) else again.shown.get(game.opponent)
        shown = "unrated" if rating is None else again.listing.rating(rating)
        facts = (("Opponent", met, f"/players/{person.number}/" if person else ""), ("Rating", shown, ""))
        return ShownRow(number, self.cells(number), facts=facts)

    @property
    def own(self) -> Any:
        """Whose event it was."""
        return self.again.player

    @property
    def own_text(self) -> str:
        """What is played again, in sentences."""
        before = self.again.shown.get(self.again.id)
        stood = "without a rating" if before is None else f"from {self.again.listing.rating(before)}"
        return f"Everybody else’s games stand as they were; on the {self.again.listing.name} list the player starts {stood}."

    @property
    def replay_name(self) -> str:
        """The section."""
        return str(self.again.section)

    @property
    def replay_link(self) -> str:
        """The page of its event."""
        return f"/events/{self.again.section.event_id}/"

    @property
    def help_on_games(self) -> str:
        """What can be changed, and what follows from it."""
        return (
            "Change a result: the whole section is rated again by the rules of the list, with the other side’s result changed"
            " too. Ratings are those before the event."
        )

    @property
    def free_entry(self) -> str:
        """The same games as an entry of one's own, against opponents with fixed ratings; empty where they are too many."""
        again = self.again
        if len(again.games) > MOST_GAMES or again.section.period is None:
            return ""
        entry = {"list": again.listing.code, "player": again.player.number, "at": f"{again.section.period.month:%Y-%m}"}
        for number, game in enumerate(again.games, start=1):
            person = again.people.get(str(game.opponent))
            if person:
                entry[f"p{number}"] = person.number
            elif isinstance(game.opponent, Opponent):
                entry[f"o{number}"] = f"{game.opponent.rating:g}"
            entry[f"r{number}"] = str(self.data[f"r{number}"])
        return urlencode(entry)

    def _met(self, game: OwnGame) -> str:
        return self.again.name("guest" if isinstance(game.opponent, Opponent) else game.opponent, game.round)

    def link(self) -> str:
        """The entry as a query string: what is played again, and the results that are not as they were played."""
        return urlencode(
            [
                (name, value)
                for name in self.fields
                if (value := self.data.get(name)) and value != self.as_played.get(name)
            ]
        )

    def played(self, number: int, cleaned: dict[str, Any]) -> PlayedGame:
        """A game with the result that is to be."""
        return PlayedGame(number, None, cleaned.get(f"r{number}", ""))

    def has_opponent(self, game: PlayedGame) -> bool:
        """Every game has one."""
        return True

    @cached_property
    def rated(self) -> Rated:
        """The section rated again, of a valid entry. RatingError when it cannot be rated so."""
        return self.again.rate([game.result for game in self.games])

    @property
    def player_id(self) -> str:
        """The player in the calculation."""
        return self.again.id

    def standing(self) -> dict[str, Any]:
        """Where the player stood."""
        return ADAPTERS[self.SYSTEM].public_json(self.again.rated.before[self.again.id], self.again.rated.edition)

    def case(self) -> dict[str, Any]:
        """The section as a case."""
        return self.again.case([game.result for game in self.games])

    def keys(self) -> dict[str, str]:
        """The rating before and after, and what was published."""
        again, listing = self.again, self.again.listing
        before, after, as_it_was = again.shown[again.id], again.after(self.rated), again.after(again.rated)
        keys = {f"{listing.name} before": "unrated" if before is None else listing.rating(before)}
        keys[f"{listing.name} after"] = _moved(listing, before, after)
        keys["As it was played"] = _moved(listing, before, as_it_was)
        if again.section.period is not None and again.published is not None:
            day = formatting.day(again.section.period.calculated_on)
            keys[f"Published on {day}, after all events of the month"] = listing.rating(again.published)
        return keys


def again_form(system: str, asked: dict[str, str]) -> AgainForm:
    """The form of an address that names a section. Http404 where that cannot be played again."""
    again = section_again(system, asked.get("list", ""), asked.get("player", "").strip(), asked["section"])
    if again is None or not again.games:
        raise Http404("This player has no games in a published section of this number on such a list.")
    return AgainForm(again, asked)


def _moved(listing: Any, before: float | None, after: float | None) -> str:
    if after is None:
        return "unrated"
    change = "" if before is None else f" ({listing.change(after - before)})"
    return f"{listing.rating(after)}{change}"
