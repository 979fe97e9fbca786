"""What a mail says, from two templates: `<name>_subject.txt` and `<name>.txt`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from config.languages import in_english
from config.lib.texts import plain_text, shortened

LONGEST_SUBJECT = 500
MARK = re.compile(r"\[\[\w+\]\]")  # of a secret link in a text


@dataclass(frozen=True, slots=True)
class Content:
    """A mail's kind, subject and text.

    `links`: mark in the text → address of a secret link, for the recipient's eyes only; `valid`: how long they open something.
    """

    kind: str
    subject: str
    text: str
    links: dict[str, str] = field(default_factory=dict)
    valid: timedelta | None = None


@in_english()
def render(
    template: str,
    context: Mapping[str, Any],
    *,
    links: Mapping[str, str] | None = None,
    valid: timedelta | None = None,
) -> Content:
    """Return the content of a mail, in English. `template`: path of the templates without ending; all know `site`, `brand`.
    Texts of the context are without characters that cannot be seen.

    `links`: name in the template → secret address. In the text stands a mark in its place, so that the text can be shown.
    """
    marks = {name: f"[[{name}]]" for name in links or {}}
    typed = {name: plain_text(value) if isinstance(value, str) else value for name, value in context.items()}
    values = {"site": f"{settings.SITE_URL}/", "brand": settings.BRAND, **typed, **marks}
    # A subject can contain text that a user typed: a line break in it would end the header.
    subject = shortened(" ".join(render_to_string(f"{template}_subject.txt", values).split()), LONGEST_SUBJECT)
    text = render_to_string(f"{template}.txt", values)
    used = {marks[name]: address for name, address in (links or {}).items() if marks[name] in text}
    kind = template.rpartition("/")[2].replace("_", " ")
    return Content(kind, subject, text, used, valid if used else None)
