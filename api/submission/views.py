"""Operations with a token on one's own events: their files, sending them in, and what is open."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Token
from api.manners.problems import PlacedError, Problem, invalid_document
from api.manners.views import BytesParser, Collection, LimitedJSONParser, TokenView
from api.submission import serializers
from events.access import may_write, visible_events
from events.dashboard.queries import OwnEvent, own_page
from events.models import Event, Kind, Section, Submission, Upload
from events.operations import EventError, sections_to_rate
from events.rules.findings import Finding
from events.rules.limits import MAX_BYTES
from events.rules.states import AWAITING_RESULTS
from events.submission.operations import DECLARATION, obstacles
from events.submission.page import results_page
from events.submission.page_parts import ResultsPage, SectionBlock
from events.submission.tasks import ask_few_again, bring_up_to_date, submit_or_wake, wake_all
from events.submission.uploads import not_submitted, push_file
from events.submission.words import too_large

_SUBMIT, _READ_OWN = Token.Scope.SUBMIT, Token.Scope.READ_OWN


class EventView(TokenView):
    """An operation on an event, with the rights of the page of its results."""

    def shown_event(self, event: int) -> Event:
        """Return an event that the user may see. Raises Http404."""
        row = visible_events(self.user).select_related("region").filter(pk=event).first()
        if row is None:
            raise Http404("There is no such event, or the token’s user has no part in it.")
        return row

    def written_event(self, event: int) -> Event:
        """Return an event whose results the user sends in, its reports up to date. Raises Http404 and Problem."""
        row = self.shown_event(event)
        if not may_write(self.user, row):
            raise Problem("not-allowed", f"The results of {row} are sent in by its own Regional Administrator.")
        bring_up_to_date(row, at=timezone.now())
        return row

    def results(self, event: Event) -> ResultsPage:
        """Return what the page of the results shows."""
        return results_page(event, today=timezone.localdate(), renewed=may_write(self.user, event))


@dataclass(frozen=True, slots=True)
class SectionFile:
    """A section's block of the page, with the page."""

    page: ResultsPage
    block: SectionBlock

    @property
    def section(self) -> Section:
        """The section."""
        return self.block.section

    @property
    def upload(self) -> Upload | None:
        """The file that is to be sent in."""
        return self.block.upload

    @property
    def submission(self) -> Submission | None:
        """The last submission, if there is no file to be sent in."""
        return self.block.submission

    @property
    def kept(self) -> Upload | Submission | None:
        """The file."""
        return self.upload or self.submission

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings by severity."""
        return self.block.counts

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings, each with what settles it."""
        return self.block.findings

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines whose players are not known."""
        report = self.upload.report if self.upload else {}
        return [line for part in ("questions", "unknown", "not_looked_up") for line in report.get(part, ())]

    @property
    def penalties(self) -> list[Any]:
        """The penalties that the file proposes, or those on record: the first ones."""
        return self.block.penalties.rows

    @property
    def more_penalties(self) -> int:
        """How many more there are."""
        return self.block.penalties.more

    @property
    def open(self) -> list[Finding]:
        """What keeps the event from being submitted."""
        return self.page.obstacles


class SectionFileView(EventView):
    """The file of a section."""

    scopes = {"GET": (_SUBMIT, _READ_OWN), "HEAD": (_SUBMIT, _READ_OWN), "PUT": (_SUBMIT,)}
    parser_classes = (BytesParser,)
    has_fields = False

    @extend_schema(
        summary="How far a section’s file is", responses=serializers.SectionFileAnswer, operation_id="section_file"
    )
    def get(self, request: Request, event: int, section: int) -> Response:
        """Answer with the file that is to be sent in, or was, and what the check finds: the findings of the page."""
        return self.state_of(self.shown_event(event), section)

    @extend_schema(
        summary="Send in a section’s file",
        request={"application/octet-stream": OpenApiTypes.BINARY},
        parameters=[serializers.FileWords],
        responses={202: serializers.SectionFileAnswer},
        operation_id="put_section_file",
    )
    def put(self, request: Request, event: int, section: int) -> Response:
        """Answer with the state of the file, which a worker checks: ask at `status` until it is no longer `checking`.

        It takes the place of the section's present file, as an upload on the page does. The same file again, of the same
        name, changes nothing.
        """
        row, now = self.written_event(event), timezone.now()
        there = sections_to_rate(row).filter(pk=section).first() or row.sections.filter(pk=section).first()
        if there is None:
            raise Http404("The event has no such section.")
        content = request.data if isinstance(request.data, bytes) else b""
        if len(content) > MAX_BYTES:
            raise Problem("too-large", too_large(self.asked()["name"], len(content)))
        try:
            push_file(there, name=self.asked()["name"], content=content, at=now, by=self.user)
        except EventError as error:
            raise Problem("not-done", str(error)) from error
        wake_all(row)
        answer = self.state_of(row, section)
        answer.status_code = 202
        return answer

    def known_words(self) -> list[str]:
        """Return the words of the query."""
        return ["name"] if self.request.method == "PUT" else []

    def asked(self) -> dict[str, Any]:
        """Return the words of the query. Raises Problem."""
        return self.words(serializers.FileWords)

    def state_of(self, event: Event, section: int) -> Response:
        """Answer with the state of a section's file. Raises Http404."""
        page = self.results(event)
        block = next((block for block in page.blocks if block.section.pk == section), None)
        if block is None or event.kind == Kind.ABROAD:
            raise Http404("The event has no such section, or it is refused, or played abroad.")
        return self.one(serializers.SectionFileAnswer, SectionFile(page, block))


