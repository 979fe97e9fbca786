"""The forms of results from abroad: the request for a link, the choice of a player, the results."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib.forms import (
    BLACK,
    COLOURS,
    DRAWN,
    LOST,
    WHITE,
    WON,
    CountField,
    DayField,
    Described,
    LineField,
    MailAddressField,
    PageAddressField,
    PlainChoice,
)
from events.abroad.words import as_sentence
from events.access import writable_regions
from events.models import AbroadLink, Event, Format, Game, Kind
from events.rules.abroad import FIDE_RATINGS, MOST_ROUNDS, PERFORMANCES, GameAbroad, ResultsAbroad, abroad_errors
from events.rules.game_result import BYES, Result, mirrored
from events.rules.sizes import LONGEST_NAME, LONGEST_PLACE
from events.rules.states import AWAITING_RESULTS
from events.visibility import accepted_players
from players.identity import CHESS_SA_DIGITS, CHESS_SA_ID
from players.merged import bears
from players.models import Player

FIRST_ROUNDS = 9
_WON_BY_FORFEIT, _LOST_BY_FORFEIT = "+", "-"
_BYES = {"bye": Result.PAIRING_BYE, "half": Result.HALF_BYE, "zero": Result.ZERO_BYE}
_GAMES_AS_WHITE = {
    WON: Result.WHITE_WINS,
    DRAWN: Result.DRAW,
    LOST: Result.BLACK_WINS,
    _WON_BY_FORFEIT: Result.FORFEIT_WHITE_WINS,
    _LOST_BY_FORFEIT: Result.FORFEIT_BLACK_WINS,
}
_CODES = {result: code for code, result in {**_GAMES_AS_WHITE, **_BYES}.items()}
_OPPONENT = ("opponent", "federation", "fide_id", "fide_rating", "performance")
_RESULTS = (
    ("", ""),
    (_("Played"), ((WON, _("1 won")), (DRAWN, _("½ drawn")), (LOST, _("0 lost")))),
    (
        _("Not played, not rated"),
        (
            (_WON_BY_FORFEIT, _("+ won by forfeit")),
            (_LOST_BY_FORFEIT, _("− lost by forfeit")),
            ("bye", _("bye, 1 point")),
            ("half", _("bye, ½ point")),
            ("zero", _("not paired, 0")),
        ),
    ),
)
_nine_digits = RegexValidator(rf"\A{CHESS_SA_ID}\Z", _("A Chess SA id has nine digits."))


def player_for(user: User, number: str) -> Player | None:
    """Return the player with a number, for officers, or if he belongs to a region of the user; else None."""
    players = accepted_players().select_related("region").filter(bears(number))
    return (players if user.is_officer else players.filter(region__in=writable_regions(user))).first()


def events_abroad(user: User, *, still_open: bool = True) -> QuerySet[Event]:
    """Return the events abroad of the user's regions, by default only those whose results can be sent in."""
    events = Event.objects.filter(kind=Kind.ABROAD, region__in=writable_regions(user)).order_by("-ends", "pk")
    return events.filter(state__in=AWAITING_RESULTS) if still_open else events


def _number_field() -> LineField:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": str(CHESS_SA_DIGITS)})
    return LineField(
        label=_("Chess SA id of the player"),
        validators=[_nine_digits],
        widget=widget,
        error_messages={"required": _("Give the nine digits of the player’s number.")},
    )


