"""What the queue and the clock start. A task takes an id and calls one function."""

import logging

from celery import shared_task
from django.utils import timezone

from config.lib.database import WORK_SECONDS
from config.lib.leases import free
from config.lib.waking import Unheard, wake, wake_now
from events.models import RatingPeriod
from ratings.desk.mails import send_week, to_mail_week
from ratings.downloads.tasks import make_files, rescue_downloads
from ratings.duplicates.operations import refresh_duplicates
from ratings.live.operations import refresh_live
from ratings.models import RatingRun, Rerating
from ratings.moving_in.tasks import discard_forgotten_imports, rescue_imports, work_on_import
from ratings.periods import RunError
from ratings.personal_data.tasks import clear_old_personal_data, erase_personal_data, rescue_erasures
from ratings.rerating.new_files import to_read
from ratings.rerating.tasks import amend_by_file, calculate_or_publish_rerating
from ratings.runs.filling import process_fill, to_fill
from ratings.runs.operations import start_run
from ratings.runs.worker import process_run
from ratings.systems.base import RatingError

__all__ = [  # Celery finds all of them here
    "amend_by_file",
    "calculate_or_publish",
    "calculate_or_publish_rerating",
    "clear_old_personal_data",
    "discard_forgotten_imports",
    "erase_personal_data",
    "fill_published",
    "make_files",
    "refresh_live_list",
    "rescue_downloads",
    "rescue_erasures",
    "rescue_imports",
    "rescue_runs",
    "search_duplicates",
    "send_week_mails",
    "start_month",
    "work_on_import",
]  # fmt: skip

log = logging.getLogger(__name__)


@shared_task
def calculate_or_publish(run_id: int) -> None:
    """Do what a run waits for; when it is published, have its files made."""
    if process_run(run_id).state == RatingRun.State.PUBLISHED:
        wake_now(make_files, run_id)


def wake_worker(run: RatingRun, unheard: Unheard | None = None) -> None:
    """Tell the workers of a run once it is committed. A lost message is made up for by `rescue_runs`."""
    wake(calculate_or_publish, run.pk, unheard=unheard)


@shared_task(time_limit=WORK_SECONDS)  # a process that hangs holds the lock on the work of all
def fill_published(list_id: int) -> None:
    """Fill a list for published months that was put up for it."""
    process_fill(list_id)


@shared_task
def rescue_runs() -> None:
    """Wake a worker for every run, re-rating and new file that waits or whose lease has run out, and each list to fill."""
    now = timezone.now()
    for run_id in RatingRun.objects.filter(free(at=now), state__in=RatingRun.UNDER_WAY).values_list("pk", flat=True):
        wake_now(calculate_or_publish, run_id)
    for key in Rerating.objects.filter(free(at=now), state__in=Rerating.UNDER_WAY).values_list("pk", flat=True):
        wake_now(calculate_or_publish_rerating, key)
    for key in to_read(at=now).values_list("pk", flat=True):
        wake_now(amend_by_file, key)
    for key in to_fill().values_list("pk", flat=True):
        wake_now(fill_published, key)


@shared_task
def refresh_live_list() -> None:
    """Calculate the live list anew if anything that it depends on was written since."""
    try:
        refresh_live(at=timezone.now())
    except RatingError as error:
        log.warning("The live list stays as it was: %s", error)


@shared_task
def search_duplicates() -> None:
    """Search the register for players who may be one person, if it was written to since."""
    refresh_duplicates(at=timezone.now())


@shared_task
def send_week_mails() -> None:
    """Mail the week at a glance to those who asked for it, on Mondays, each once."""
    now = timezone.now()
    for user in to_mail_week(at=now):
        send_week(user, at=now)


@shared_task
def start_month() -> None:
    """Start the run of a month that has ended (article 65), once.

    A run of before the month's end, or by a clock that was ahead, is replaced if its input has changed; after a failed one an
    officer decides.
    """
    now = timezone.now()
    # Else it would seem to wait for no time at all; its input is read when it is taken up.
    RatingRun.objects.filter(queued_at__gt=now, state__in=RatingRun.UNDER_WAY).update(queued_at=now)
    this_month = timezone.localdate(now).replace(day=1)
    period = RatingPeriod.objects.filter(publication=None, month__lt=this_month).order_by("month").first()
    if period is None:
        return
    latest = period.runs.first()
    early = latest is not None and (
        latest.queued_at > now or timezone.localdate(latest.queued_at) < period.calculated_on
    )
    if latest is None or (early and latest.state != RatingRun.State.FAILED):
        try:
            wake_worker(start_run(period, at=now, reason="the month has ended (article 65)"))
        except RunError:
            return
