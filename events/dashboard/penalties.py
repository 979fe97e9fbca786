"""How many penalties of an event nobody has answered for yet, which its arbiters can do (articles 51, 52)."""

from collections import Counter
from collections.abc import Collection

from django.db.models import Count

from config.languages import counted
from events.models import Correction, Event, Penalty, Upload
from events.penalties.operations import ANSWERABLE
from events.rules.corrections import PENALTY
from events.rules.states import AWAITING_RESULTS


def penalties_words(count: int) -> str:
    """Return what an arbiter is asked to do about penalties without an answer."""
    return counted(
        count,
        "Say of %(count)s penalty whether the absence was announced",
        "Say of %(count)s penalties whether the absences were announced",
    )


def unanswered_penalties(events: Collection[Event]) -> dict[int, int]:
    """Return the number of penalties without an answer by key of the event: those on record, and those that files propose
    which are still to be sent in. Three queries at most."""
    found: Counter[int] = Counter()
    on_record = [event.pk for event in events if event.state in ANSWERABLE]
    if on_record:
        rows = Penalty.objects.filter(section__event__in=on_record, status=Penalty.Status.PROPOSED).order_by()
        found.update(dict(rows.values_list("section__event").annotate(Count("pk"))))
    ahead = [event.pk for event in events if event.state in AWAITING_RESULTS]
    waiting = Upload.objects.filter(submission=None, discarded_at=None)  # the files still to be sent in
    uploads = list(waiting.filter(event__in=ahead).only("event", "report")) if ahead else []
    proposing = [upload for upload in uploads if upload.report.get("proposals")]
    if proposing:
        answers = Correction.objects.filter(upload__in=proposing, kind=PENALTY.code)
        answered = set(answers.values_list("upload", "key"))
        for upload in proposing:
            found[upload.event_id] += sum(
                not row.get("decided") and (upload.pk, row["key"]) not in answered for row in upload.report["proposals"]
            )
    return dict(found)
