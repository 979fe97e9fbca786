"""Keeps what was typed into a registration and cannot be saved as it stands. One transaction each."""

import re
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.http import QueryDict

from accounts.models import User
from config.lib.days import is_plausible
from config.lib.forms import plain_data
from events.models import Event, UnsavedRegistration

# What the form sends besides its buttons and the token: the fields of the event, of its rows, and the two reasons.
_FIELD = re.compile(r"[a-z_]{1,20}|(section|arbiter)-[A-Z_]{1,20}|(section|arbiter)-\d{1,3}-[a-z_\d]{1,20}")
BEGUN_KEPT = timedelta(days=60)
SHOWN = "typed"  # the field with the moment of what was typed before and the page shows
_NOT_KEPT = {"csrfmiddlewaretoken", "do", SHOWN}


def keep_typed(data: QueryDict, *, event: Event | None, page: UUID | None, at: datetime, by: User) -> bool:
    """Keep what was typed, in place of what was kept of the event, or of the new registration of this page, before. Return
    False if that was other words of the event than those that the page showed: these stay.

    Without an event and a page nothing is kept, nor of an event that is gone, and never a character that cannot be seen. `data`
    has then what its page shows.
    """
    plain = plain_data(data)
    fields = {name: plain.getlist(name) for name in plain if name not in _NOT_KEPT and _FIELD.fullmatch(name)}
    if event is not None:
        given = {"by": by, "at": at, "version": event.version, "fields": fields}
        with transaction.atomic():
            # Locked before it is compared: two who are refused at one moment would both find nothing kept.
            if not Event.objects.select_for_update(no_key=True).filter(pk=event.pk):
                return True
            if UnsavedRegistration.objects.filter(event=event).exclude(_shown(data)).exists():
                return False
            UnsavedRegistration.objects.update_or_create(event=event, defaults=given)
        data[SHOWN] = at.isoformat()
    elif page is not None:
        UnsavedRegistration.objects.update_or_create(by=by, page=page, defaults={"at": at, "fields": fields})
    return True


def forget_typed(data: QueryDict, *, event: Event | None = None, page: UUID | None = None, by: User) -> None:
    """Drop what is kept of an event, if the page that was sent showed it, and of the new registration of a user from which it
    came."""
    if event is not None:
        UnsavedRegistration.objects.filter(_shown(data), event=event).delete()
    if page is not None:
        UnsavedRegistration.objects.filter(page=page, by=by).delete()


def _shown(data: QueryDict) -> Q:
    """Return the condition of words that the page showed which was sent; of a program, which sends no such field, all."""
    if SHOWN not in data:
        return Q(pk__isnull=False)
    try:
        shown = datetime.fromisoformat(str(data[SHOWN]))
    except ValueError:
        return Q(pk=None)
    # As it is written on the page: other offsets or years are more than databases take.
    return Q(at=shown) if shown.utcoffset() == timedelta() and is_plausible(shown.date()) else Q(pk=None)


def typed_of(event: Event) -> UnsavedRegistration | None:
    """Return what was typed of an event and is not saved, or None."""
    return UnsavedRegistration.objects.select_related("by").filter(event=event).first()


def begun_by(user: User) -> list[UnsavedRegistration]:
    """Return the new registrations that a user began and that are no drafts yet, the latest first."""
    return list(UnsavedRegistration.objects.filter(by=user, event=None))


def clear_begun(*, at: datetime) -> None:
    """Delete new registrations that became no draft and were not changed for BEGUN_KEPT."""
    UnsavedRegistration.objects.filter(event=None, at__lte=at - BEGUN_KEPT).delete()


def as_data(typed: UnsavedRegistration) -> QueryDict:
    """Return what was typed as a form takes it."""
    data = QueryDict(mutable=True)
    for name, values in typed.fields.items():
        data.setlist(name, values)
    return data
