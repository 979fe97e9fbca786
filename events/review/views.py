"""The review page of an event on the officers' desk, and what is decided there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.permissions import acting_user
from accounts.trail.admin_base import trail_address
from accounts.trail.right_lost import right_lost
from config.lib import formatting
from config.lib.parsing import parse_pk
from events.claims import claim, claim_of, release
from events.models import Event, Kind, Penalty, Section
from events.operations import EventError
from events.penalties.operations import decide_penalties
from events.public.page_size import fit_page
from events.public.queries import event_sections
from events.public.tables import SectionTable, section_tables
from events.review import decisions
from events.review.forms import WHOLE, DecisionForm
from events.review.operations import ChangedError, as_shown, note_opened, waive_hold
from events.review.queries import EventReview, FindingRow, PlayerRow, SectionReview, read_review
from events.review.queue import TRAY_WORDS, Tray, next_event, tray_of
from events.rules.sizes import LONGEST_NOTICE
from events.rules.states import ACCEPTED_OR_LATER, State
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.queries import publications
from ratings.live.expected import Rated, rated
from ratings.live.preview import Preview, preview

RIGHT = "events.change_event"
_DONE = {"accept": "accepted", "grant": "registered", "return": "returned", "refuse": "refused"}
_TYPED = ("letter", "reason", "grant_reason", "penalty_reason")
_RETURNABLE = (State.SUBMITTED, State.ACCEPTED, State.CALCULATED)

View = Callable[..., HttpResponseBase]


def urls() -> list[URLPattern]:
    """Return the addresses of the review, below that of the events on the desk."""
    return [
        path("review/next/", _guarded(begin), name="events_event_review_next"),
        path("<int:event>/review/", _guarded(review), name="events_event_review"),
        *(
            path(f"<int:event>/review/{part}/", _guarded(_posted(view)), name=f"events_event_review_{name}")
            for part, view, name in (
                ("decide", decide, "decide"),
                ("holds/<int:finding>", waive, "waive"),
                ("penalties/<int:penalty>", penalty, "penalty"),
                ("claim", hold_claim, "claim"),
            )
        ),
    ]


def _posted(view: View) -> View:
    """Return a view of what is sent, which leads whoever only opens its address, after a log-in perhaps, to the page."""

    def sent(request: HttpRequest, event: int, **named: Any) -> HttpResponseBase:
        return (
            view(request, event, **named) if request.method == "POST" else HttpResponseRedirect(_address(_event(event)))
        )

    return sent


def _guarded(view: View) -> View:
    """Let officers in; who lost the right while he wrote gets his words back. What is sent from the page says that it is open:
    the page itself, once it is there, or without script a decision."""

    def guarded(request: HttpRequest, **named: Any) -> HttpResponseBase:
        user = request.user
        if request.method == "POST" and not (user.is_authenticated and acting_user(request).has_perm(RIGHT)):
            typed = [request.POST.get(name, "") for name in _TYPED]
            if user.is_authenticated or any(typed):
                return right_lost(request, typed)
        return inside(request, **named)

    def allowed(request: HttpRequest, **named: Any) -> HttpResponseBase:
        if not acting_user(request).has_perm(RIGHT):
            raise PermissionDenied
        left = request.POST.get("do") == "leave"  # which may be an old page
        if request.method == "POST" and "event" in named and not left:
            note_opened(named["event"], at=timezone.now())
        return view(request, **named)

    inside = admin.site.admin_view(never_cache(allowed))
    return guarded


def _event(event: int) -> Event:
    row = Event.objects.select_related("region").filter(pk=event).first()
    if row is None:
        raise Http404("There is no such event.")
    return row


def _tray(text: str) -> Tray | None:
    return Tray(text) if text in list(Tray) else None


def _address(event: Event, tray: Tray | None = None, anchor: str = "") -> str:
    address = reverse("admin:events_event_review", args=[event.pk])
    return f"{address}{f'?tray={tray.value}' if tray else ''}{anchor}"


@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Lead to the event that waits longest in a tray; with `after`, to the next one behind that."""
    tray = _tray(request.GET.get("tray", "")) or Tray.CLEAN
    after = request.GET.get("after", "")
    behind = Event.objects.filter(pk=parse_pk(after)).first()
    row = next_event(tray, behind)
    if row is None:
        left = ", and this is the last" if behind is not None and behind.state in (State.SUBMITTED, State.LATE) else ""
        messages.info(request, f"No other event waits: {TRAY_WORDS[tray]}{left}.")
        return HttpResponseRedirect(_address(behind, tray) if left and behind else reverse("admin:index"))
    return HttpResponseRedirect(_address(row, tray))


@require_safe
def review(request: HttpRequest, event: int) -> HttpResponse:
    """Show all that is known of an event, and the decisions beside it."""
    return _page(request, _event(event))


