"""What of an event is public, and from when on."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from events.models import AbroadLink, Entry, Kind, Refusal
from events.rules.states import State
from players.models import Player

RESULTS_SHOWN = frozenset({State.ACCEPTED, State.CALCULATED, State.PUBLISHED})


def public_events() -> "Q":
    """Drafts are not shown to anybody but their organiser, and what came by a mailed link not before it is accepted:
    anybody can have such a link, and write what he likes."""
    return ~Q(state=State.DRAFT.value) & ~unseen_from_abroad()


def unseen_from_abroad() -> Q:
    """The events that were sent in by a mailed link and that no officer has accepted."""
    by_link = AbroadLink.objects.filter(event__isnull=False).values("event")
    return Q(kind=Kind.ABROAD, pk__in=by_link) & ~Q(state__in=[state.value for state in RESULTS_SHOWN])


def results_shown(section: str) -> Q:
    """Names and results are public once the event of `section` is accepted: nobody has looked at a file before. Those of a
    section that is refused are not."""
    refused = Refusal.objects.filter(section__isnull=False, lifted_at=None).order_by().values("section")
    accepted = Q(**{f"{section}__event__state__in": [state.value for state in RESULTS_SHOWN]})
    return accepted & ~Q(**{f"{section}__in": refused})


def public_players() -> QuerySet[Player]:
    """The register without those whom only files that nobody has accepted name; abroad there are no files, and nobody new."""
    accepted = Entry.objects.filter(results_shown("section"), player=OuterRef("player"))
    unseen = Entry.objects.exclude(results_shown("section")).exclude(section__event__kind=Kind.ABROAD)
    waiting = unseen.filter(~Exists(accepted)).order_by()
    return Player.objects.exclude(pk__in=waiting.values("player"))
