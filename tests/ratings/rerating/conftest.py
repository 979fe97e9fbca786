"""A published section, and the same section corrected."""

from datetime import UTC, date, datetime

import pytest

from events.amending.edits import with_result
from events.models import Section
from events.operations import accept_event
from events.rules.game_result import Result
from ratings.models import Amendment, Rerating
from ratings.rerating.amendments import amend
from ratings.rerating.operations import request_publication, start_rerating
from ratings.rerating.worker import process_rerating
from tests.builders import CLOCK, publish, submitted

CORRECTED_AT = datetime(2024, 5, 12, 8, tzinfo=UTC)


@pytest.fixture
def section() -> Section:
    """A section of six players, published in March 2024."""
    event = submitted()
    accept_event(event, at=CLOCK, reason="Looked at.", penalty_reason="Looked at.")
    publish(date(2024, 3, 1))
    return event.sections.get()


def amend_a_result(section: Section) -> Amendment:
    """Let Black have won the first game that White won."""
    game = section.games.filter(result="1-0").earliest("pk")
    amendment = amend(
        section,
        lambda content: with_result(content, game.pk, Result.BLACK_WINS),
        reason="The score sheet says so.",
        at=CORRECTED_AT,
    )
    assert amendment is not None
    return amendment


@pytest.fixture
def corrected(section) -> Rerating:
    """The re-rating that corrected a result, published on 12 May 2024."""
    started = start_rerating(None, [amend_a_result(section)], reason="A result was entered wrongly.", at=CORRECTED_AT)
    calculated = process_rerating(started.pk, clock=lambda: CORRECTED_AT)
    request_publication(calculated, at=CORRECTED_AT)
    return process_rerating(calculated.pk, clock=lambda: CORRECTED_AT)
