"""Into which period an event is accepted, and out of which it is returned."""

from dataclasses import replace
from datetime import date

import pytest
from django.utils import timezone

from events.models import Event, Game, Penalty, RatingPeriod, Section, SubmissionFinding
from events.operations import (
    EventError,
    accept_event,
    add_section,
    move_event,
    register_event,
    return_event,
)
from events.rules.states import MoveError, State
from events.submission.recording import submit_new_event
from events.submission.validation import validate_file
from ratings.models import RatingRun
from ratings.runs.operations import request_publication
from ratings.runs.worker import process_run
from tests.builders import (
    CLOCK,
    LATE_REASON,
    MARCH,
    TODAY,
    add_games,
    calculate,
    details,
    event_of,
    everything,
    lines,
    officer,
    open_file,
    people,
    publish,
    recognised,
    round_robin,
    section_file,
    submitted,
    trf,
)

pytestmark = pytest.mark.django_db
APRIL, MAY, JUNE = date(2024, 4, 1), date(2024, 5, 1), date(2024, 6, 1)


def all_months():
    return [period.month for period in RatingPeriod.objects.all()]


def month_of(event):
    return event.sections.get().period.month


@pytest.fixture
def two():
    return people(2)


def game(two, result="1-0"):
    return [(*two, result)]


@pytest.mark.rule("chessa 51")
def test_a_penalty_without_an_answer_is_applied_when_its_event_is_accepted(two):
    event = event_of(game(two), accept=False)
    section, by = event.sections.get(), officer()
    penalties = [
        Penalty.objects.create(section=section, player=two[0], round=number, kind="forfeit", points=20, status=status)
        for number, status in ((2, "proposed"), (3, "dropped"))
    ]
    before = everything()
    with pytest.raises(EventError, match=r"has 1 penalty without an answer \(.*, 20 points, forfeit in round 2\)"):
        accept_event(event, at=CLOCK, by=by, reason="a small club")
    assert everything() == before
    accept_event(event, at=CLOCK, by=by, penalty_reason="the region is silent")
    applied, dropped = penalties
    for penalty in penalties:
        penalty.refresh_from_db()
    assert (applied.status, applied.decided_by, applied.decided_at, applied.final) == ("confirmed", by, CLOCK, False)
    assert (
        applied.reason
        == "No answer was given: applied when the event was accepted (articles 51, 52). the region is silent"
    )
    assert (dropped.status, dropped.final) == ("dropped", False)


NEWCOMER, OTHERS = lines(1)[0], lines(6)[1:]


@pytest.mark.rule("chessa 13")
@pytest.mark.parametrize(
    ("codes", "file", "fields"),
    [
        ("event-name-missing", {"name": ""}, {}),
        ("round-dates-missing", {"dated": False}, {}),
        ("organiser-missing", {}, {"organiser_name": ""}),
        ("organiser-id-missing", {}, {"organiser_number": ""}),
        ("name-incomplete", {"first": replace(NEWCOMER, name="Adendorff, A.")}, {}),
        ("birth-dates-missing", {"first": replace(NEWCOMER, born="")}, {}),
        ("sex-missing", {"first": replace(NEWCOMER, sex="")}, {}),
        ("arbiter-missing", {"arbiter": ""}, {}),
        ("arbiter-unknown", {"arbiter": "IA Piet Ndlovu (14300009)"}, {}),
        ("arbiter-unknown arbiter-id-missing", {"arbiter": "IA Piet Ndlovu"}, {}),
        ("arbiter-unknown arbiter-title-missing", {"arbiter": "Piet Ndlovu (14300009)"}, {}),
    ],
)
def test_what_lacks_a_required_detail_is_not_accepted_without_a_reason(codes, file, fields):
    recognised()
    given = {"first": NEWCOMER, **file}
    content = trf([given.pop("first"), *OTHERS], round_robin(6), **given)
    event = details(**fields)
    event = submit_new_event(
        validate_file(replace(section_file(content), event=event), today=TODAY),
        event,
        at=CLOCK,
        late_reason=LATE_REASON,
    )
    held = SubmissionFinding.objects.filter(submission__section__event=event, severity="hold").order_by("pk")
    assert [finding.code for finding in held] == codes.split()
    by = officer()
    before = everything()
    with pytest.raises(EventError, match=r"has findings on hold: .*, or return it"):
        accept_event(event, at=CLOCK, by=by)
    assert everything() == before
    assert Event.objects.get().state == "submitted"
    return_event(event, at=CLOCK, reason="A required detail is missing (article 13).")
    assert event.state == "returned"


@pytest.mark.rule("chessa 13", "chessa 13.2")
def test_a_file_without_days_is_not_taken_at_all():
    event = details()
    prepared = validate_file(replace(section_file(open_file(ends=None)), event=event), today=TODAY)
    assert [finding.code for finding in prepared.errors] == ["dates-missing"]
    with pytest.raises(EventError, match="1 error to correct, nothing was saved"):
        submit_new_event(prepared, event, at=CLOCK, late_reason=LATE_REASON)
    assert not Event.objects.exists()


