"""Characters that cannot be seen, in each kind of form: none of them is written."""

from http.cookies import SimpleCookie

import pytest
from django.db import connection

from tests.accounts.filled import FORMS
from tests.accounts.filled.results import RESULTS
from tests.accounts.test_filled_forms import BROWSER, filled

pytestmark = pytest.mark.usefixtures("quiet")
# Override of direction, without width, a tag, a bell, an isolate, a mark of the order of bytes, a soft hyphen.
UNSEEN = "\u202e\u200b\U000e0041\x07\u2066\ufeff\u00ad"


@pytest.mark.parametrize(
    ("route", "name"),
    [
        ("admin/players/region/add/", "name"),
        ("admin/players/province/<path:object_id>/change/", "name"),
        ("admin/players/title/add/", "name"),
        ("admin/players/player/add/", "club"),
        ("admin/events/event/<path:object_id>/change/", "place"),
        ("admin/ratings/ratinglist/add/", "name"),
        ("admin/ratings/notice/add/", "text"),
        ("admin/events/ratingperiod/<int:period>/calculate/", "reason"),
        (f"{RESULTS}submit/", "reason"),
        ("admin/events/event/", "reason"),
    ],
)
def test_nothing_that_cannot_be_seen_is_written(world, route, name):
    """Nor that turns the direction of what stands beside it; neither in the row, nor on the trail, nor in a mail."""
    form = next(form for form in FORMS if form.route == route)
    form.before(world)
    address, fields = filled(world, form)
    typed = fields.get(name) or "Mopane"
    text = typed if isinstance(typed, str) else typed[0]
    written: list[object] = []

    def watch(execute, sql, params, many, context):
        if sql.startswith(("INSERT", "UPDATE")) and "_unsaved" not in sql and "session" not in sql:
            written.extend(value for row in (params if many else [params]) for value in row)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        send_again = fields | {name: text[:1] + UNSEEN + text[1:]}
        BROWSER.cookies = SimpleCookie(world.cookies(form.role))
        for file in (value for value in send_again.values() if hasattr(value, "seek")):
            file.seek(0)
        assert BROWSER.post(address, send_again).status_code in (200, 302)
    assert [value for value in written if isinstance(value, str) and set(value) & set(UNSEEN)] == []
