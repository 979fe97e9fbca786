"""What the queue and the clock start for the files of a month. A task takes an id and calls one function."""

from celery import shared_task
from django.db.models import Exists, OuterRef
from django.utils import timezone

from config.lib.database import WORK_SECONDS
from config.lib.waking import wake_now
from ratings.downloads.operations import make_downloads, take_back_birth_dates
from ratings.models import Download, PublishedRun


@shared_task(time_limit=WORK_SECONDS)  # a process that hangs holds the lock on the work of all
def make_files(run_id: int) -> None:
    """Make the files of a published run, then go on with the next month that lacks them."""
    if make_downloads(run_id, at=timezone.now()):
        rescue_downloads()


@shared_task
def rescue_downloads() -> None:
    """Have the files made of the latest published month that lacks them, or has birth dates in them that it is not to have."""
    take_back_birth_dates(at=timezone.now())
    missing = PublishedRun.objects.exclude(Exists(Download.objects.filter(run=OuterRef("run")))).order_by(
        "-period__month"
    )
    run_id = missing.values_list("run", flat=True).first()
    if run_id is not None:
        wake_now(make_files, run_id)
