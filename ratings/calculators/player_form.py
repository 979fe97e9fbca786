"""The part of a calculator's form for players on the register: the one to calculate for, and opponents."""

from collections.abc import Collection
from datetime import date
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.forms import LineField, PlainChoice
from players.identity import CHESS_SA_ID
from players.merged import leading_on
from ratings.calculators.base_form import CalculatorForm
from ratings.calculators.fields import PlayedGame, ShownRow
from ratings.calculators.players import latest_day
from ratings.lists.queries import Publication, publications

_NUMBER = RegexValidator(rf"^{CHESS_SA_ID}\Z", _("Enter a Chess SA id of nine digits."))


def number_field(label: Any, **options: Any) -> LineField:
    """Return a field for a Chess SA id; with script, players are suggested by name."""
    widget = forms.TextInput(
        attrs={"inputmode": "search", "autocomplete": "off", "spellcheck": "false", "data-player": ""}
    )
    return LineField(label=label, required=False, max_length=80, validators=[_NUMBER], widget=widget, **options)


class PeopleForm(CalculatorForm):
    """A form in which the player, and the opponents by field `p` of their rows, may be on the register.

    Ratings of players on the register are taken from the lists.
    """

    STARTS: ClassVar[frozenset[str]] = frozenset({"n", "player", "at"})

    at = PlainChoice(
        label=_("Ratings at the start"), help_text=_("Those of this list count, for you and your opponents.")
    )
    player = number_field(_("Chess SA id"))

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.published: list[Publication] = publications()
        self.latest, choices = self._months()
        field = self.fields.get("at")
        if isinstance(field, forms.ChoiceField):
            field.choices = [
                ("", gettext("the latest list")),
                *((f"{day:%Y-%m}", text) for day, text in choices.items()),
            ]
        self._known_months = {f"{day:%Y-%m}": day for day in choices}

    def _months(self) -> tuple[date, dict[date, str]]:
        """Return the latest list's day, and the texts of the days to choose from: one before any list, and each list's."""
        days = [publication.day for publication in self.published]
        latest = latest_day(self.published)
        first = self.published[-1].month if self.published else latest
        texts = {day: formatting.long_day(day) for day in days} | {
            first: gettext("%(day)s, before any list") % {"day": formatting.long_day(first)}
        }
        return latest, texts

    @property
    def list_code(self) -> str:
        """The list whose ratings are suggested with players; "" for the national lists."""
        return ""

    @property
    def month(self) -> date:
        """The day of the chosen list, with which a rating period begins; of the latest list if none is chosen."""
        return self._known_months.get(str(self.data.get("at", "")), self.latest)

    def find(self, numbers: Collection[str], own: str) -> dict[str, Any]:
        """Return the players on the register by number, with what this calculator needs. `own`: number of the player."""
        raise NotImplementedError

    @cached_property
    def known(self) -> dict[str, Any]:
        """The players of the entry who are on the register, by number."""
        own = str(self.data.get("player", "")).strip()
        numbers = [own] + [str(self.data.get(f"p{number}", "")).strip() for number in range(1, self.row_count + 1)]
        players = self.find([number for number in numbers if number], own)
        led = leading_on({*numbers} - players.keys())
        if led:
            players = self.find([led.get(number, number) for number in numbers if number], led.get(own, own))
        return players | {old: players[new] for old, new in led.items() if new in players}

    @property
    def own(self) -> Any:
        """The player to calculate for, if on the register."""
        return self.known.get(str(self.data.get("player", "")).strip())

    def shown_row(self, number: int) -> ShownRow:
        """Return a row with the name of an opponent on the register."""
        known = self.known.get(str(self.data.get(f"p{number}", "")).strip())
        if known is None:
            return ShownRow(number, self.cells(number))
        self.place_opponent(number, known)
        return ShownRow(number, self.cells(number), known.name, f"/players/{known.number}/")

    def place_opponent(self, number: int, known: Any) -> None:
        """Show the ratings of an opponent on the register as placeholders in a row."""
        raise NotImplementedError

    def clean_player(self) -> str:
        """Check that the number is on the register."""
        number: str = self.cleaned_data["player"]
        if number and number not in self.known:
            raise forms.ValidationError(
                gettext("Nobody on the register has the number %(number)s.") % {"number": number}
            )
        return self.known[number].number if number else number

    def _clean_row(self, number: int, cleaned: dict[str, Any]) -> None:
        opponent = cleaned.get(f"p{number}")
        if opponent and opponent not in self.known:
            self.add_error(
                f"p{number}", gettext("Nobody on the register has the number %(number)s.") % {"number": opponent}
            )
        elif opponent:
            cleaned[f"p{number}"] = self.known[opponent].number
            if cleaned[f"p{number}"] == cleaned.get("player"):
                self.add_error(f"p{number}", gettext("Nobody plays against himself."))
        super()._clean_row(number, cleaned)

    def has_opponent(self, game: PlayedGame) -> bool:
        """Return whether the row has a number or a rating."""
        return bool(game.opponent) or game.rating is not None

    def opponent_name(self, game: PlayedGame) -> str:
        """Return the opponent's name in the explanation."""
        return self.known[game.opponent].name if game.opponent else f"opponent in game {game.number}"
