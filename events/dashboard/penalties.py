"""How many penalties of an event nobody has answered for yet, which its arbiters can do (articles 51, 52)."""

from collections import Counter
from collections.abc import Collection

from config.languages import counted
from events.models import Event, Penalty, Upload
from events.operations import section_refusals
from events.penalties.operations import ANSWERABLE
from events.rules.states import AWAITING_RESULTS
from events.submission.uploads import not_submitted, unanswered_proposals


def penalties_words(count: int) -> str:
    """Return what an arbiter is asked to do about penalties without an answer."""
    return counted(
        count,
        "Say of %(count)s penalty whether the absence was announced",
        "Say of %(count)s penalties whether the absences were announced",
    )


def unanswered_penalties(events: Collection[Event]) -> dict[int, int]:
    """Return the number of penalties without an answer by key of the event, those that its results page asks about: of each
    section that is not refused what its file that is still to be sent in proposes, without one what is on record. Three
    queries at most."""
    found: Counter[int] = Counter()
    refused = section_refusals().values("section")
    ahead = [event.pk for event in events if event.state in AWAITING_RESULTS]
    files = not_submitted(Upload.objects.filter(event__in=ahead, section__isnull=False))
    files = files.exclude(section__in=refused).only("event", "section", "report")
    uploads = list(files.prefetch_related("corrections")) if ahead else []
    for upload in uploads:
        found[upload.event_id] += len(unanswered_proposals(upload))
    on_record = [event.pk for event in events if event.state in ANSWERABLE]
    if on_record:
        rows = Penalty.objects.filter(section__event__in=on_record, status=Penalty.Status.PROPOSED, final=False)
        rows = rows.exclude(section__in=[upload.section_id for upload in uploads])
        found.update(rows.exclude(section__in=refused).values_list("section__event", flat=True))
    return dict(found)
