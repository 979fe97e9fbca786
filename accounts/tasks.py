"""Celery tasks of accounts."""

from accounts.outbox.tasks import clear_mails, send_mails

__all__ = ["clear_mails", "send_mails"]  # Celery finds all of them here
