"""The part of a calculator's form that knows the players on the register: the one who calculates, and his opponents."""

from collections.abc import Collection
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, Protocol

from django import forms
from django.core.validators import RegexValidator

from config.lib import formatting
from config.lib.forms import PlainChoice
from players.identity import CHESS_SA_ID
from ratings.calculators.base_form import CalculatorForm
from ratings.calculators.fields import PlayedGame, ShownRow
from ratings.calculators.players import latest_day
from ratings.lists.queries import Publication, publications

_NUMBER = RegexValidator(rf"^{CHESS_SA_ID}\Z", "Enter a Chess SA number of nine digits.")


class Registered(Protocol):
    """Somebody on the register."""

    @property
    def number(self) -> str:
        """His Chess SA number."""

    @property
    def name(self) -> str:
        """His name."""


def number_field(label: str, **options: Any) -> forms.CharField:
    """A Chess SA number; with script, players are suggested by name."""
    widget = forms.TextInput(
        attrs={"inputmode": "search", "autocomplete": "off", "spellcheck": "false", "data-player": ""}
    )
    return forms.CharField(label=label, required=False, max_length=80, validators=[_NUMBER], widget=widget, **options)


class PeopleForm(CalculatorForm):
    """A player, known or not. A row may name a known opponent by his number `p`; then his rating is taken."""

    STARTS: ClassVar[frozenset[str]] = frozenset({"n", "player", "at"})

    at = PlainChoice(label="Ratings at the start", help_text="Those of this list count, for you and your opponents.")
    player = number_field("Chess SA number")

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.published: list[Publication] = publications()
        self.latest, choices = self._months()
        field = self.fields.get("at")
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", "the latest list"), *((f"{day:%Y-%m}", text) for day, text in choices.items())]
        self._known_months = {f"{day:%Y-%m}": day for day in choices}

    def _months(self) -> tuple[date, dict[date, str]]:
        """The day of the latest list, and the days that can be chosen: that of each list, and the one before any."""
        days = [publication.day for publication in self.published]
        latest = latest_day(self.published)
        first = self.published[-1].month if self.published else latest
        texts = {day: formatting.long_day(day) for day in days} | {
            first: f"{formatting.long_day(first)}, before any list"
        }
        return latest, texts

    @property
    def list_code(self) -> str:
        """The list whose ratings are suggested with the players; empty for the regulations' lists."""
        return ""

    @property
    def month(self) -> date:
        """The day of the list that counts, with which a rating period begins, as far as it can be read."""
        return self._known_months.get(str(self.data.get("at", "")), self.latest)

    def find(self, numbers: Collection[str], own: str) -> dict[str, Any]:
        """Those of the numbers who are on the register, with what this calculator must know of them."""
        raise NotImplementedError

    @cached_property
    def known(self) -> dict[str, Any]:
        """The players of the entry who are on the register."""
        own = str(self.data.get("player", "")).strip()
        numbers = [own] + [str(self.data.get(f"p{number}", "")).strip() for number in range(1, self.row_count + 1)]
        return self.find([number for number in numbers if number], own)

    @property
    def own(self) -> Any:
        """Who calculates, if he is on the register."""
        return self.known.get(str(self.data.get("player", "")).strip())

    def shown_row(self, number: int) -> ShownRow:
        """A row, with what is known of its opponent."""
        known: Registered | None = self.known.get(str(self.data.get(f"p{number}", "")).strip())
        if known is None:
            return ShownRow(number, self.cells(number))
        self.place_opponent(number, known)
        return ShownRow(number, self.cells(number), known.name, f"/players/{known.number}/")

    def place_opponent(self, number: int, known: Any) -> None:
        """Show in the row of a known opponent what the lists say."""
        raise NotImplementedError

    def clean_player(self) -> str:
        """A number on the register."""
        number: str = self.cleaned_data["player"]
        if number and number not in self.known:
            raise forms.ValidationError(f"Nobody on the register has the number {number}.")
        return number

    def _clean_row(self, number: int, cleaned: dict[str, Any]) -> None:
        opponent = cleaned.get(f"p{number}")
        if opponent and opponent not in self.known:
            self.add_error(f"p{number}", f"Nobody on the register has the number {opponent}.")
        elif opponent and opponent == cleaned.get("player"):
            self.add_error(f"p{number}", "Nobody plays against himself.")
        super()._clean_row(number, cleaned)

    def has_opponent(self, game: PlayedGame) -> bool:
        """By number, or by rating."""
        return bool(game.opponent) or game.rating is not None

    def opponent_name(self, game: PlayedGame) -> str:
        """What an opponent is called in the explanation."""
        return self.known[game.opponent].name if game.opponent else f"opponent in game {game.number}"
