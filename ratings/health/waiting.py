"""What waits for a worker: of each kind of job how many, and since when the oldest."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, DateTimeField, Exists, F, Func, Min, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from accounts.models import Mail
from accounts.outbox.operations import PUT_OFF
from config.lib import formatting
from config.lib.leases import free
from events.models import Declaration, Upload
from events.submission.uploads import not_submitted
from ratings.models import Download, ImportJob, PublishedRun, RatingRun, Rerating
from ratings.personal_data.erasure.jobs import to_erase
from ratings.rerating.new_files import to_read
from ratings.runs.filling import to_fill

PATIENCE = timedelta(minutes=15)  # after which something is the matter

_NOUNS = {
    "runs": ("rating run", "rating runs"),
    "re-ratings": ("re-rating", "re-ratings"),
    "new files": ("new file for a published section", "new files for published sections"),
    "imports": ("list that was brought in", "lists that were brought in"),
    "files": ("file to be checked", "files to be checked"),
    "submissions": ("event to be sent in", "events to be sent in"),
    "erasures": ("erasure", "erasures"),
    "fillings": ("list to be filled", "lists to be filled"),
    "downloads": ("month without its downloads", "months without their downloads"),
    "mails": ("mail", "mails"),
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """The jobs of a kind that no worker has in hand: how many, and since when the oldest waits at the moment `at`."""

    kind: str
    count: int
    since: datetime
    at: datetime

    @property
    def count_text(self) -> str:
        """How many of what."""
        return formatting.count(self.count, *_NOUNS[self.kind])

    @property
    def age(self) -> timedelta:
        """How long the oldest has waited."""
        return self.at - self.since

    @property
    def age_text(self) -> str:
        """How long ago that was."""
        return ago(self.since, self.at)

    @property
    def is_late(self) -> bool:
        """Whether the oldest waits longer than a worker that is well lets it."""
        return self.age > PATIENCE


def ago(moment: datetime, at: datetime) -> str:
    """Return how long before `at` a moment was, in words."""
    seconds = max(0, round((at - moment).total_seconds()))
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{formatting.count(seconds // length, unit)} ago"
    return f"{formatting.count(seconds, 'second')} ago"


def waiting(*, at: datetime) -> list[Waiting]:
    """Return what waits, that first which waits longest. One query."""
    unheld = free(at=at)
    lacks_files = ~Exists(Download.objects.filter(run=OuterRef("run")))
    # One month after the other: while they are made, what comes later waits for the month before it.
    made = Download.objects.filter(made_at__lte=at).order_by("-made_at").values("made_at")[:1]
    last_made = Coalesce(Subquery(made), "files_asked_at")
    # By the recipient's server alone, and the mail server has taken another since.
    taken_since = Mail.objects.filter(state=Mail.State.SENT, sent_at__gt=OuterRef("created_at"), sent_at__lte=at)
    put_off = Q(Exists(taken_since), last_error__startswith=PUT_OFF)
    uploads = not_submitted(Upload.objects.all()).exclude(checked=F("asked")).filter(error="")
    jobs: dict[str, tuple[QuerySet[Any], str | Func]] = {
        "runs": (
            RatingRun.objects.filter(unheld, state__in=RatingRun.UNDER_WAY, rerating=None),
            Coalesce("lease_until", "publication_asked_at", "queued_at"),
        ),
        "re-ratings": (
            Rerating.objects.filter(unheld, state__in=Rerating.UNDER_WAY),
            Coalesce("lease_until", "publication_asked_at", "queued_at"),
        ),
        "new files": (to_read(at=at), Coalesce("lease_until", "at")),
        "imports": (
            ImportJob.objects.filter(unheld, state__in=ImportJob.UNDER_WAY),
            Coalesce("lease_until", "asked_at"),
        ),
        "erasures": (to_erase(at=at), Coalesce("lease_until", "asked_at")),
        "files": (uploads, "asked_at"),
        "submissions": (Declaration.objects.filter(error=""), "at"),
        "fillings": (to_fill(), "fill_asked_at"),
        "downloads": (PublishedRun.objects.filter(lacks_files), Greatest("files_asked_at", last_made)),
        "mails": (Mail.objects.filter(state=Mail.State.WAITING).exclude(put_off), "created_at"),
    }
    first, *others = (_summary(kind, rows, since) for kind, (rows, since) in jobs.items())
    found = first.union(*others, all=True)
    return sorted(
        (Waiting(row["job"], row["number"], row["oldest"], at) for row in found if row["oldest"]),
        key=lambda row: (row.since, row.kind),
    )


def _summary(kind: str, rows: QuerySet[Any], since: str | Func) -> QuerySet[Any, dict[str, Any]]:
    grouped = rows.order_by().annotate(job=Value(kind)).values("job")
    figures = {"number": Count("pk"), "oldest": Min(since, output_field=DateTimeField())}
    summary: QuerySet[Any, dict[str, Any]] = grouped.annotate(**figures).values("job", "number", "oldest")
    return summary
