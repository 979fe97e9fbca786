"""The form of a published section that is played again on a list of another system: only the player's results change."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.http import Http404
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.forms import RESULTS, LineField, PlainChoice
from players.merged import present_number
from ratings.calculators.base_form import CalculatorForm
from ratings.calculators.fields import MOST_GAMES, PlayedGame, ShownRow
from ratings.calculators.parts import Part
from ratings.calculators.replay import OwnGame, Replay, read_replay
from ratings.calculators.results import PARTS, Opponents, RatedEvent
from ratings.explanations.queries import names_outside
from ratings.systems.adapters import ADAPTERS, Rated
from ratings.systems.base import CellKind, Opponent


class ReplayForm(CalculatorForm):
    """A player's games of a section. A result `r` that the address does not have is the one that was played."""

    SYSTEM = ""
    GROUPS = ()
    NAMES = ("r",)
    fact_columns, more_rows = (_("Opponent"), _("Rating")), None
    ROWS_FIXED = True
    replay_state = _("played again")
    help_on_games = _(
        "Change a result: the whole section is rated again by the rules of the list, with the other side’s result changed"
        " too. Ratings are those before the event."
    )

    list = LineField(required=False, widget=forms.HiddenInput)
    player = LineField(required=False, widget=forms.HiddenInput)
    section = LineField(required=False, widget=forms.HiddenInput)

    def __init__(self, replay: Replay, data: dict[str, str]) -> None:
        self.replay = replay
        self.as_played = {f"r{number}": game.result for number, game in enumerate(replay.games, start=1)}
        start = {"list": replay.listing.code, "player": replay.player.number, "section": str(replay.section.pk)}
        given = {name: value for name, value in data.items() if name in self.as_played and value.strip()}
        super().__init__(self.as_played | given | start)
        self.SYSTEM = replay.listing.system

    def _row_count(self) -> int:
        return len(self.replay.games)

    def row_fields(self, number: int) -> dict[str, forms.Field]:
        """Return the field of the result."""
        return {"r": PlainChoice(label=gettext("Result, game %(number)s") % {"number": number}, choices=RESULTS[1:])}

    def shown_row(self, number: int) -> ShownRow:
        """Return a game with its opponent, his rating before the event, and its result."""
        replay, game = self.replay, self.replay.games[number - 1]
        met = self._met(game)
        person = replay.people.get(str(game.opponent))
        rating = self._rating_of(game.opponent)
        shown = gettext("unrated") if rating is None else replay.listing.rating(rating)
        facts = (
            (gettext("Opponent"), met, f"/players/{person.number}/" if person and person.number else ""),
            (gettext("Rating"), shown, ""),
        )
        return ShownRow(number, self.cells(number), facts=facts)

    @property
    def columns(self) -> tuple[str, ...]:
        """The heading of the results."""
        return (gettext("Result"),)

    @property
    def own(self) -> Any:
        """Whose event it was."""
        return self.replay.player

    @property
    def own_text(self) -> str:
        """What is played again, in sentences."""
        before = self.replay.shown.get(self.replay.id)
        listing = self.replay.listing
        if before is None:
            text = gettext(
                "Everybody else’s games stand as they were; on the %(name)s list the player starts without a rating."
            )
        else:
            text = gettext(
                "Everybody else’s games stand as they were; on the %(name)s list the player starts from %(rating)s."
            )
        text %= {"name": listing.name, "rating": listing.rating(before)}
        if self.replay.ages_by_day:
            text += " " + gettext(
                "The month was published when ages still counted days; here they are those in the year of the event, so that"
                " figures may differ a little."
            )
        return text

    @property
    def replay_name(self) -> str:
        """The section."""
        return str(self.replay.section)

    @property
    def replay_link(self) -> str:
        """The address of the event."""
        return f"/events/{self.replay.section.event_id}/"

    @property
    def free_entry(self) -> str:
        """The address of these games as a free entry, against opponents with fixed ratings; "" if they are too many."""
        replay = self.replay
        if len(replay.games) > MOST_GAMES or replay.section.period is None:
            return ""
        entry = {
            "list": replay.listing.code,
            "player": replay.player.number,
            "at": f"{replay.section.period.month:%Y-%m}",
        }
        for number, game in enumerate(replay.games, start=1):
            person = replay.people.get(str(game.opponent))
            if person and person.number:
                entry[f"p{number}"] = person.number
            elif (rating := self._rating_of(game.opponent)) is not None:
                entry[f"o{number}"] = f"{rating:g}"
            entry[f"r{number}"] = str(self.data[f"r{number}"])
        return urlencode(entry)

    def _rating_of(self, opponent: str | Opponent) -> float | None:
        return opponent.rating if isinstance(opponent, Opponent) else self.replay.shown.get(opponent)

    def _met(self, game: OwnGame) -> str:
        replay = self.replay
        if isinstance(game.opponent, Opponent):
            guest = gettext("guest")
            return guest if game.round is None else replay.guests.get((replay.section.pk, game.round), guest)
        return replay.names[game.opponent]

    def link(self) -> str:
        """Return the entry as a query string: the section, the player, and the results that differ from those played."""
        return urlencode(
            [
                (name, value)
                for name in self.fields
                if (value := self.data.get(name)) and value != self.as_played.get(name)
            ]
        )

    def played(self, number: int, cleaned: dict[str, Any]) -> PlayedGame:
        """Return a game with the entered result."""
        return PlayedGame(number, None, cleaned.get(f"r{number}", ""))

    def has_opponent(self, game: PlayedGame) -> bool:
        """Return True: every game has an opponent."""
        return True

    @cached_property
    def rated(self) -> Rated:
        """The section rated again, of a valid entry. RatingError when it cannot be rated so."""
        return self.replay.rate([game.result for game in self.games])

    def event(self) -> RatedEvent:
        """Return the section rated again, of a valid entry. Raises RatingError if it cannot be rated so."""
        replay = self.replay
        opponents = Opponents(
            players=replay.names,
            outside=names_outside(replay.rated.event, replay.section.pk, replay.guests),
            numbers={(CellKind.PLAYER, id): player.number for id, player in replay.people.items()},
        )
        return RatedEvent(self.rated.result, self.standing(), len(self.games), replay.id, opponents, self.keys())

    def answer(self, *, full: bool = False) -> Sequence[Part]:
        """Return the answer for the player."""
        return [PARTS[self.SYSTEM](self.event(), full=full)]

    def standing(self) -> dict[str, Any]:
        """Where the player stood."""
        return ADAPTERS[self.SYSTEM].public_json(self.replay.rated.before[self.replay.id], self.replay.rated.edition)

    def case(self) -> dict[str, Any]:
        """Return the section as a case."""
        return self.replay.case([game.result for game in self.games])

    def keys(self) -> dict[str, str]:
        """Return the rating before and after, and what was published."""
        replay, listing = self.replay, self.replay.listing
        before, after, as_it_was = replay.shown[replay.id], replay.after(self.rated), replay.after(replay.rated)
        named = {"name": listing.name}
        keys = {gettext("%(name)s before") % named: gettext("unrated") if before is None else listing.rating(before)}
        keys[gettext("%(name)s after") % named] = _moved(listing, before, after)
        keys[gettext("As it was played")] = _moved(listing, before, as_it_was)
        if replay.section.period is not None and replay.published is not None:
            day = formatting.day(replay.section.period.calculated_on)
            label = gettext("Published on %(day)s, after all events of the month") % {"day": day}
            keys[label] = listing.rating(replay.published)
        return keys


def make_replay_form(system: str, data: dict[str, str]) -> ReplayForm:
    """Return the form for the section named in an address. Raises Http404 if it cannot be replayed."""
    replay = read_replay(system, data.get("list", ""), present_number(data.get("player", "").strip()), data["section"])
    if replay is None or not replay.games:
        raise Http404("This player has no games in a published section of this number on such a list.")
    return ReplayForm(replay, data)


def _moved(listing: Any, before: float | None, after: float | None) -> str:
    if after is None:
        return gettext("unrated")
    change = "" if before is None else f" ({listing.change(after - before)})"
    return f"{listing.rating(after)}{change}"
