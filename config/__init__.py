"""Settings, services, addresses: how the house is put together."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
