"""The form of the Chess SA calculator: one event on Main and on the list of its type of game."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.days import next_month
from config.lib.editions import Edition
from config.lib.forms import COLOURS, CountField, DayField, PlainChoice
from config.lib.parsing import whole_number
from events.models import Section
from events.rules.time_controls import type_of_game
from ratings.calculators.chessa_results import LIST_NAMES, MAIN, ChessaEvent, ChessaGame, rate_event
from ratings.calculators.fields import PlayedGame, RatingField
from ratings.calculators.parts import Part
from ratings.calculators.player_form import PeopleForm, number_field
from ratings.calculators.players import (
    KnownPlayer,
    is_published,
    known_players,
    penalty_points,
    public_section,
    published_lines,
)
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS


class ChessaForm(PeopleForm):
    """A player of Chess South Africa, known or not. A row may name a known opponent; then his ratings are taken."""

    SYSTEM = chessa.CODE
    NAMES = ("p", "o", "q", "c", "r")
    GROUPS = ((_("The event"), ("b", "i", "e", "at")), (_("You"), ("player", "m", "mh", "t", "th")))

    field_order = ("n", "section", "b", "i", "e", "at", "player")

    section = CountField(lowest=1, highest=2_000_000_000, widget=forms.HiddenInput)
    b = CountField(label=_("Base time, minutes"), highest=600, initial=90)
    i = CountField(label=_("Increment, seconds a move"), highest=300, initial=30)
    e = DayField(label=_("Day on which it ended"), help_text=_("Left out: the last day of the rating period."))
    player = number_field(
        _("Chess SA id"),
        help_text=_(
            "Takes ratings, highest ratings, the last 24 raw ratings and the last five tournaments from the lists."
        ),
    )
    m = RatingField(label=_("Raw rating on Main"))
    mh = RatingField(
        label=_("Highest rating on Main"), help_text=_("It sets K and the floor. Left out: the rating itself.")
    )
    t = RatingField(
        label=_("Raw rating on the list of the type of game"),
        help_text=_("The list that the time control updates beside Main."),
    )
    th = RatingField(label=_("Highest rating on that list"))

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        unrated = self.edition["unrated_rating"]
        self.fields["m"].help_text = gettext("Left out without a number: unrated, starts at %(rating)s.") % {
            "rating": f"{unrated:g}"
        }
        self.fields["t"].label = gettext("Raw rating on %(name)s") % {"name": LIST_NAMES[self.own_list]}
        self.fields["th"].label = gettext("Highest rating on %(name)s") % {"name": LIST_NAMES[self.own_list]}
        for name in ("b", "i"):
            self.fields[name].widget.attrs["placeholder"] = str(self.fields[name].initial)
        for name in ("m", "mh", "t", "th"):
            self._place(name)

    def row_fields(self, number: int) -> dict[str, forms.Field]:
        """Return the fields of an opponent, by number or by ratings, with the colour."""
        of_game = {"number": number}
        return {
            "p": number_field(gettext("Opponent’s Chess SA id, game %(number)s") % of_game),
            "o": RatingField(label=gettext("Opponent’s rating on Main, game %(number)s") % of_game),
            "q": RatingField(
                label=gettext("Opponent’s rating on the list of the type of game, game %(number)s") % of_game
            ),
            "c": PlainChoice(label=gettext("Colour, game %(number)s") % of_game, choices=COLOURS),
            "r": super().row_fields(number)["r"],
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """The lists are named: those that the time control updates."""
        return (gettext("Opponent"), LIST_NAMES[MAIN], LIST_NAMES[self.own_list], gettext("Colour"), gettext("Result"))

    def find(self, numbers: Collection[str], own: str) -> dict[str, KnownPlayer]:
        """Those of the numbers who are on the register, with their standings on the four lists."""
        return known_players(numbers, self.month, own=own)

    @property
    def own_list(self) -> str:
        """The list of the type of game, as far as it can be read; Standard where it cannot."""
        base, increment = (str(self.data.get(name, "") or self.fields[name].initial) for name in ("b", "i"))
        minutes, seconds = whole_number(base, digits=4), whole_number(increment, digits=4)
        if minutes is None or seconds is None:
            return LISTS[1]
        kind = type_of_game(minutes, seconds, self.month)
        return kind if kind in LISTS else LISTS[1]

    @property
    def own_text(self) -> str:
        """The player's raw ratings on the four lists, in a sentence; empty where the player is not known."""
        if self.own is None:
            return ""
        ratings = ", ".join(f"{LIST_NAMES[code]} {_rating_text(self.own.raw(code))}" for code in LISTS)
        return gettext("Raw ratings on %(day)s: %(ratings)s.") % {
            "day": formatting.long_day(self.month),
            "ratings": ratings,
        }

    @property
    def help_on_games(self) -> str:
        """By number, or by raw ratings."""
        return gettext(
            "An opponent is a Chess SA id, whose ratings are then taken from the lists, or raw ratings: on Main, and"
            " on the list of the type of game if it is another. The unrated count %(rating)s."
        ) % {"rating": f"{self.edition['unrated_rating']:g}"}

    @property
    def replay_name(self) -> str:
        """The section whose games the entry began with."""
        return "" if self.replayed is None else str(self.replayed)

    @property
    def replay_link(self) -> str:
        """The page of its event."""
        return "" if self.replayed is None else f"/events/{self.replayed.event_id}/"

    @property
    def replay_state(self) -> str:
        """Whether the section is on a list, in words."""
        if self.replayed and is_published(self.replayed):
            return gettext("played again")
        return gettext("not yet on a published list")

    @property
    def edition(self) -> Edition:
        """The regulations of the period."""
        return chessa.edition_for(next_month(self.month))

    def place_opponent(self, number: int, known: KnownPlayer) -> None:
        """His raw ratings, in fields left empty."""
        for name, code in (("o", MAIN), ("q", self.own_list)):
            self.fields[f"{name}{number}"].widget.attrs["placeholder"] = _rating_text(known.raw(code))

    def clean_b(self) -> int:
        """Return the base time; 90 minutes where it is left out with the increment."""
        value = self.cleaned_data["b"]
        return int(self.fields["b"].initial) if value is None else int(value)

    def clean_i(self) -> int:
        """Return the increment; none where only the base time is given."""
        value = self.cleaned_data["i"]
        if value is None:
            return 0 if str(self.data.get("b", "")).strip() else int(self.fields["i"].initial)
        return int(value)

    def clean_e(self) -> date:
        """Return the end date, not after the day of calculation."""
        day: date | None = self.cleaned_data["e"]
        calculated_on = next_month(self.month)
        if day is not None and day > calculated_on:
            raise forms.ValidationError(
                gettext("The period of these ratings is calculated on %(day)s: enter a day before.")
                % {"day": formatting.long_day(calculated_on)}
            )
        return day or calculated_on - timedelta(days=1)

    def clean(self) -> dict[str, Any]:
        """Check that the time control is rated and the highest ratings are possible."""
        cleaned = super().clean()
        if "b" in cleaned and "i" in cleaned and type_of_game(cleaned["b"], cleaned["i"], self.month) not in LISTS:
            least = self.edition["types_of_game"][0][0]
            message = gettext("Games faster than %(least)s minutes are not rated (article 23).")
            self.add_error("b", message % {"least": f"{least:g}"})
        for name, highest, code in (("m", "mh", MAIN), ("t", "th", self.own_list)):
            if name in self.errors or cleaned.get(highest) is None:
                continue
            raw = cleaned.get(name)
            if raw is None and self.own is not None:
                raw = self.own.raw(code)
            if raw is None:
                self.add_error(name, gettext("Enter the rating that goes with the highest rating."))
            elif cleaned[highest] < raw:
                message = gettext("Enter a highest rating that is not under the rating, %(rating)s.")
                self.add_error(highest, message % {"rating": formatting.rating(raw)})
        return cleaned

    def _clean_row(self, number: int, cleaned: dict[str, Any]) -> None:
        super()._clean_row(number, cleaned)
        if self.games and self.games[-1].number == number and not self.games[-1].colour:
            self.games.pop()
            message = gettext("Choose the colour in game %(number)s: White expects a little more.")
            self.add_error(f"c{number}", message % {"number": number})

    def played(self, number: int, cleaned: dict[str, Any]) -> PlayedGame:
        """Return a row as it was filled in."""
        return PlayedGame(
            number,
            cleaned.get(f"o{number}"),
            cleaned.get(f"r{number}", ""),
            cleaned.get(f"c{number}", ""),
            cleaned.get(f"q{number}"),
            cleaned.get(f"p{number}", ""),
        )

    def event(self) -> ChessaEvent:
        """Return the event of a valid entry."""
        values = self.cleaned_data
        lists = (MAIN, type_of_game(values["b"], values["i"], self.month))
        return ChessaEvent(
            month=self.month,
            base=values["b"],
            increment=values["i"],
            ended=values["e"],
            lists=self._own_lists(lists),
            games=tuple(
                ChessaGame(game, self._opponent_ratings(game, lists), self.opponent_name(game), game.opponent)
                for game in self.games
            ),
            player=self.own.name if self.own else "",
            name=self.replay_name,
            known_on=self.own.rated_on if self.own else frozenset(),
            penalty=self.penalty,
            one_of_month=self.own is not None and bool(values.get("section")),
            published=published_lines(self.own.number, self.replayed) if self.own and self.replayed else {},
        )

    def answer(self, *, full: bool = False) -> Sequence[Part]:
        """Return the answer for the event."""
        return rate_event(self.event(), full=full)

    def case(self) -> dict[str, Any]:
        """Return the rating case of a valid entry."""
        return self.event().case()

    @cached_property
    def replayed(self) -> Section | None:
        """The section whose games the entry began with, if its results are public."""
        named = str(self.data.get("section", ""))
        return public_section(named) if named else None

    @cached_property
    def penalty(self) -> float:
        """The confirmed penalty points of a published section that is played again."""
        if self.own is None or self.replayed is None or not is_published(self.replayed):
            return 0.0
        return penalty_points(self.own.number, self.replayed)

    def _own_lists(self, lists: tuple[str, str]) -> dict[str, Any]:
        values, own = self.cleaned_data, {} if self.own is None else self.own.lists
        lists_by_code = {}
        for code, raw, highest in ((lists[0], values["m"], values["mh"]), (lists[1], values["t"], values["th"])):
            standing = dict(own.get(code, {}))
            if raw is not None:
                earlier = standing.get("raw_history", [raw] * self.edition["window"])
                standing |= {"raw": raw, "raw_history": [raw, *earlier[1:]]}
                standing["highest"] = max(raw, standing.get("highest", raw))
            if highest is not None:
                standing["highest"] = highest
            if standing:
                lists_by_code[code] = standing
        return lists_by_code

    def _opponent_ratings(self, game: PlayedGame, lists: tuple[str, str]) -> dict[str, float]:
        known = self.known.get(game.opponent)
        main = game.rating if game.rating is not None or known is None else known.raw(lists[0])
        own = game.own_list_rating
        if own is None:
            own = main if known is None else known.raw(lists[1])
        return {code: raw for code, raw in zip(lists, (main, own), strict=True) if raw is not None}

    def _place(self, name: str) -> None:
        """Show in a field left empty what the lists say."""
        own = self.own
        if own is None:
            return
        code = MAIN if name.startswith("m") else self.own_list
        value = own.lists.get(code, {}).get("highest" if name.endswith("h") else "raw")
        self.fields[name].widget.attrs["placeholder"] = _rating_text(value)


def _rating_text(rating: float | None) -> str:
    return gettext("unrated") if rating is None else formatting.rating(rating)
