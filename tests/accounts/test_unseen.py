"""Characters that cannot be seen, in each field of each form: none is written, and no page shows one."""

import re
from http.cookies import SimpleCookie

import pytest
from django.db import connection, transaction

from tests.accounts.conftest import undrawn_pages
from tests.accounts.filled import FORMS
from tests.accounts.test_filled_forms import BROWSER, filled
from tests.accounts.world import World

pytestmark = pytest.mark.usefixtures("quiet")
PARTS = 2
# Override of direction, without width, a tag, a bell, an isolate, a mark of the order of bytes, a soft hyphen, a filler.
UNSEEN = "\u202e\u200b\U000e0041\x07\u2066\ufeff\u00ad\u3164"
NOT_COMPOSED = "e\u0301"
_KEPT = re.compile(rf"[{UNSEEN}]|\\u(202e|200b|2066)|{NOT_COMPOSED}")  # as it is, or as JSON writes it
# What a form carries along of its own and of the keys of its rows.
_OF_FORM = re.compile(r"^initial-|_FORMS$|__prefix__|-id$")
# Where a page gives back what was typed, to be corrected.
_TYPED = re.compile(r'value="[^"]*"|<textarea.*?</textarea>', re.DOTALL)


def _with_unseen(value: object) -> str | None:
    """What is typed into a field, with what cannot be seen; None of a file."""
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        return None
    text = next(iter(texts), "") or "Mopane"
    if text.startswith("https://"):
        return f"{text}/{UNSEEN}"  # still an address, for Django
    if "@" in text:
        return text.replace("@", "@m\u202e")
    return f"{text[:1]}{UNSEEN}{text[1:]} {NOT_COMPOSED}"


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_cannot_be_seen_is_written_or_shown(world: World, part: int) -> None:
    """Nor what turns the direction of what stands beside it; neither in the row, nor on the trail, nor in a mail.

    Each field is filled in so by itself, since another that is refused would hide it; and all of them for the page.
    """
    written: list[tuple[str, str]] = []

    def watch(execute, sql, params, many, context):
        if sql.startswith(("INSERT", "UPDATE")) and "django_session" not in sql:
            values = [value for row in (params if many else [params]) for value in row if isinstance(value, str)]
            written.extend((sql[:60], value) for value in values if _KEPT.search(value))
        return execute(sql, params, many, context)

    def send(role, address, fields):
        BROWSER.cookies = SimpleCookie(world.cookies(role))
        for file in (value for value in fields.values() if hasattr(value, "seek")):
            file.seek(0)
        written.clear()
        with transaction.atomic(), connection.execute_wrapper(watch):
            answer = BROWSER.post(address, fields)
            transaction.set_rollback(True)
        return answer

    wrong: list[object] = []
    tried = set()
    for role in {form.role for form in FORMS}:
        world.cookies(role)
    for form in FORMS[part::PARTS]:
        with transaction.atomic():
            form.before(world)
            address, fields = filled(world, form)
            typed = {name: text for name, value in fields.items() if (text := _with_unseen(value)) is not None}
            for name, text in typed.items():
                of_row = (form.route, re.sub(r"\d+", "", name))  # one row of a table stands for all
                if of_row not in tried and not _OF_FORM.search(name):
                    tried.add(of_row)
                    with undrawn_pages():
                        answer = send(form.role, address, fields | {name: text})
                    if answer.status_code >= 500 or written:
                        wrong.append((form.route, name, answer.status_code, written[:2]))
            said = {name: text for name, text in typed.items() if not _OF_FORM.search(name)}
            answer = send(form.role, address, fields | said)
            is_page = "html" in answer.headers["Content-Type"]
            page = _TYPED.sub("", answer.content.decode()) if is_page else ""
            if answer.status_code >= 500 or written or set(page) & set(UNSEEN):
                shown = [page[at.start() - 40 : at.start()] for at in re.finditer(f"[{UNSEEN}]", page)]
                wrong.append((form.route, "all", answer.status_code, written[:2], shown[:5]))
            transaction.set_rollback(True)
    assert not wrong, "\n".join(map(str, wrong))
    assert len(tried) > 60
