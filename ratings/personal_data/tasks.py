"""What the queue and the clock start for personal data. A task takes an id and calls one function."""

from celery import shared_task
from django.utils import timezone

from config.lib.waking import Unheard, wake, wake_now
from config.signs_of_life import clear
from ratings.downloads.tasks import rescue_downloads
from ratings.models import Erasure
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.jobs import forget_copies_again, process_erasure, to_erase


@shared_task
def erase_personal_data(erasure_id: int) -> None:
    """Erase a player's data as it is asked for, then have the files of his months made again."""
    process_erasure(erasure_id)
    rescue_downloads()


def wake_eraser(erasure: Erasure, unheard: Unheard | None = None) -> None:
    """Tell a worker of an erasure once it is committed. A lost message is made up for by `rescue_erasures`."""
    wake(erase_personal_data, erasure.pk, unheard=unheard)


@shared_task
def rescue_erasures() -> None:
    """Wake a worker for every erasure that waits or whose lease has run out, and forget once more what is kept of
    what is erased."""
    now = timezone.now()
    for erasure_id in to_erase(at=now).values_list("pk", flat=True):
        wake_now(erase_personal_data, erasure_id)
    forget_copies_again(at=now)


@shared_task
def clear_old_personal_data() -> None:
    """Clear personal data that was kept long enough. Several times a night, so that a beat that was down still does it."""
    clear(clear_personal_data)
