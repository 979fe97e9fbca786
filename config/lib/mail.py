"""Mail from two templates: `<name>_subject.txt` and `<name>.txt`."""

from collections.abc import Mapping, Sequence

from django.core.mail import send_mail
from django.template.loader import render_to_string


def send(template: str, context: Mapping[str, object], to: Sequence[str]) -> None:
    """Send the mail of two templates; `template` is their path without ending. Raises OSError if it cannot be sent."""
    # A subject can contain text that a user typed: a line break in it would end the header.
    subject = " ".join(render_to_string(f"{template}_subject.txt", dict(context)).split())
    send_mail(subject, render_to_string(f"{template}.txt", dict(context)), None, list(to))
