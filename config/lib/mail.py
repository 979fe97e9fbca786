"""Mail as the site writes it: two templates a mail, `<name>_subject.txt` and `<name>.txt`."""

from collections.abc import Mapping, Sequence

from django.core.mail import send_mail
from django.template.loader import render_to_string


def send(template: str, words: Mapping[str, object], to: Sequence[str]) -> None:
    """Send the mail of two templates, `template` their path without its ending. OSError when it cannot be sent."""
    # What somebody typed stands in a subject: a line break in it would end the header.
    subject = " ".join(render_to_string(f"{template}_subject.txt", dict(words)).split())
    send_mail(subject, render_to_string(f"{template}.txt", dict(words)), None, list(to))
