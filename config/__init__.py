"""Settings, services and addresses of the site; `config.lib` is the library that all apps share."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
