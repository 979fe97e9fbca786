"""What an event's results would give, for its own people: standings, crosstables and expected rating changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from events.models import Entry, Event, Section
from events.operations import sections_to_rate
from events.public.page_size import fit_page
from events.public.queries import event_sections
from events.public.tables import SectionTable, section_tables
from events.submission.rehearsal import Part, rehearsed
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.live.expected import Rated, rated
from ratings.live.preview import Preview, preview


@dataclass(frozen=True, slots=True)
class Line:
    """A player of a section with what is expected of his ratings. `number`: "" of who has no page: he is hidden, or
    not on the register yet."""

    number: str
    name: str
    ratings: list[Rated]


@dataclass(frozen=True, slots=True)
class Outlook:
    """A section with its tables, and what is expected of the players whom these show."""

    part: Part
    table: SectionTable
    lines: list[Line]

    @property
    def lists(self) -> list[ListDefinition]:
        """The lists that the section would change, none if it is not rated."""
        return next(([row.listing for row in line.ratings] for line in self.lines if line.ratings), [])


@dataclass(frozen=True, slots=True)
class Outlooks:
    """The sections of an event, and the months of the run in which they would be rated."""

    sections: list[Outlook]
    previews: list[Preview]


def before_sending(event: Event, *, by: User) -> Outlooks:
    """Return what the files of an event would give if they were sent in as they are."""
    now = timezone.now()
    with rehearsed(event, at=now, today=timezone.localdate(now), by=by) as rehearsal:
        tables = _tables(event, rehearsal.newcomers)
        rehearsal.leave_out_undecided()
        return _outlooks(rehearsal.parts, tables, rehearsal.newcomers)


def sent_in(event: Event) -> Outlooks:
    """Return what the results of an event would give that were sent in."""
    sections = sections_to_rate(event).order_by("position", "pk").select_related("period")
    return _outlooks([Part(section) for section in sections], _tables(event, ()), ())


def _tables(event: Event, newcomers: Iterable[int]) -> dict[int, SectionTable]:
    """Return section → its tables, with the names of the files. Five queries at most."""
    tables = {table.facts.id: table for table in section_tables(event_sections(event.pk), (), (), on_desk=True)}
    fresh = set(Entry.objects.filter(section__in=tables, player__in=newcomers).values_list("player__number", flat=True))
    for table in tables.values():
        for row in table.rows:
            if row.number in fresh:  # the number is given when it is sent in
                row.number = ""
    fit_page(tables.values())
    return tables


def _outlooks(parts: Sequence[Part], tables: Mapping[int, SectionTable], newcomers: Iterable[int]) -> Outlooks:
    entries: dict[int, list[Entry]] = {part.section.pk: [] for part in parts}
    found = Entry.objects.filter(section__in=entries).select_related("player").order_by("rank", "number")
    for entry in found:
        entries[entry.section_id].append(entry)
    entered: dict[Section, list[int]] = {
        part.section: [entry.player_id for entry in entries[part.section.pk]]
        for part in parts
        if entries[part.section.pk]
    }
    previews = preview(entered)
    ratings = rated(previews, list_definitions())
    fresh = set(newcomers)
    sections = [
        Outlook(
            part,
            tables[part.section.pk],
            [
                Line(
                    "" if entry.player_id in fresh or entry.player.hidden_since else entry.player.number,
                    entry.player.name,
                    ratings.get((part.section.pk, entry.player_id), []),
                )
                for entry in entries[part.section.pk][: len(tables[part.section.pk].rows)]
            ],
        )
        for part in parts
    ]
    return Outlooks(sections, previews)