@dataclass(frozen=True, slots=True)
class Typed:
    """The reason that was typed for a hold or a penalty, which was not decided."""

    kind: str
    pk: int
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A section on the page: what its files say, its tables, and what is expected of the players whom it shows."""

    review: SectionReview
    table: SectionTable
    expected: list[tuple[PlayerRow, list[Rated]]]

    @property
    def lists(self) -> list[ListDefinition]:
        """The lists that the section would change."""
        return [rating.listing for rating in self.expected[0][1]] if self.expected else []


def _page(
    request: HttpRequest,
    event: Event,
    *,
    form: DecisionForm | None = None,
    problem: str = "",
    typed: Typed | None = None,
    status: int = 200,
) -> HttpResponse:
    at, user = timezone.now(), acting_user(request)
    evidence = read_review(event, user)
    tray = _tray(request.POST.get("tray", "") or request.GET.get("tray", "")) or _own_tray(evidence)
    if form is None:
        form = _form(event, evidence)
    previews = [] if event.state in (State.PUBLISHED, State.LATE) else preview(_entered(evidence))
    holder = claim_of(event, at=at)
    state = State(event.state)
    problems = [problem] if problem else []
    problems += [str(error) for errors in form.errors.values() for error in errors] if form.is_bound else []
    context = {
        **admin.site.each_context(request),
        "opts": Event._meta,
        "original": event,
        "title": event.name,
        "subtitle": "Review",
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "evidence": evidence,
        "sections": _sections(evidence, previews),
        "previews": previews,
        "form": form,
        "problems": problems,
        "typed": typed,
        "shown": evidence.version,
        "tray": tray,
        "tray_words": TRAY_WORDS[tray] if tray else "",
        "holder": holder,
        "is_own": holder is not None and holder.by_id == user.pk,
        "may_accept": state is State.SUBMITTED,
        "may_grant": state is State.LATE,
        "may_return": state in _RETURNABLE,
        "may_refuse": bool(form.fields["what"].choices) and state in (*_RETURNABLE, State.LATE, State.RETURNED),  # type: ignore[attr-defined]
        "in_the_way": _in_the_way(evidence),
        "abroad": event.kind == Kind.ABROAD,
        "public_results": state in ACCEPTED_OR_LATER,
        "trail": trail_address(event),
        "longest_reason": LONGEST_NOTICE,
    }
    return TemplateResponse(request, "admin/events/event/review.html", context, status=status)


def _own_tray(evidence: EventReview) -> Tray | None:
    """Return the tray in which the event waits, as `tray_of` does."""
    if evidence.event.state != State.SUBMITTED:
        return Tray.LATE if evidence.event.state == State.LATE else None
    if evidence.event.kind == Kind.ABROAD:
        return Tray.ABROAD
    return Tray.HOLDS if _in_the_way(evidence) or evidence.unanswered else Tray.CLEAN


def _entered(evidence: EventReview) -> dict[Section, list[int]]:
    """Return the players of each section that is to be rated."""
    return {
        row.section: [player.entry.player_id for player in row.players]
        for row in evidence.sections
        if row.refusal is None
    }


def _form(event: Event, evidence: EventReview, data: QueryDict | None = None) -> DecisionForm:
    sections = [row.section for row in evidence.sections if row.refusal is None]
    return DecisionForm(data, event=event, sections=sections, findings=[*evidence.findings, *_notes(evidence)])


def _notes(evidence: EventReview) -> list[FindingRow]:
    return [row for section in evidence.sections for row in section.notes]


def _in_the_way(evidence: EventReview) -> list[tuple[str, str]]:
    """Return what keeps the event from being accepted, each with the place on the page where it is decided."""
    rows = []
    if evidence.open_holds:
        rows.append((formatting.count(len(evidence.open_holds), "hold") + " to waive", "#findings"))
    if evidence.waiting_penalties:
        number = formatting.count(len(evidence.waiting_penalties), "penalty", "penalties")
        rows.append((f"{number} for you to decide", "#penalties"))
    if evidence.body:
        rows.append((f"the organising body, {evidence.body}, is not approved (article 62.4)", "#arbiters"))
    return rows


def _sections(evidence: EventReview, previews: list[Preview]) -> list[Shown]:
    lists = list_definitions()
    published = publications() if evidence.event.state == State.PUBLISHED else []
    sections = event_sections(evidence.event.pk)
    tables = {table.facts.id: table for table in section_tables(sections, published, lists, on_desk=True)}
    fit_page(tables.values())
    ratings = rated(previews, lists)
    return [
        Shown(
            row,
            tables[row.section.pk],
            [(player, ratings.get((row.section.pk, player.entry.player_id), [])) for player in row.shown_players.rows],
        )
        for row in evidence.sections
    ]


def decide(request: HttpRequest, event: int) -> HttpResponse:
    """Accept, register although late, return or refuse; then lead to the next event of the tray."""
    row = _event(event)
    form = _form(row, read_review(row, acting_user(request)), request.POST)
    shown = request.POST.get("shown", "")
    tray = _tray(request.POST.get("tray", "")) or tray_of(row)
    following = next_event(tray, row) if tray else None
    try:
        with as_shown(row, shown) as present:
            if not form.is_valid():
                return _page(request, row, form=form, status=422)
            told = _carried_out(present, form, request)
    except ChangedError as error:
        return _page(request, _event(event), form=form, problem=f"{error}.", status=409)
    except EventError as error:
        return _page(request, _event(event), form=form, problem=f"{error}.", status=422)
    data = form.cleaned_data
    for text, level in told:
        messages.add_message(request, level, text)
    part = form.sections.get(data["what"]) if data["do"] == "refuse" else None
    messages.success(
        request, format_html('<a href="{}">{}</a>: {}.', _address(row, None), part or row, _DONE[data["do"]])
    )
    if part is not None:
        return HttpResponseRedirect(_address(row, tray))
    if following is None:
        if tray:
            messages.info(request, f"That was the last one: {TRAY_WORDS[tray]}.")
        return HttpResponseRedirect(reverse("admin:index") if tray else _address(row, None))
    return HttpResponseRedirect(_address(following, tray))


def _carried_out(event: Event, form: DecisionForm, request: HttpRequest) -> decisions.Messages:
    data = form.cleaned_data
    decision: dict[str, Any] = {"at": timezone.now(), "by": acting_user(request)}
    match data["do"]:
        case "accept":
            return decisions.accept(event, **decision, penalty_reason=data["penalty_reason"])
        case "grant":
            return decisions.grant(event, **decision, reason=data["grant_reason"])
        case "return":
            return decisions.send_back(event, **decision, reason=data["letter"], ground=data.get("return_ground", ""))
    decision |= {"reason": data["reason"], "ground": data.get("ground", "")}
    if data["what"] == WHOLE:
        return decisions.refuse(event, **decision)
    section = Section.objects.select_related("event__region").get(pk=form.sections[data["what"]].pk)
    return decisions.refuse_part(section, **decision)


def waive(request: HttpRequest, event: int, finding: int) -> HttpResponse:
    """Waive one hold with its reason."""

    def run(row: Event, reason: str) -> None:
        waive_hold(row, finding, at=timezone.now(), by=acting_user(request), reason=reason)

    return _small_decision(request, event, ("hold", finding), "The hold is waived.", run)


def penalty(request: HttpRequest, event: int, penalty: int) -> HttpResponse:
    """Confirm or drop one penalty."""
    status = Penalty.Status.CONFIRMED if request.POST.get("do") == "confirm" else Penalty.Status.DROPPED

    def run(row: Event, reason: str) -> None:
        rows = list(Penalty.objects.filter(pk=penalty, section__event=row))
        if not rows:
            raise EventError("this penalty is no longer there: a new file of the section was sent in")
        if rows[0].status != request.POST.get("from", rows[0].status):
            raise EventError(f"this penalty is {rows[0].status} by now: look at it again")
        decide_penalties(rows, status, at=timezone.now(), by=acting_user(request), reason=reason, final=True)

    return _small_decision(request, event, ("penalty", penalty), f"The penalty is {status.value}.", run)


def _small_decision(
    request: HttpRequest, event: int, part: tuple[str, int], done: str, run: Callable[[Event, str], object]
) -> HttpResponse:
    """Carry out a decision on a part of an event, and lead back there; or show what kept it from that, and what was typed."""
    row, reason = _event(event), request.POST.get("reason", "")
    try:
        if len(reason) > LONGEST_NOTICE:
            raise EventError(f"write at most {LONGEST_NOTICE} characters")
        with transaction.atomic():
            run(row, reason)
    except EventError as error:
        return _page(request, row, problem=f"Nothing was changed: {error}.", typed=Typed(*part, reason), status=422)
    messages.success(request, done)
    return HttpResponseRedirect(_address(row, _tray(request.POST.get("tray", "")), f"#{part[0]}-{part[1]}"))


def hold_claim(request: HttpRequest, event: int) -> HttpResponse:
    """Note that the page is open here, or that it was left."""
    row, user = _event(event), acting_user(request)
    if request.POST.get("do") == "leave":
        release(row, by=user)
    else:
        claim(row, at=timezone.now(), by=user)
    if request.headers.get("X-Requested-With") == "review":
        return HttpResponse(status=204)
    return HttpResponseRedirect(_address(row, _tray(request.POST.get("tray", ""))))
