"""The bodies that organise national events, and which of them an officer has approved (article 62.4)."""

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from events.models import BodyApproval, Event, Kind
from events.rules.states import State

# Its results are not accepted yet, and may still be.
OPEN_TO_APPROVAL = (State.LATE, State.REGISTERED, State.SUBMITTED, State.RETURNED)


def organising_body(event: Event) -> str:
    """Return the name of the body that organises an event: its region's, if the registration names none."""
    return event.organising_body or event.region.name


def body_approval(event: Event) -> BodyApproval | None:
    """Return the approval of the body that a national event names now, or None."""
    return event.body_approvals.filter(body=organising_body(event)).first()


def waiting_for_approval() -> QuerySet[Event]:
    """Return the national events on their way to acceptance whose organising body is not approved."""
    named = NullIf(F("organising_body"), Value("", output_field=CharField()))
    approvals = BodyApproval.objects.filter(event=OuterRef("pk"), body=OuterRef("body"))
    events = Event.objects.filter(kind=Kind.NATIONAL, state__in=OPEN_TO_APPROVAL)
    return events.annotate(body=Coalesce(named, F("region__name"))).exclude(Exists(approvals))
