"""What the queue starts for a re-rating."""

from celery import shared_task

from config.lib.waking import Unheard, wake
from ratings.downloads.tasks import rescue_downloads
from ratings.models import AmendingFile, Rerating
from ratings.rerating.new_files import process_file
from ratings.rerating.worker import process_rerating


@shared_task
def calculate_or_publish_rerating(rerating_id: int) -> None:
    """Do what a re-rating waits for; when it is published, have the files of its months made."""
    if process_rerating(rerating_id).state == Rerating.State.PUBLISHED:
        rescue_downloads()


def wake_rerating(rerating: Rerating, unheard: Unheard | None = None) -> None:
    """Tell the workers of a re-rating once it is committed. A lost message is made up for by `rescue_runs`."""
    wake(calculate_or_publish_rerating, rerating.pk, unheard=unheard)


@shared_task
def amend_by_file(key: int) -> None:
    """Make an amendment of a new file."""
    process_file(key)


def wake_reader(file: AmendingFile, unheard: Unheard | None = None) -> None:
    """Tell the workers of a new file once it is committed. A lost message is made up for by `rescue_runs`."""
    wake(amend_by_file, file.pk, unheard=unheard)
