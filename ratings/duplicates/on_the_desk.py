"""What a player's page of the desk shows beside the register: ratings, events, corrections, who may be the same person."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.models import User
from events.access import desk_events
from events.models import Entry, Event, Section
from events.visibility import results_shown
from players.merged import on_register
from players.models import Player
from ratings.explanations.published import Published, published_figures
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import Publication, publications
from ratings.lists.revisions import CorrectedRating, corrected_ratings

MOST = 20  # events


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """An event of a player: `entry` with its section."""

    entry: Entry
    state: str
    month: str

    @property
    def event(self) -> Event:
        """The event."""
        return self.entry.section.event


@dataclass(frozen=True, slots=True)
class PlayerOnTheDesk:
    """What is known of a player. `number`, `is_hidden`: his Chess SA id and whether the public sees him, as stored, where the
    page may have what was typed; `alike`: others on the register of the same name, whatever the order of its words;
    `after_death`: sections that began after the day on which he is said to have died."""

    number: str
    is_hidden: bool
    publication: Publication | None
    ratings: list[Published]
    events: list[PlayedEvent]
    more_events: int
    corrected: list[CorrectedRating]
    alike: list[Player]
    merged: list[Player]
    after_death: list[Section]


def player_on_the_desk(player: Player, user: User) -> PlayerOnTheDesk:
    """Return what the desk shows a user of a player: of events those that are public, or that he may see on the desk. About ten
    short queries."""
    published = publications()
    latest = published[0] if published else None
    shown = results_shown("section") | Q(section__event__in=desk_events(user).values("pk"))
    entries = Entry.objects.filter(shown, player=player)
    rows = entries.select_related("section__event", "section__period").order_by("-section__ends", "-pk")
    events = [
        PlayedEvent(entry, entry.section.event.get_state_display(), str(entry.section.period or ""))
        for entry in rows[:MOST]
    ]
    number, hidden_since = Player.objects.values_list("number", "hidden_since").get(pk=player.pk)
    return PlayerOnTheDesk(
        number,
        hidden_since is not None,
        latest,
        published_figures(player.pk, latest.run) if latest else [],
        events,
        max(entries.count() - MOST, 0),
        corrected_ratings(player.pk, published, list_definitions()),
        _alike(player),
        list(Player.objects.filter(merged_into=player).order_by("number")),
        _after_death(entries, player),
    )


def _after_death(entries: QuerySet[Entry], player: Player) -> list[Section]:
    if player.died_on is None:
        return []
    late = entries.filter(section__starts__gt=player.died_on).select_related("section__event")
    return [entry.section for entry in late.order_by("section__starts", "section")[:MOST]]


def _alike(player: Player) -> list[Player]:
    words = player.folded_name.split()
    if not words:
        return []
    rows = on_register().exclude(pk=player.pk).select_related("region")
    for word in words:
        rows = rows.filter(folded_name__contains=f" {word}")
    return [row for row in rows.order_by("number")[:MOST] if sorted(row.folded_name.split()) == sorted(words)]
