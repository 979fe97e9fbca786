"""Rows of one query as a list in a column of another."""

from datetime import UTC, datetime

import pytest
from django.db.models import OuterRef

from config.lib.row_lists import RowList, moment
from events.models import Event, EventMove
from tests.pages import builders


@pytest.mark.django_db
def test_rows_come_in_the_order_of_their_query_with_their_moments():
    events = [builders.event(name) for name in ("March Open", "March Cup")]
    EventMove.objects.all().delete()
    first, second = datetime(2024, 3, 1, 22, 30, tzinfo=UTC), datetime(2024, 3, 2, 7, 0, 0, 123456, tzinfo=UTC)
    for at in (first, second):
        EventMove.objects.create(event=events[0], source="draft", target="registered", at=at)
    latest_first = EventMove.objects.filter(event=OuterRef("pk")).order_by("-at")
    rows = dict(Event.objects.annotate(listed=RowList(latest_first, at="at", to="target")).values_list("pk", "listed"))
    assert [(moment(row["at"]), row["to"]) for row in rows[events[0].pk]] == [
        (second, "registered"),
        (first, "registered"),
    ]
    assert rows[events[1].pk] == []


def test_what_is_no_moment_is_refused():
    with pytest.raises(ValueError, match="'yesterday' is no moment"):
        moment("yesterday")
