"""Which events, results and players are public."""

from functools import lru_cache

from django.db.models import Exists, OuterRef, Q, QuerySet

from events.models import AbroadLink, Entry, Kind, Refusal
from events.rules.states import ACCEPTED_OR_LATER, State
from players.hidden import not_hidden
from players.merged import on_register
from players.models import Player


def public_events() -> "Q":
    """Return the condition for public events: not drafts, and results sent by a mailed link only after acceptance.

    Hazard: any visitor can get such a link and write any text.
    """
    return ~Q(state=State.DRAFT.value) & ~unseen_from_abroad()


def unseen_from_abroad() -> Q:
    """Return the condition for events that were submitted by a mailed link and are not accepted."""
    by_link = AbroadLink.objects.filter(event__isnull=False).values("event")
    return Q(kind=Kind.ABROAD, pk__in=by_link) & ~Q(state__in=ACCEPTED_OR_LATER)


def results_shown(section: str) -> Q:
    """Return the condition for public names and results; `section` is the path to the section.

    They are public once the event is accepted, since no officer has seen them before, and not in refused sections.
    """
    refused = Refusal.objects.filter(section__isnull=False, lifted_at=None).order_by().values("section")
    accepted = Q(**{f"{section}__event__state__in": ACCEPTED_OR_LATER})
    return accepted & ~Q(**{f"{section}__in": refused})


def public_players() -> QuerySet[Player]:
    """Return the players whom the public may find: the accepted ones who are not hidden."""
    return accepted_players().filter(not_hidden())


def accepted_players() -> QuerySet[Player]:
    """Return the players on the register without those who are known only from files that are not accepted.

    Results abroad add no players.
    """
    return _accepted_players().all()


@lru_cache(maxsize=1)
def _accepted_players() -> QuerySet[Player]:
    """Built once: its conditions take longer to put together than the database needs for a player."""
    accepted = Entry.objects.filter(results_shown("section"), player=OuterRef("player"))
    unseen = Entry.objects.exclude(results_shown("section")).exclude(section__event__kind=Kind.ABROAD)
    waiting = unseen.filter(~Exists(accepted)).order_by()
    return on_register().exclude(pk__in=waiting.values("player"))
