"""The Celery application: a queue that wakes workers. What is to be done stands in the database."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("bureau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
