"""What the queue starts for a re-rating."""

from celery import shared_task
from django.db import transaction

from ratings.downloads.tasks import rescue_downloads
from ratings.models import Rerating
from ratings.rerating.worker import process_rerating


@shared_task
def calculate_or_publish_rerating(rerating_id: int) -> None:
    """Do what a re-rating waits for; when it is published, have the files of its months made."""
    if process_rerating(rerating_id).state == Rerating.State.PUBLISHED:
        rescue_downloads()


def wake_rerating(rerating: Rerating) -> None:
    """Tell the workers of a re-rating once it is committed. A lost message is made up for by `rescue_runs`."""
    transaction.on_commit(lambda: calculate_or_publish_rerating.delay(rerating.pk))
