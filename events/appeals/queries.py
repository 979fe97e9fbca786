"""Reads refusals, appeals and requests for permission, for the timeline, a region's pages and its list of events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.template.defaultfilters import truncatechars
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from config.lib import formatting
from events.appeals.size_requests import ASKING, section_name, why_not_permitted
from events.models import Appeal, Event, PermissionRequest, Refusal, Section
from events.rules.deadlines import appeal_closes, last_day_before, permission_closes
from events.rules.sizes import smallest
from events.rules.states import State
from events.timeline import MoveFacts, TimelineStep
from events.wording import Deadline, deadline_before, since_text

# Marked for translation, as are the other texts of steps that depend on who acted and how it ended.
_OFFICER, _PANEL = gettext_noop("by the ratings officer"), gettext_noop("by the appeals panel")
_MARKED = (
    gettext_noop("by the Regional Administrator"), gettext_noop("by the Chief Organiser"),
    gettext_noop("by the sender of results from abroad"), gettext_noop("appeal upheld"), gettext_noop("appeal dismissed"),
)  # fmt: skip
_WIDEST_NAME = 24  # characters of a section's name on the timeline
_WITH_APPEAL = ("section", "appeal", "appeal__by", "appeal__answered_by")


def appeal_steps(refusals: Iterable[Refusal], *, today: date) -> tuple[list[MoveFacts], list[TimelineStep]]:
    """Return the steps that an event's refusals and their appeals add to its timeline: those that happened and those ahead.

    The refusal of the whole event and its lifting are moves of the event, and not among them.
    """
    happened: list[MoveFacts] = []
    ahead: list[TimelineStep] = []
    for refusal in refusals:
        subject = _of(refusal.section)
        if refusal.section_id:
            happened.append(MoveFacts(None, refusal.at, gettext(_OFFICER), subject + gettext("refused")))
        if refusal.section_id and refusal.lifted_at and refusal.taken_back_reason:
            happened.append(
                MoveFacts(None, refusal.lifted_at, gettext(_OFFICER), subject + gettext("refusal taken back"))
            )
        appeal = _appeal(refusal)
        if appeal is None:
            closes = appeal_closes(refusal.notified_at)
            if refusal.lifted_at is None and (closes is None or today <= last_day_before(closes)):
                ahead.append(TimelineStep(subject + gettext("appeal, if lodged"), appeal_due(refusal), "", "next"))
            continue
        party = gettext(f"by {appeal.get_party_display()}")
        happened.append(MoveFacts(None, appeal.at, party, subject + gettext("appeal lodged")))
        if appeal.answered_at is None:
            ahead += _waiting(appeal, subject, today)
        elif appeal.state == Appeal.State.DISMISSED or (refusal.section_id and appeal.state == Appeal.State.UPHELD):
            happened.append(
                MoveFacts(None, appeal.answered_at, gettext(_PANEL), subject + gettext(f"appeal {appeal.state}"))
            )
    happened.sort(key=lambda step: step.at)
    return [replace(step, label=formatting.sentence(step.label)) for step in happened], [
        replace(step, label=formatting.sentence(step.label)) for step in ahead
    ]


def appeal_due(refusal: Refusal) -> str:
    """Return in words until when a refusal can be appealed."""
    closes = appeal_closes(refusal.notified_at)
    if closes is None:
        return gettext("no last day before the notice (article 11)")
    values = {"day": formatting.day(last_day_before(closes)), "article": "11"}
    return gettext("by %(day)s (article %(article)s)") % values


def _waiting(appeal: Appeal, subject: str, today: date) -> list[TimelineStep]:
    since = timezone.localdate(appeal.at)
    day = since_text(since, today)
    answer = TimelineStep(subject + gettext("appeal answered"), "", "", "next")
    if appeal.refusal.section_id:
        return [answer]
    return [TimelineStep(gettext("With the appeals panel"), day, "", "now", since.isoformat()), answer]


def _of(section: Section | None) -> str:
    return f"{truncatechars(section_name(section), _WIDEST_NAME)}: " if section else ""


def _appeal(refusal: Refusal) -> Appeal | None:
    return getattr(refusal, "appeal", None)


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """A refusal with its reason, the last day to appeal, and its appeal, if any.

    `deadline`: None while nobody was notified; `taken_back`: the officer's reason for taking it back, or ""; `can_appeal`: an
    appeal can still be lodged.
    """

    id: int
    what: str
    day: str
    reason: str
    lifted: bool
    taken_back: str
    deadline: Deadline | None
    appeal: Appeal | None
    can_appeal: bool


def refusal_rows(event: Event, *, at: datetime) -> list[RefusalRow]:
    """Return the refusals of an event and its sections, latest first. One query."""
    rows = []
    for refusal in event.refusals.select_related(*_WITH_APPEAL).order_by("-at", "-pk"):
        appeal, lifted = _appeal(refusal), refusal.lifted_at is not None
        closes = appeal_closes(refusal.notified_at)
        deadline = deadline_before(closes, "11", at=at) if closes else None
        rows.append(
            RefusalRow(
                id=refusal.pk,
                what=section_name(refusal.section) if refusal.section else gettext("The whole event"),
                day=formatting.day(timezone.localdate(refusal.at)),
                reason=refusal.reason,
                lifted=lifted,
                taken_back=refusal.taken_back_reason,
                deadline=deadline,
                appeal=appeal,
                can_appeal=appeal is None and not lifted and not (deadline and deadline.late),
            )
        )
    return rows


def permission_rows(event: Event) -> list[PermissionRequest]:
    """Return the requests for permission of an event's sections, latest first. One query."""
    return list(PermissionRequest.objects.filter(section__event=event).select_related("section"))