@dataclass(frozen=True, slots=True)
class Submitted:
    """An event with the submissions of its sections."""

    event: Event
    sections: list[Submission]


class SubmitView(EventView):
    """Submitting an event."""

    scopes = {"GET": (_SUBMIT,), "HEAD": (_SUBMIT,), "POST": (_SUBMIT,)}
    parser_classes = (LimitedJSONParser,)
    has_fields = False

    @extend_schema(
        summary="What is declared when an event is submitted",
        responses=serializers.SubmitFormAnswer,
        operation_id="submit_form",
    )
    def get(self, request: Request, event: int) -> Response:
        """Answer with the text of the declaration, and with what still keeps the event from being submitted."""
        self.context = {"declaration": DECLARATION}
        return self.one(serializers.SubmitFormAnswer, self.results(self.shown_event(event)))

    @extend_schema(
        summary="Submit an event",
        request=serializers.SubmitRequest,
        responses={200: serializers.SubmittedAnswer, 202: serializers.SubmittedAnswer},
        operation_id="submit",
    )
    def post(self, request: Request, event: int) -> Response:
        """Answer with what is submitted: the files of all sections, which the ratings officer has then.

        Large files are checked once more and sent in by a worker: then the answer is 202, without sections, and GET tells how
        far it is. The declaration of article 57.2 is sent back as GET gives it. If something is open, nothing is submitted.
        """
        row, now = self.written_event(event), timezone.now()
        asked = self.sent(serializers.SubmitRequest)
        if asked["declaration"].strip() != DECLARATION:
            message = "Send the text of the declaration as GET at this address gives it (article 57.2)."
            raise invalid_document([PlacedError("declaration", "invalid", message)])
        try:
            submitted = submit_or_wake(
                row, declared=True, reason=asked["reason"], shown=asked.get("version"), at=now, by=self.user
            )
        except EventError as error:
            if row.state in AWAITING_RESULTS:
                ask_few_again(row, at=now)
            places = [
                PlacedError(f"sections[{finding.section}]" if finding.section else "", finding.code, finding.message)
                for finding in self.results(row).obstacles
            ]
            raise Problem("not-done", str(error), places) from error
        sections = Submission.objects.filter(section__event=row, upload__isnull=False, at=now)
        answer = Submitted(
            row, list(sections.select_related("file").defer("file__content").order_by("section__position"))
        )
        response = self.one(serializers.SubmittedAnswer, answer)
        response.status_code = 200 if submitted else 202
        return response


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A user's event with what is open."""

    own: OwnEvent
    submits: bool
    open: list[Finding]
    sections: list[Section]


class MyEvents(TokenView, Collection):
    """The events of the token's user."""

    scopes = {"GET": (_READ_OWN,), "HEAD": (_READ_OWN,)}

    @extend_schema(
        summary="The events of the token’s user",
        responses=serializers.OwnEventAnswer(many=True),
        operation_id="my_events",
    )
    def get(self, request: Request) -> Response:
        """Answer with the events that the user may see beyond what is public, drafts too, and what is open with each."""
        now = timezone.now()
        page = own_page(
            self.user,
            after=self.key("after"),
            before=self.key("before"),
            size=self.limit(),
            at=now,
            today=timezone.localdate(now),
        )
        rows = list(_own_rows(page.rows, page.regions))
        return self.page(serializers.OwnEventAnswer, rows, before=page.before, after=page.after)


def _own_rows(events: list[OwnEvent], regions: frozenset[int]) -> Iterator[OwnRow]:
    """Yield events with what is open. A query, and two or more for each event whose results are awaited."""
    sections: dict[int, list[Section]] = {}
    keys = [own.event.pk for own in events]
    for section in Section.objects.filter(event__in=keys).order_by("position", "pk"):
        sections.setdefault(section.event_id, []).append(section)
    for own in events:
        event, missing = own.event, []
        if event.state in AWAITING_RESULTS and event.kind != Kind.ABROAD:
            missing = obstacles(event, not_submitted(event.uploads.all()).prefetch_related("corrections"))
        yield OwnRow(own, event.region_id in regions, missing, sections.get(event.pk, []))
