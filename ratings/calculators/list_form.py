"""The form of a system that rates one event after the other, with the bureau's own lists of that system."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.days import months_back
from config.lib.editions import Edition, EditionError, edition_from, edition_on
from config.lib.forms import PlainChoice
from ratings.calculators.fields import PlayedGame
from ratings.calculators.list_players import Member, lists_of, members
from ratings.calculators.parts import Part
from ratings.calculators.player_form import PeopleForm, number_field
from ratings.calculators.results import PARTS, Opponents, RatedEvent, rate_case
from ratings.calculators.suggestions import NO_LIST
from ratings.explanations.queries import distinct_names
from ratings.models import RatingList
from ratings.runs.inputs import published_run_id
from ratings.systems.base import CellKind

OTHERWISE = "otherwise"  # a choice that was the empty one, where the empty one is what the list says
_ON_LIST = _("Takes what the rating stands on from the list; what you enter below takes its place.")
_NO_LIST = _("No list of this system is published here: the number gives the name alone. Enter the ratings yourself.")


class ListedForm(PeopleForm):
    """A calculator whose rules are chosen by name, or by the day of the event, and whose players may be picked from a list.

    `AS_LISTED`: a choice of the player's, and its first line where there is a list to fill it.
    """

    STARTS = PeopleForm.STARTS | {"list", "on", "ed"}
    NAMES = ("p", "o", "r")
    EDITIONS: ClassVar[tuple[Edition, ...]]
    AS_LISTED: ClassVar[tuple[str, Any]] = ("", "")

    list = PlainChoice(label=_("Rating list"))

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.state_figures(self.edition_today)
        self.lists = lists_of(self.SYSTEM, self.published[0].run) if self.published else []
        player, chosen = self.fields["player"], self.fields["list"]
        player.help_text = _ON_LIST if self.lists else _NO_LIST
        if self.lists:
            assert isinstance(chosen, forms.ChoiceField)  # noqa: S101
            chosen.choices = [(rating_list.code, rating_list.name) for rating_list in self.lists]
            if len(self.lists) == 1:
                chosen.widget = forms.HiddenInput()
            self._offer_as_listed()
        else:
            del self.fields["list"], self.fields["at"]
        for name, value in self.taken.items():
            if not isinstance(self.fields[name].widget, forms.Select):
                self.fields[name].widget.attrs["placeholder"] = rating_text(value)

    @property
    def edition_today(self) -> Edition:
        """The rules in force today."""
        return edition_from(self.EDITIONS, timezone.localdate())

    def state_figures(self, edition: Edition) -> None:
        """Write figures of the rules into the texts and limits of the fields that state them."""

    def _offer_as_listed(self) -> None:
        name, first = self.AS_LISTED
        field = self.fields.get(name)
        if isinstance(field, forms.ChoiceField):
            choices = cast("Iterable[tuple[str, str]]", field.choices)
            field.choices = [("", first), *((value or OTHERWISE, label) for value, label in choices)]

    @property
    def month(self) -> date:
        """The day of the list that counts: the chosen one, or else the last that is not after the event."""
        if str(self.data.get("at", "")) in self._known_months or self.given_day is None:
            return super().month
        days = self._known_months.values()
        return max((day for day in days if day <= self.given_day), default=min(days))

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings of the table of games."""
        return (gettext("Opponent"), gettext("Rating"), gettext("Result"))

    def row_fields(self, number: int) -> dict[str, forms.Field]:
        """Return the fields of an opponent, by number or by rating."""
        return {
            "p": number_field(gettext("Opponent’s Chess SA id, game %(number)s") % {"number": number}),
            **super().row_fields(number),
        }

    @property
    def help_on_games(self) -> str:
        """Where an opponent's rating comes from."""
        if self.lists:
            return gettext("An opponent is a Chess SA id, whose rating is then taken from the list, or a rating.")
        return gettext(
            "An opponent is a rating; a Chess SA id beside it gives the name. No list of this system is published here, so"
            " that no rating can be taken from one, and no event of it played again."
        )

    @property
    def list_code(self) -> str:
        """The list whose ratings are suggested with the players."""
        return self.rating_list.code if self.rating_list else NO_LIST

    @property
    def rating_list(self) -> RatingList | None:
        """The list that was chosen, or the first; None where none is published."""
        code = str(self.data.get("list", ""))
        return next((chosen for chosen in self.lists if chosen.code == code), self.lists[0] if self.lists else None)

    @property
    def list_text(self) -> str:
        """The list and its day, in words."""
        if self.rating_list is None:
            return ""
        return gettext("%(name)s list of %(day)s") % {
            "name": self.rating_list.name,
            "day": formatting.long_day(self.month),
        }

    @cached_property
    def given_day(self) -> date | None:
        """The day on which the event ended, as far as it can be read."""
        field = self.fields.get("on")
        try:
            return field.clean(str(self.data.get("on", ""))) if field else None
        except forms.ValidationError:
            return None

    def find(self, numbers: Collection[str], own: str) -> dict[str, Member]:
        """Those of the numbers who are on the register, with where they stand on the list."""
        run = published_run_id(months_back(self.month, 1)) if self.rating_list else None
        return members(numbers, self.rating_list, run, self.given_day or self.month) if numbers else {}

    @cached_property
    def taken(self) -> dict[str, Any]:
        """What the list says of the one who calculates, by field."""
        own: Member | None = self.own
        return {} if own is None or own.standing is None else self.fields_of(own)

    def fields_of(self, own: Member) -> dict[str, Any]:
        """Return a standing on the list by field, without missing values."""
        raise NotImplementedError

    def standing_text(self) -> str:
        """Return the standing that the list gives, in words."""
        raise NotImplementedError

    @property
    def own_text(self) -> str:
        """Where the player stands on the list, in a sentence; empty where the player is not known."""
        if self.own is None:
            return ""
        if not self.rating_list:
            return gettext("No list of this system is published here: enter the rating.")
        standing = self.standing_text() if self.taken else gettext("no rating yet")
        return gettext("On the %(list)s: %(standing)s.") % {"list": self.list_text, "standing": standing}

    def event(self) -> RatedEvent:
        """Return the event of a valid entry, rated. Raises CaseError or RatingError for what the system refuses."""
        opponents = None
        if any(game.opponent for game in self.games):
            names = distinct_names(
                {game.number: (self.opponent_name(game), f"game {game.number}") for game in self.games}
            )
            opponents = Opponents(
                outside={str(index): names[game.number] for index, game in enumerate(self.games)},
                numbers={
                    (CellKind.OUTSIDE, str(index)): game.opponent
                    for index, game in enumerate(self.games)
                    if game.opponent
                },
            )
        return RatedEvent(rate_case(self.case()), self.standing(), len(self.games), opponents=opponents)

    def answer(self, *, full: bool = False) -> Sequence[Part]:
        """Return the answer for the event."""
        return [PARTS[self.SYSTEM](self.event(), full=full)]

    def value(self, name: str) -> Any:
        """Return what was entered in a field, or else what the list says."""
        entered = self.cleaned_data.get(name)
        return self.taken.get(name) if entered in (None, "") else entered

    def place_opponent(self, number: int, known: Member) -> None:
        """His rating, in a field left empty."""
        self.fields[f"o{number}"].widget.attrs["placeholder"] = (
            gettext("no rating") if known.rating is None else rating_text(known.rating)
        )

    def opponent_field(self, number: int) -> str:
        """Return the field of the number if it is given, else that of the rating."""
        return f"{'p' if str(self.data.get(f'p{number}', '')).strip() else 'o'}{number}"

    def played(self, number: int, cleaned: dict[str, Any]) -> PlayedGame:
        """Return a row as it was filled in; a known opponent's rating is that of the list, unless another was entered."""
        opponent = cleaned.get(f"p{number}", "")
        known: Member | None = self.known.get(opponent)
        rating = cleaned.get(f"o{number}")
        if rating is None and known is not None and known.rating is not None:
            rating = float(known.rating)
        return PlayedGame(number, rating, cleaned.get(f"r{number}", ""), opponent=opponent)

    def _clean_row(self, number: int, cleaned: dict[str, Any]) -> None:
        super()._clean_row(number, cleaned)
        if self.games and self.games[-1].number == number and self.games[-1].rating is None:
            game = self.games.pop()
            who = self.known[game.opponent].name
            if self.rating_list:
                problem = gettext(
                    "%(who)s has no rating on the %(list)s: enter one beside the number in game %(number)s."
                )
            else:
                problem = gettext(
                    "No list of this system knows %(who)s: enter the rating beside the number in game %(number)s."
                )
            self.add_error(f"p{number}", problem % {"who": who, "list": self.list_text, "number": number})

    def clean_ed(self) -> str:
        """The edition by name, or by the day; without either that of the list from which a player was picked, or else the
        one in force today."""
        name: str = self.cleaned_data["ed"]
        given = self.cleaned_data.get("on")
        if name:
            return name
        if given is None:
            of_list = self.rating_list.edition if self.rating_list and self.own else ""
            return of_list or self.edition_today.name
        try:
            return edition_on(self.EDITIONS, given).name
        except EditionError as error:
            raise forms.ValidationError(f"{formatting.sentence(str(error))}.") from error


def rating_text(value: Any) -> str:
    """Return a figure of the list as a field shows it while it is empty."""
    if isinstance(value, float) and not value.is_integer():
        return formatting.rating(value, 2)
    return formatting.rating(float(value), 0)