def permission_deadline(event: Event, *, at: datetime) -> Deadline:
    """Return the last day to ask permission for a section of an event (article 18)."""
    return deadline_before(permission_closes(event.ends), "18", at=at)


def smallest_sizes(sections: Iterable[Section]) -> list[str]:
    """Return in words the smallest size at which each section is rated without permission (article 17)."""
    return [
        gettext("%(section)s, %(format)s: %(players)s players and %(rounds)s rounds")
        % {
            "section": section_name(section),
            "format": gettext(section.get_format_display()),
            "players": players,
            "rounds": rounds,
        }
        for section in sections
        for players, rounds in [smallest(section.format, section.ends, disabled=section.disabled)]
    ]


@dataclass(frozen=True, slots=True)
class Recourse:
    """A region's links and tasks for an event: `appeal` is the text of the link, or "".

    `permission`: whether permission can be asked, or waits for its answer; `task` and `due`: the next step of a refused event;
    `open`: it can be appealed, until `closes`, the first moment that is too late, if one is set.
    """

    appeal: str = ""
    permission: bool = False
    task: str = ""
    due: str = ""
    open: bool = False
    closes: datetime | None = None


def recourse(events: Iterable[Event], *, at: datetime) -> dict[int, Recourse]:
    """Return the recourse of each event, by key. One query, and two if permission can be asked for one of them."""
    chosen = list(events)
    asking = [event for event in chosen if event.state in ASKING]
    refusals: dict[int, list[Refusal]] = {}
    for refusal in Refusal.objects.filter(event__in=chosen).select_related(*_WITH_APPEAL):
        refusals.setdefault(refusal.event_id, []).append(refusal)
    settled = (PermissionRequest.State.ASKED, PermissionRequest.State.GRANTED)
    to_permit = set(  # events with a section of which it can still be asked
        Section.objects.filter(event__in=asking)
        .exclude(permission_requests__state__in=settled)
        .order_by()
        .values_list("event", flat=True)
    )
    waiting = set(
        PermissionRequest.objects.filter(section__event__in=asking, state=PermissionRequest.State.ASKED)
        .order_by()
        .values_list("section__event", flat=True)
    )
    return {
        event.pk: _recourse(
            event, refusals.get(event.pk, []), event.pk in waiting, to_permit=event.pk in to_permit, at=at
        )
        for event in chosen
    }


def _recourse(event: Event, refusals: list[Refusal], waiting: bool, *, to_permit: bool, at: datetime) -> Recourse:
    appeal = task = due = ""
    until: datetime | None = None
    is_open = False
    for refusal in refusals:
        lodged, closes = _appeal(refusal), appeal_closes(refusal.notified_at)
        appeal = appeal or gettext("Refusal")
        if refusal.lifted_at is not None:
            continue
        subject = gettext("the refusal")
        if refusal.section is not None:
            subject = gettext("the refusal of %(section)s") % {"section": section_name(refusal.section)}
        if lodged is None and (closes is None or at < closes):
            appeal = gettext("Appeal")
            task = gettext("Appeal %(refusal)s, or let it stand") % {"refusal": subject}
            due, until, is_open = appeal_due(refusal), closes, True
        elif lodged is not None and lodged.answered_at is None:
            task = gettext("The appeals panel answers the appeal against %(refusal)s") % {"refusal": subject}
            due, until, is_open = "", None, False
    ahead = event.state != State.SUBMITTED and to_permit  # of what is sent in the officer decides with the results
    permission = event.state in ASKING and (waiting or (ahead and not why_not_permitted(event, at=at)))
    return Recourse(appeal, permission, task, due, is_open, until)
