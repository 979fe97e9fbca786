"""What every calculator's form has: groups of fields, a table of games, a case made of them, a link that keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.forms import BoundField
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.forms import RESULTS, CountField, PlainChoice, ShownErrors
from config.lib.parsing import whole_number
from ratings.calculators.fields import FIRST_ROWS, MORE_ROWS, MOST_GAMES, PLAYER, PlayedGame, RatingField, ShownRow
from ratings.calculators.parts import Part
from ratings.cases.fields import CaseError
from ratings.systems.base import RatingError

NO_GAMES = _("Enter at least one game: an opponent and a result.")


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields under a heading. `rare`: shown on demand, `open`: because something was entered."""

    heading: Any
    fields: list[BoundField]
    rare: bool
    open: bool


class CalculatorForm(ShownErrors, forms.Form):
    """A player, an event, up to thirty games. A row is the opponent's rating `o`, and the result `r`, with its number."""

    SYSTEM: str
    GROUPS: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]]
    RARE: ClassVar[tuple[Any, ...]] = ()  # headings of groups that most entries do not need
    NAMES: ClassVar[tuple[str, ...]] = ("o", "r")
    LOWEST: ClassVar[int] = -500
    WHOLE: ClassVar[bool] = False
    STARTS: ClassVar[frozenset[str]] = frozenset({"n"})  # fields that alone are not yet an entry to be checked
    fact_columns: ClassVar[tuple[Any, ...]] = ()  # headings of what cannot be changed, before the fields
    ROWS_FIXED: ClassVar[bool] = False  # no row can be added or taken away

    n = CountField(lowest=1, highest=MOST_GAMES, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", **options)
        self.row_count = self._row_count()
        for number in range(1, self.row_count + 1):
            for name, field in self.row_fields(number).items():
                field.widget.attrs["aria-label"] = field.label
                self.fields[f"{name}{number}"] = field
        self.games: list[PlayedGame] = []

    def row_fields(self, number: int) -> dict[str, forms.Field]:
        """Return the fields of a row, by the first letter of their names."""
        rating = RatingField(
            label=gettext("Opponent’s rating, game %(number)s") % {"number": number},
            lowest=self.LOWEST,
            whole=self.WHOLE,
        )
        return {
            "o": rating,
            "r": PlainChoice(label=gettext("Result, game %(number)s") % {"number": number}, choices=RESULTS),
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings of the table of games, one for each of `NAMES`."""
        return (gettext("Opponent’s rating"), gettext("Result"))

    @property
    def rows(self) -> list[ShownRow]:
        """The table of games."""
        return [self.shown_row(number) for number in range(1, self.row_count + 1)]

    def shown_row(self, number: int) -> ShownRow:
        """Return a row of the table."""
        return ShownRow(number, self.cells(number))

    def cells(self, number: int) -> tuple[tuple[BoundField, str], ...]:
        """Return the fields of a row with their headings."""
        return tuple((self[f"{name}{number}"], column) for name, column in zip(self.NAMES, self.columns, strict=True))

    @property
    def groups(self) -> list[FieldGroup]:
        """The fields beside the games, under their headings."""
        return [
            FieldGroup(heading, fields, heading in self.RARE, any(self.data.get(field.name) for field in fields))
            for heading, names in self.GROUPS
            if (fields := [self[name] for name in names if name in self.fields and not self[name].is_hidden])
        ]

    @property
    def entered(self) -> bool:
        """Whether there is an entry to be checked, and not only something to start from."""
        return any(name not in self.STARTS for name in self.fields if str(self.data.get(name, "")).strip())

    def leave_unchecked(self) -> None:
        """Show what is there without asking for the rest: nothing has been entered yet."""
        self.is_bound = False
        self.initial = {name: self.data[name] for name in self.fields if name in self.data}

    @property
    def more_rows(self) -> int | None:
        """How many rows the table has after asking for more; None when it is full."""
        return min(self.row_count + MORE_ROWS, MOST_GAMES) if self.row_count < MOST_GAMES else None

    @property
    def problems(self) -> list[tuple[str, str]]:
        """(id of the field or empty, message) of all errors, in the order of the page."""
        listed = [
            (self[name].id_for_label or "", self._named(name, str(error)))
            for name in self.fields
            if name in self.errors
            for error in self.errors[name]
        ]
        return [("", str(error)) for error in self.non_field_errors()] + listed

    def _named(self, name: str, error: str) -> str:
        """Return a message that names its field, unless it speaks of its game or of all games."""
        number = name.lstrip("abcdefghijklmnopqrstuvwxyz")
        if error == str(NO_GAMES) or (number and gettext("game %(number)s") % {"number": number} in error):
            return error
        label = str(self.fields[name].label)
        return f"{label if number else label.partition(',')[0]}: {error[:1].lower()}{error[1:]}"

    def link(self) -> str:
        """Return the entry as a query string: what was filled in, in the order of the form."""
        return urlencode(self._filled())

    def link_without(self, number: int) -> str:
        """Return the entry without a row, as a query string: the rows below it move up, and the table is a row shorter."""
        moved = {
            f"{name}{row}": f"{name}{row - 1}" for name in self.NAMES for row in range(number + 1, self.row_count + 1)
        }
        taken = {"n", *(f"{name}{number}" for name in self.NAMES)}
        rows = max(self.row_count - 1, 1)
        kept = [("n", str(rows))] if rows != FIRST_ROWS else []
        return urlencode(kept + [(moved.get(name, name), value) for name, value in self._filled() if name not in taken])

    def _filled(self) -> list[tuple[str, str]]:
        entry = [(name, str(self.data.get(name, "")).strip()) for name in self.fields]
        return [(name, value) for name, value in entry if value and (name, value) != ("n", str(FIRST_ROWS))]

    def clean(self) -> dict[str, Any]:
        """Check the rows, each by its number."""
        cleaned = super().clean() or self.cleaned_data
        for number in range(1, self.row_count + 1):
            self._clean_row(number, cleaned)
        if not self.games and not self.errors:
            self.add_error(self.opponent_field(1), NO_GAMES)
        return cleaned

    def opponent_field(self, number: int) -> str:
        """Return the field of a row that names the opponent."""
        return f"{self.NAMES[0]}{number}"

    def _clean_row(self, number: int, cleaned: dict[str, Any]) -> None:
        if any(f"{name}{number}" in self.errors for name in self.NAMES):
            return
        game = self.played(number, cleaned)
        if not game.result and not self.has_opponent(game):
            return
        if not self.has_opponent(game):
            self.add_error(
                self.opponent_field(number), gettext("Enter the opponent of game %(number)s.") % {"number": number}
            )
        elif not game.result:
            self.add_error(f"r{number}", gettext("Choose the result of game %(number)s.") % {"number": number})
        else:
            self.games.append(game)

    def played(self, number: int, cleaned: dict[str, Any]) -> PlayedGame:
        """Return a row as it was filled in."""
        return PlayedGame(number, cleaned.get(f"o{number}"), cleaned.get(f"r{number}", ""))

    def has_opponent(self, game: PlayedGame) -> bool:
        """Return whether a row names an opponent."""
        return game.rating is not None

    def case(self) -> dict[str, Any]:
        """Return the rating case of a valid entry."""
        return {
            "id": f"{self.SYSTEM}-calculator",
            "system": self.SYSTEM,
            **self.terms(),
            "players": [{"id": PLAYER, **self.standing()}],
            "events": [
                {
                    "id": "event",
                    "games": [
                        {"round": place, **game.in_case(PLAYER, {"rating": game.rating})}
                        for place, game in enumerate(self.games, start=1)
                    ],
                }
            ],
        }

    def answer(self, *, full: bool = False) -> Sequence[Part]:
        """What a valid entry comes to; `full`: figures unrounded. CaseError or RatingError for what the system refuses."""
        raise NotImplementedError

    def standing(self) -> dict[str, Any]:
        """Return the player's fields of the case."""
        raise NotImplementedError

    def terms(self) -> dict[str, Any]:
        """Rules and options of the case."""
        raise NotImplementedError

    def refuse(self, error: CaseError | RatingError) -> None:
        """Show what the calculation refused, at the game that it names where it names one."""
        place = error.place if isinstance(error, CaseError) else ""
        message = f"{formatting.sentence(error.message)}."
        _, in_games, rest = place.partition(".games[")
        index = int(rest.partition("]")[0]) if in_games else None
        if index is not None and index < len(self.games):
            self.add_error(self.opponent_field(self.games[index].number), message)
        else:
            self.add_error(None, message)

    def _row_count(self) -> int:
        count = whole_number(str(self.data.get("n", "")), digits=3) or FIRST_ROWS
        filled = [
            number
            for number in range(1, MOST_GAMES + 1)
            if any(str(self.data.get(f"{name}{number}", "")).strip() for name in self.NAMES)
        ]
        return min(max([count, *filled]), MOST_GAMES)


def without_empty(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values that are neither None nor an empty text."""
    return {name: value for name, value in values.items() if value not in (None, "")}
