"""Keeps what was typed into a form of the page of results and was refused. One transaction each."""

from datetime import datetime
from typing import cast

from django import forms
from django.http import QueryDict

from accounts.models import User
from config.lib.forms import plain_data
from events.models import Event, UnsavedAnswer


def keep_typed(event: Event, form: forms.Form, *, at: datetime, by: User) -> None:
    """Keep what was sent with a form, but for characters that cannot be seen, in place of what was kept of it before."""
    sent = plain_data(cast("QueryDict", form.data))
    fields = {name: sent.getlist(name) for name in sent if name.startswith(f"{form.prefix}-")}
    given = {"by": by, "at": at, "fields": fields}
    UnsavedAnswer.objects.update_or_create(event=event, form=form.prefix, defaults=given)


def forget_typed(event: Event, prefix: str) -> None:
    """Drop what is kept of a form: it is answered, or no longer wanted."""
    UnsavedAnswer.objects.filter(event=event, form=prefix).delete()


def typed_answers(event: Event) -> dict[str, QueryDict]:
    """Return what is kept, as forms take it, by the prefix of each form. One query."""
    kept = {}
    for answer in UnsavedAnswer.objects.filter(event=event):
        kept[answer.form] = data = QueryDict(mutable=True)
        for name, values in answer.fields.items():
            data.setlist(name, values)
    return kept
