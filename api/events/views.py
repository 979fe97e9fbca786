"""Operations on events and sections."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.events import serializers
from api.manners.renderers import TextRenderer
from api.manners.views import ApiView, Collection
from events.models import Appointment, Arbiter, Event, Section
from events.public import queries
from events.public.event_facts import event_facts
from events.public.tables import SectionTable, section_tables
from events.public.tournament_file import file_headers, trf26
from events.rules.states import ACCEPTED_OR_LATER, State
from events.timeline import TimelineStep
from players.search import RegionChoice
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications


class Events(Collection):
    """The events."""

    words_serializer = serializers.EventWords

    @extend_schema(
        summary="The events",
        responses=serializers.EventRowAnswer(many=True),
        operation_id="events",
        parameters=[serializers.EventWords],
    )
    def get(self, request: Request) -> Response:
        """Answer with the events by their last day, latest first."""
        asked = self.asked()
        page = queries.event_page(
            place=RegionChoice(asked.get("region", ""), asked.get("province", "")),
            month=asked.get("month"),
            state=asked.get("state", ""),
            name=asked.get("q", ""),
            kind=asked.get("kind", ""),
            since=asked.get("from"),
            until=asked.get("to"),
            after=self.key("after"),
            before=self.key("before"),
            size=self.limit(),
        )
        return self.page(serializers.EventRowAnswer, page.rows, before=page.before, after=page.after)


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event with what its page shows."""

    event: Event
    state_word: str
    types: str
    sections: int
    players: int
    sentence: str
    body: str
    body_approved: bool | None
    steps: list[TimelineStep]
    arbiters: list[Appointment]
    section_list: list[queries.PublicSection]


class OneEvent(ApiView):
    """An event."""

    @extend_schema(summary="An event", responses=serializers.EventAnswer, operation_id="event")
    def get(self, request: Request, event: int) -> Response:
        """Answer with an event: its timeline, its sections, its arbiters."""
        facts = event_facts(event)
        if facts is None:
            raise Http404("There is no such event, or it is not registered yet.")
        row, national = facts.event, facts.national_body()
        listed = queries.event_rows([row])[0]
        shown = ShownEvent(
            event=row,
            state_word=listed.state_word,
            types=listed.types,
            sections=listed.sections,
            players=listed.players,
            sentence=queries.state_sentence(row),
            body=national.body if national else "",
            body_approved=national.approval is not None if national else None,
            steps=facts.steps(today=timezone.localdate()),
            arbiters=facts.appointments,
            section_list=queries.event_sections(event),
        )
        return self.one(serializers.EventAnswer, shown)


@dataclass(frozen=True, slots=True)
class ShownArbiter:
    """An arbiter with his appointments to public events."""

    arbiter: Arbiter
    appointments: list[Appointment]


class OneArbiter(ApiView):
    """An arbiter."""

    @extend_schema(summary="An arbiter", responses=serializers.ArbiterWithAppointmentsAnswer, operation_id="arbiter")
    def get(self, request: Request, arbiter: int) -> Response:
        """Answer with an arbiter whom the page of an event names, and his appointments to public events."""
        row = queries.public_arbiter(arbiter)
        if row is None:
            raise Http404("There is no such arbiter, or he serves at no public event.")
        return self.one(serializers.ArbiterWithAppointmentsAnswer, ShownArbiter(row, queries.public_appointments(row)))


class OneSection(ApiView):
    """A section."""

    @extend_schema(summary="A section", responses=serializers.SectionAnswer, operation_id="section")
    def get(self, request: Request, section: int) -> Response:
        """Answer with a section: standings with rating changes, and every round of every player."""
        found = Section.objects.filter(pk=section).values_list("event", flat=True).first()
        event = queries.public_event(found) if found else None
        if event is None:
            raise Http404("There is no such section, or its event is not registered yet.")
        facts = next(facts for facts in queries.event_sections(event.pk) if facts.id == section)
        lists, shown = list_definitions(), State(event.state) in ACCEPTED_OR_LATER
        published = publications()
        table = section_tables([facts], published, lists, results_shown=shown)[0]
        days = {publication.code: publication.day for publication in published}
        self.context = {"lists": lists, "tie_breaks": table.tie_breaks}
        row = ShownSection(
            facts,
            event=event.pk,
            event_name=event.name,
            event_state=event.state,
            results_public=shown and not facts.refused,
            list_date=days.get(table.period),
            games=table.games,
            rounds=len(table.rounds),
            table=table,
        )
        return self.one(serializers.SectionAnswer, row)


class TournamentFile(ApiView):
    """The tournament file of a section."""

    has_fields = False
    renderer_classes = (TextRenderer,)

    @extend_schema(
        summary="A section as a TRF26 file",
        responses={(200, "text/plain"): {"type": "string"}},
        operation_id="section_trf",
    )
    def get(self, request: Request, section: int) -> HttpResponse:
        """Answer with the results of a section as a TRF26 file, the file of the event's page."""
        found = queries.public_section(section)
        if found is None:
            raise Http404("There is no such section, or its results are not public.")
        return HttpResponse(trf26(found), headers=file_headers(found))


@dataclass(frozen=True)
class ShownSection:
    """A section with its tables; what `facts` know is read from there."""

    facts: queries.PublicSection
    event: int
    event_name: str
    event_state: str
    results_public: bool
    list_date: date | None
    games: int
    rounds: int
    table: SectionTable

    def __getattr__(self, name: str) -> Any:
        """Return a fact of the section."""
        return getattr(self.facts, name)
