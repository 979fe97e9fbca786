"""Celery tasks of accounts."""

from celery import shared_task

from accounts.mails import send_reset
from accounts.models import User


@shared_task(autoretry_for=(OSError,), retry_backoff=30, max_retries=5)
def mail_reset(email: str, site: str) -> None:
    """Mail a link to set a password if an active account has the address, also one whose invitation was never used."""
    user = User.objects.filter(email=User.objects.normalize_email(email), is_active=True).first()
    if user is not None:
        send_reset(user, site)
