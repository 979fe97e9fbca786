"""The officers' page of the readings: each with its article, its effect, and from when a change counts."""

from typing import Any, ClassVar, NamedTuple

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from accounts.trail.admin_base import REASON, ChangeReasonForm
from accounts.trail.one_row import OneRowAdmin
from events.models import Readings


class _Words(NamedTuple):
    """What the page says of a reading; `counts`: what a change changes at once, and what later."""

    title: str
    effect: str
    counts: str


_WORDS = {
    "aoc_year_begins": _Words(
        "The AOC’s fee year (articles 7 and 12.3)",
        "An arbiter must have paid the AOC’s fee for the year in which the event is held, before its first day. January makes"
        " this the calendar year; any other month a year of its own, called by the calendar year in which it ends: with"
        " October, 2026 is October 2025 to September 2026. FIDE’s licence is always asked for the calendar year.",
        "Changed at once: what is asked of arbiters when an event is registered and a file is checked, the arbiters unpaid, and"
        " the arbiters’ pages with their activity, earlier years included. A fee on record keeps the number of its year."
        " A file that is sent in already keeps what was found in it until it is checked again.",
    ),
    "activity_months": _Words(
        "Activity (article 55)",
        "A player is active on a list if at least one of his games in so many months up to that of the list counts towards"
        " his activity. Article 55 says which games count, and sets no time.",
        "Changed at once: the lists, players, regions and statistics, on the site and in the API, earlier months included. The"
        " downloads of a month stay as they were made: the next month that is published, or corrected, has the new number.",
    ),
    "whole_birth_dates": _Words(
        "Birth dates in downloads (article 25)",
        "The lists that pairing programs read, as Chess SA’s site gives them, have 1 January of the year of birth in place"
        " of the birth date. Ticked: the whole birth date, of every player on the list, for whoever downloads it. No page"
        " and no other file shows more than the year.",
        "Ticked: the next month that is published, or corrected, has them; the downloads of the months before stay as they"
        " are. No longer ticked: within minutes the downloads of all months that have them are made anew without, and those of"
        " lists that were corrected since are gone.",
    ),
}

# What an officer looks for here and cannot choose.
_FIXED = _Words(
    "Ratings of before that are lacking (articles 49 and 50)",
    "Where a player has fewer raw ratings than a published rating weighs, each that is lacking counts as a new player’s"
    " (article 56): the Blitz column of the regulations’ own example has it so.",
    "It is not to be chosen: anything else would rate the example otherwise. An opening balance shows for each player which"
    " ratings were filled in so.",
)


class ReadingsForm(ChangeReasonForm):
    """The readings. What they change is decided by articles, so a change needs a reason."""

    class Meta:
        help_texts: ClassVar = {"activity_months": "From 1 to 120."}


@admin.register(Readings)
class ReadingsAdmin(OneRowAdmin):
    """The one row of readings, as one page."""

    form = ReadingsForm
    page_title = "Readings of the regulations"
    saved = "The readings are saved, with the reason on the trail."

    def get_fieldsets(self, request: HttpRequest, obj: Readings | None = None) -> Any:
        """Return a part of the page for each reading, then the reason."""
        parts: list[Any] = [
            (
                words.title,
                {"fields": [name], "description": format_html("<p>{}</p><p>{}</p>", words.effect, words.counts)},
            )
            for name, words in _WORDS.items()
        ]
        text = format_html("<p>{}</p><p>{}</p>", _FIXED.effect, _FIXED.counts)
        parts.append((_FIXED.title, {"fields": [], "description": text}))
        return [*parts, (None, {"fields": [REASON]})] if REASON in self.get_fields(request, obj) else parts
