"""The last second in time and the first second late, in South Africa's time."""

from datetime import UTC, date, datetime

import pytest

from events.rules.deadlines import appeal_closes, last_day_before, permission_closes
from tests.events.appeals.cases import SECOND, local


@pytest.mark.rule("chessa 18")
def test_permission_is_asked_until_the_end_of_the_day_after_the_event():
    closes = permission_closes(date(2024, 3, 3))
    assert closes == local(2024, 3, 5) == datetime(2024, 3, 4, 22, tzinfo=UTC)
    assert last_day_before(closes) == date(2024, 3, 4)


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize(
    "notice",
    [local(2024, 5, 3), local(2024, 5, 3, 12), local(2024, 5, 4) - SECOND, datetime(2024, 5, 2, 22, 30, tzinfo=UTC)],
)
def test_a_refusal_is_appealed_until_the_end_of_the_21st_day_after_the_notice(notice):
    assert appeal_closes(notice) == local(2024, 5, 25)
    assert last_day_before(appeal_closes(notice)) == date(2024, 5, 24)


@pytest.mark.rule("chessa 11")
def test_the_day_of_the_notice_is_that_of_johannesburg():
    assert appeal_closes(local(2024, 5, 4)) == local(2024, 5, 26)
