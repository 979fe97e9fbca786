"""The Celery application. Its queue only wakes workers: the jobs themselves are rows of the database."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

from config import failed_tasks  # noqa: F401 - it hears which tasks fail
from config.signs_of_life import WorkerStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["folder"] = "config.folder_queue:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "config.redis_queue:Transport"

app = Celery("bureau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add(WorkerStep)
