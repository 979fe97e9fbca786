"""Celery tasks of lists that are brought in. A task takes an id and calls one function."""

from celery import shared_task
from django.utils import timezone

from config.lib.waking import Unheard, wake, wake_now
from config.signs_of_life import clear
from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import discard_forgotten, to_work_on
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS


@shared_task
def work_on_import(job_id: int) -> None:
    """Do what an import job waits for."""
    process_job(job_id, STEPS[ImportJob.objects.values_list("kind", flat=True).get(pk=job_id)])


def wake_importer(job: ImportJob, unheard: Unheard | None = None) -> None:
    """Tell a worker of an import job once it is committed. If the queue is down, `rescue_imports` does it later."""
    wake(work_on_import, job.pk, unheard=unheard)


@shared_task
def rescue_imports() -> None:
    """Wake a worker for every import job that waits or whose lease has run out."""
    for job_id in to_work_on(at=timezone.now()).values_list("pk", flat=True):
        wake_now(work_on_import, job_id)


@shared_task
def discard_forgotten_imports() -> None:
    """Put lists away that were never confirmed."""
    clear(discard_forgotten)
