"""Takes in evidence. One transaction; the clock and the actor are passed in."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.trail.operations import record
from config.lib.texts import plain_text
from events.archive import store_file
from events.models import Appeal, Attachment, ErrorReport, Event
from events.rules.attachments import MOST_ATTACHMENTS, display_name, stored_name, validate
from events.rules.states import AWAITING_RESULTS, EventError
from events.wording import state_name


def take(
    name: str,
    content: bytes,
    *,
    at: datetime,
    by: User | None,
    event: Event | None = None,
    about: str = "",
    appeal: Appeal | None = None,
    report: ErrorReport | None = None,
    note: str = "",
) -> Attachment:
    """Store a file as evidence. It is attached to a finding of an event (`about`: its code) to an appeal, or to
    a report of an error.

    Raises EventError for a file that is not taken (`validate`), and when MOST_ATTACHMENTS are there already. The same content
    sent again for the same purpose is the attachment that is there.
    """
    kind = validate(name, content)
    with transaction.atomic():
        if event is not None:
            Event.objects.select_for_update().get(pk=event.pk)
        there = Attachment.objects.filter(event=event, about=about, appeal=appeal, report=report)
        file = store_file(content)
        same = there.filter(file=file).first()
        if same is not None:
            return same
        if (event or appeal or report) and there.count() >= MOST_ATTACHMENTS:
            raise EventError(
                gettext("%(most)s files are attached already: put several pages into one PDF")
                % {"most": MOST_ATTACHMENTS}
            )
        return Attachment.objects.create(
            event=event,
            about=about,
            appeal=appeal,
            report=report,
            file=file,
            name=stored_name(name, kind),
            kind=kind.code,
            note=plain_text(note),
            at=at,
            by=by,
        )


def already_there(name: str, attachment: Attachment) -> str:
    """Return the message that the content of a file called `name` is attached already, under which name."""
    return gettext("%(file)s is attached already, as %(name)s.") % {
        "file": display_name(name) or gettext("The file"),
        "name": attachment.name,
    }


def remove_proof(attachment: Attachment, *, at: datetime, by: User) -> None:
    """Take a proof away from a finding of an event, before the event is sent in; the trail keeps that it was there.

    Raises EventError once the ratings officer has the event: what he reads stays.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(attachments=attachment)
        if event.state not in AWAITING_RESULTS:
            raise EventError(
                gettext("The event is %(state)s: a proof is taken away only before it is sent in.")
                % {"state": state_name(event.state)}
            )
        before = {"name": attachment.name, "for": attachment.about}
        record("proof taken away", attachment, at=at, by=by, part_of=event, before=before)
        attachment.delete()