@pytest.mark.rule("chessa 12")
def test_holds_are_waived_only_with_a_reason_and_by_name():
    event = submitted(open_file(dated=False))
    before = everything()
    with pytest.raises(EventError, match="give the reason why it is rated all the same"):
        accept_event(event, at=CLOCK, reason="  ")
    assert everything() == before
    by = officer()
    event.refresh_from_db()
    period = accept_event(event, at=CLOCK, by=by, reason="the arbiter telephoned")
    hold = SubmissionFinding.objects.get(code="round-dates-missing")
    assert (hold.waived_by, hold.waived_at, hold.waived_reason) == (by, CLOCK, "the arbiter telephoned")
    assert (period.month, month_of(event), event.state) == (MARCH, MARCH, "accepted")


def test_without_holds_no_reason_is_asked_for(two):
    assert month_of(event_of(game(two))) == MARCH


def test_an_event_without_a_section_stays_where_it_is():
    event = register_event(details(), at=CLOCK)
    move_event(event, State.SUBMITTED, at=CLOCK)
    before = everything()
    with pytest.raises(EventError, match="has no section"):
        accept_event(event, at=CLOCK)
    assert everything() == before


def test_only_a_submitted_event_is_accepted(two):
    event = event_of(game(two))
    before = everything()
    with pytest.raises(MoveError, match="that is accepted cannot become accepted"):
        accept_event(event, at=CLOCK)
    assert everything() == before


def test_months_between_are_opened_too(two):
    event_of(game(two))
    event_of(game(two, "0-1"), date(2024, 6, 1))
    assert all_months() == [MARCH, APRIL, MAY, JUNE]


def test_before_any_publication_an_earlier_month_comes_first(two):
    event_of(game(two), date(2024, 6, 1))
    assert month_of(event_of(game(two, "0-1"))) == MARCH
    assert all_months() == [MARCH, APRIL, MAY, JUNE]


@pytest.mark.rule("chessa 12.1")
def test_a_late_event_is_rated_in_the_earliest_open_month(two):
    event_of(game(two))
    publish()
    assert all_months() == [MARCH, APRIL]
    assert month_of(event_of(game(two, "0-1"), date(2024, 3, 31))) == APRIL
    assert month_of(event_of(game(two, "0-1"), date(2023, 1, 1))) == APRIL
    assert month_of(event_of(game(two, "0-1"), date(2024, 5, 1))) == MAY


def test_what_is_accepted_while_the_month_is_being_published_goes_into_the_next(two):
    event_of(game(two))
    run = calculate()
    request_publication(run, at=timezone.now())
    assert month_of(event_of(game(two, "0-1"))) == APRIL
    assert process_run(run.pk).state == RatingRun.State.PUBLISHED


def test_before_any_publication_no_month_is_opened_behind_one_that_is_being_published(two):
    event_of(game(two), date(2024, 6, 1))
    run = calculate(JUNE)
    request_publication(run, at=timezone.now())
    assert month_of(event_of(game(two, "0-1"))) == date(2024, 7, 1)
    assert process_run(run.pk).state == RatingRun.State.PUBLISHED
    assert RatingPeriod.objects.filter(month__lt=JUNE).count() == 0


def test_sections_of_one_event_may_belong_to_two_months(two):
    event = register_event(details(date(2024, 3, 30), date(2024, 4, 2)), at=CLOCK)
    for ends in (date(2024, 3, 31), date(2024, 4, 2)):
        section = add_section(event, Section(base_minutes=60, increment_seconds=0, starts=ends, ends=ends))
        add_games(section, game(two))
    move_event(event, State.SUBMITTED, at=CLOCK)
    assert accept_event(event, at=CLOCK).month == APRIL
    publish()
    event.refresh_from_db()
    assert event.state == "accepted"
    before = everything()
    with pytest.raises(EventError, match="published"):
        return_event(event, at=CLOCK, reason="a section is wrong")
    assert everything() == before
    publish(APRIL)
    event.refresh_from_db()
    assert event.state == "published"


@pytest.mark.rule("chessa 63")
def test_a_returned_event_leaves_its_month(two):
    event = event_of(game(two))
    return_event(event, at=CLOCK, reason="wrong results", by=officer())
    assert event.sections.get().period is None
    assert (event.state, event.moves.last().reason) == ("returned", "wrong results")


@pytest.mark.rule("chessa 63")
def test_an_event_is_returned_only_with_a_reason(two):
    event = event_of(game(two))
    before = everything()
    with pytest.raises(MoveError, match="give the reason"):
        return_event(event, at=CLOCK, reason=" ")
    assert everything() == before


@pytest.mark.rule("chessa 64")
def test_an_event_is_not_returned_while_its_month_is_being_published(two):
    event = event_of(game(two))
    run = calculate()
    request_publication(run, at=timezone.now())
    event.refresh_from_db()
    before = everything()
    with pytest.raises(EventError, match="is being published"):
        return_event(event, at=CLOCK, reason="wrong results")
    assert everything() == before


@pytest.mark.rule("chessa 64")
def test_a_published_event_is_not_returned(two):
    event = event_of(game(two))
    publish()
    event.refresh_from_db()
    with pytest.raises((EventError, MoveError)):
        return_event(event, at=CLOCK, reason="wrong results")


def test_a_file_is_dated_by_the_federations_clock():
    """Midnight in Johannesburg is 22:00 UTC of the day before."""
    file = section_file(open_file(starts=date(2024, 3, 30), ends=date(2024, 3, 31)))
    assert "not-ended" in [one.code for one in validate_file(file, today=date(2024, 3, 30)).errors]
    assert validate_file(file, today=date(2024, 3, 31)).errors == []
    assert Game.objects.count() == 0