class _FederationField(LineField):
    """The three letters of a federation, in capitals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(label=_("Federation"), max_length=3, required=False, **options)

    def to_python(self, value: Any) -> str:
        """Return the letters without spaces around them, in capitals."""
        return (super().to_python(value) or "").upper()


class AskForm(Described):
    """A request for a link: the player, and the address on record to which it is mailed."""

    number = _number_field()
    email = MailAddressField(
        label=_("E-mail address"),
        max_length=254,
        help_text=_(
            "As the bureau has it on record for the player: the link goes only there. It is never shown in public."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": _("Give the address that the link is to go to.")},
    )
    sender = forms.ChoiceField(
        label=_("You are"),
        choices=[(sender.value, _(sender.label)) for sender in AbroadLink.Sender],
        initial=AbroadLink.Sender.PLAYER.value,
    )


class ChooseForm(Described):
    """An administrator's choice of a player of the region, and of an event on record, if it is not a new one."""

    chosen = _number_field()
    event = forms.ModelChoiceField(
        Event.objects.none(), label=_("Event on record"), required=False, empty_label=_("None: it is a new one")
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        """Offer the events abroad of the user's regions whose results can be sent in."""
        super().__init__(*args, **kwargs)
        self.user = user
        self.waiting = events_abroad(user)
        field = self.fields["event"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset = self.waiting
        field.error_messages["invalid_choice"] = _("Choose one of the list: its results can no longer be sent in.")

    def clean_chosen(self) -> Player:
        """Return the player with the number. Raises ValidationError if there is none in the user's regions."""
        number: str = self.cleaned_data["chosen"]
        player = player_for(self.user, number)
        if player is None:
            raise forms.ValidationError(
                gettext("Nobody of your region has the number %(number)s on the register.") % {"number": number}
            )
        return player


class HeadForm(Described):
    """The event as in its official results. Which fields are required is left to `events.rules.abroad`."""

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    name = LineField(label=_("Name of the event"), max_length=LONGEST_NAME, required=False)
    federation = _FederationField(help_text=_("FIDE’s three letters: BOT, ENG, ESP."))
    place = LineField(label=_("Place"), max_length=LONGEST_PLACE, required=False)
    starts = DayField(label=_("First day"))
    ends = DayField(label=_("Last day"))
    results_url = PageAddressField(
        label=_("Link to the official results"),
        max_length=200,
        required=False,
        help_text=_("Where the bureau finds and checks them."),
        error_messages={"invalid": _("Write the whole address, as https://example.org/results.")},
    )
    format = forms.ChoiceField(
        label=_("Format"), choices=[(format.value, _(format.label)) for format in Format], required=False
    )
    rank = CountField(lowest=1, highest=5000, label=_("Final place"), help_text=_("In a team event that of the team."))
    base = CountField(highest=600, label=_("Base time, minutes"))
    increment = CountField(highest=300, label=_("Increment, seconds a move"))
    fide_rated = forms.BooleanField(label=_("The event is FIDE rated"), required=False)


class GameForm(Described):
    """A round of the player; a blank row is ignored."""

    result = PlainChoice(label=_("Result"), choices=_RESULTS)
    colour = PlainChoice(label=_("Colour"), choices=COLOURS)
    opponent = LineField(label=_("Opponent"), max_length=LONGEST_NAME, required=False)
    federation = _FederationField()
    fide_id = CountField(lowest=1, highest=999_999_999, label=_("FIDE id"))
    fide_rating = CountField(lowest=FIDE_RATINGS[0], highest=FIDE_RATINGS[1], label=_("FIDE rating"))
    performance = CountField(lowest=PERFORMANCES[0], highest=PERFORMANCES[1], label=_("Performance"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fide_id"].widget.attrs["maxlength"] = "9"
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = gettext("%(field)s, round %(round)s") % {
                "field": field.label,
                "round": self.round,
            }
            if name in ("opponent", "federation"):
                field.widget.attrs["autocomplete"] = "off"

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(str(self.prefix).rpartition("-")[2]) + 1

    @property
    def filled(self) -> bool:
        """Whether anything was entered."""
        return any(self.value(name) not in (None, "") for name in self.fields) or bool(self.errors)

    def clean(self) -> dict[str, Any]:
        """Require a result if anything is entered, and the colour of a game that was played."""
        cleaned: dict[str, Any] = super().clean() or {}
        given = any(value not in (None, "") for value in cleaned.values())
        result = cleaned.get("result")
        if given and not result and "result" not in self.errors:
            self.add_error("result", gettext("Round %(round)s: choose the result.") % {"round": self.round})
        played = result in (WON, DRAWN, LOST)
        if played and not cleaned.get("colour") and "colour" not in self.errors:
            self.add_error("colour", gettext("Round %(round)s: choose the player’s colour.") % {"round": self.round})
        return cleaned

    def named(self, label: str, error: str) -> str:
        """Return an error with its round and field, unless it begins with the round."""
        if error.startswith(pgettext("beginning of a message", "Round") + " "):
            return error
        values = {"round": self.round, "field": label, "error": error}
        return gettext("Round %(round)s, %(field)s: %(error)s") % values

    def game(self) -> GameAbroad | None:
        """Return the round as entered; None if the row is blank or has errors."""
        result, white = self.value("result"), self.value("colour") == WHITE
        if self.errors or not result:
            return None
        return GameAbroad(
            round=self.round,
            white=white or result in _BYES,
            result=_BYES.get(result) or _seen_from(white, _GAMES_AS_WHITE[result]),
            **{name: self.value(name) for name in _OPPONENT},
        )


GameRows = forms.formset_factory(GameForm, extra=0, max_num=MOST_ROUNDS, absolute_max=MOST_ROUNDS, validate_max=True)


class ResultsForm:
    """The event and its rounds together. `data` is what was sent; without it the form shows `event`, or is blank.

    `torn`: why the whole form cannot be used, or "". `rounds`: what the names of the rounds' fields begin with.
    """

    def __init__(self, player: Player, event: Event | None = None, data: Any = None, *, rounds: str = "game") -> None:
        """Take the rounds from `data`, else from the event, else nine blank ones."""
        self.player, self.event, self.torn = player, event, ""
        self.head = HeadForm(data, label_suffix="", initial=_head(event, player))
        given = None if data is not None else _rows(event, player)
        self.games = GameRows(data, prefix=rounds, initial=given)

    @property
    def parts(self) -> Iterator[Described]:
        """The form of the event and those of the rounds, in the order of the page."""
        yield self.head
        yield from self.games.forms

    def is_valid(self, *, at: datetime) -> bool:
        """Check all parts, and the rules; return whether there is no error."""
        management = self.games.management_form
        total = management.cleaned_data.get("TOTAL_FORMS") if management.is_valid() else None
        if total is None or total < 0:
            self.torn = gettext("The form arrived torn. Load the page again and repeat what you changed.")
        elif total > MOST_ROUNDS:
            self.torn = gettext(
                "%(rounds)s rounds were sent; an event has at most %(most)s here. Nothing of them is kept."
            ) % {"rounds": total, "most": MOST_ROUNDS}
        valid = all([not self.torn, *(part.is_valid() for part in self.parts)])
        bad_rows = any(form.errors for form in self.games.forms)
        for finding in abroad_errors(self.results(), today=timezone.localdate(at)):
            valid = False
            if bad_rows and finding.field.endswith("-result"):
                continue  # a row with errors is not among the results, so that the rules take it for blank
            form, name = self._place(finding.field)
            if name is None or name not in form.errors:
                form.add_error(name, as_sentence(finding))
        return valid

    def _place(self, field: str) -> tuple[Described, str | None]:
        kind, _, rest = field.partition("-")
        place, _, name = rest.partition("-")
        if kind == "game" and int(place) < len(self.games.forms):
            return self.games.forms[int(place)], name
        return self.head, field if field in self.head.fields else None

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the field, message) of each error, in the order of the page."""
        problems = [("", self.torn)] if self.torn else []
        problems += self.head.problems()
        for game in self.games.forms:
            problems += game.problems(game.named)
        return problems

    def entered(self) -> ResultsAbroad:
        """Return what was entered, as far as each field can be read, before the rules are asked."""
        for part in self.parts:
            part.is_valid()
        return self.results()

    def results(self) -> ResultsAbroad:
        """Return the results as far as they are valid; of a form that is only shown, the event's details."""
        value = self.head.value if self.head.is_bound else self.head.initial.get
        return ResultsAbroad(
            name=value("name") or "",
            federation=value("federation") or "",
            place=value("place") or "",
            starts=value("starts"),
            ends=value("ends"),
            results_url=value("results_url") or "",
            fide_rated=bool(value("fide_rated")),
            base=value("base"),
            increment=value("increment") or 0,
            format=value("format") or Format.SWISS.value,
            rank=value("rank"),
            games=tuple(game for form in self.games.forms if (game := form.game())),
            own_fide_id=self.player.fide_id,
        )


def _head(event: Event | None, player: Player) -> dict[str, Any]:
    if event is None:
        return {"version": 0}
    names = ("version", "name", "federation", "place", "starts", "ends", "results_url", "fide_rated")
    values: dict[str, Any] = {name: getattr(event, name) for name in names}
    values["federation"] = "" if event.federation == "RSA" else event.federation
    section = event.sections.filter(entries__player=player).first() or event.sections.first()
    if section:
        entry = section.entries.filter(player=player).first()
        values |= {"format": section.format, "base": section.base_minutes, "increment": section.increment_seconds}
        values["rank"] = entry.rank if entry else None
    return values


def _rows(event: Event | None, player: Player) -> list[dict[str, Any]]:
    games = []
    if event:
        rounds = Game.objects.filter(Q(white=player) | Q(black=player), section__event=event)
        games = list(rounds.select_related("guest").order_by("round", "pk"))
    rows: list[dict[str, Any]] = [{} for _ in range(max((game.round for game in games), default=FIRST_ROUNDS))]
    for game in games:
        white, result = game.white_id == player.pk, Result(game.result)
        if result in BYES:
            rows[game.round - 1] = {"result": _CODES.get(result, "bye")}
            continue
        row = {name: getattr(game.guest, "name" if name == "opponent" else name, None) for name in _OPPONENT}
        row |= {"result": _CODES.get(_seen_from(white, result), ""), "colour": WHITE if white else BLACK}
        rows[game.round - 1] = row
    return rows[:MOST_ROUNDS]


def game_values(game: GameAbroad) -> dict[str, Any]:
    """Return the values of a row's fields for a round."""
    if game.result in BYES:
        return {"result": _CODES[game.result]}
    row = {name: getattr(game, name) for name in _OPPONENT}
    return row | {"result": _CODES[_seen_from(game.white, game.result)], "colour": WHITE if game.white else BLACK}


def _seen_from(white: bool, result: Result) -> Result:
    return result if white else mirrored(result)
