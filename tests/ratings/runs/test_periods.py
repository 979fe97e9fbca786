"""Which month is calculated and published when: through the functions and through the commands."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from events.models import Penalty, RatingPeriod, Section
from events.operations import return_event
from events.penalties.operations import decide_penalties
from ratings.models import RatingRun
from ratings.periods import RunError, parse_month, period_to_calculate, status
from ratings.runs.operations import claim_run, request_publication, start_run
from tests.builders import CLOCK, MARCH, calculate, event_of, everything, people, period, publish

pytestmark = pytest.mark.django_db
JUNE = date(2024, 6, 1)


@pytest.fixture
def two():
    return people(2)


def game(two, result="1-0"):
    return [(*two, result)]


def refused(*command):
    """The error of a command that changes nothing."""
    before = everything()
    with pytest.raises(CommandError) as error:
        call_command(*command)
    assert everything() == before
    return str(error.value)


@pytest.mark.parametrize(
    "text",
    ["2024-3", "2024-13", "9999-12", "0001-01", "0999-12", "2024-00", "202403", "March", "", "2024-03-01", "24-03-1"],
)
def test_what_is_no_month(text):
    with pytest.raises(RunError, match="is not a month: write it as 2024-03"):
        parse_month(text)
    for command in ("calculate", "publish", "export_period"):
        assert "is not a month" in refused(command, text)


def test_a_month_without_a_section_is_not_calculated():
    assert (
        refused("calculate", "2024-03")
        == "there is nothing to calculate in 2024-03: no section was accepted for it yet"
    )
    assert "2024-03 has not been calculated" in refused("publish", "2024-03")
    assert "2024-03 is not on record" in refused("export_period", "2024-03")


def test_a_month_is_calculated_and_published(two, capsys):
    event_of(game(two))
    call_command("calculate", "2024-03")
    assert capsys.readouterr().out == "2024-03 calculated: 1 section, 1 game, 2 rated players\n"
    call_command("publish", "2024-03")
    assert capsys.readouterr().out == "2024-03 published\n"
    call_command("periods")
    assert capsys.readouterr().out == "2024-03 published\n2024-04 open\n"
    assert period().publication.run.state == "published"
    assert period().published_at is not None


def test_a_month_is_not_calculated_twice_when_nothing_has_changed(two):
    event_of(game(two))
    calculate()
    assert "and nothing has changed since: publish it" in refused("calculate", "2024-03")


def test_a_month_that_has_not_ended_is_not_said_to_be_ready_for_publication(two):
    event_of(game(two))
    calculate(at=datetime(2024, 3, 30, tzinfo=UTC))
    with pytest.raises(RunError, match="nothing has changed since: it can be published from 1 Apr 2024 on"):
        start_run(period(), at=datetime(2024, 3, 31, 12, tzinfo=UTC))
    with pytest.raises(RunError, match="nothing has changed since: publish it"):
        start_run(period(), at=datetime(2024, 4, 1, 12, tzinfo=UTC))


def test_a_published_month_is_neither_calculated_nor_published_again(two):
    event_of(game(two))
    publish()
    assert "2024-03 is published and stays as it is" in refused("calculate", "2024-03")
    assert refused("publish", "2024-03") == "2024-03 is published already"


def test_a_month_that_is_not_calculated_is_not_published(two):
    event_of(game(two))
    assert "2024-03 has not been calculated: run “calculate 2024-03” first" in refused("publish", "2024-03")


def test_months_go_one_after_the_other_those_without_events_too(two):
    event_of(game(two))
    event_of(game(two, "0-1"), JUNE)
    for month in ("2024-04", "2024-05", "2024-06"):
        assert "2024-03 comes first" in refused("calculate", month)
    publish()
    assert "2024-04 comes first" in refused("calculate", "2024-06")
    publish(date(2024, 4, 1))
    publish(date(2024, 5, 1))
    publish(JUNE)
    assert [status(one) for one in RatingPeriod.objects.all()] == ["published"] * 4 + ["open"]


def test_a_calculated_month_waits_for_an_earlier_one_that_was_opened_since(two):
    """Before any publication an older event opens an older month."""
    event_of(game(two), JUNE)
    run = calculate(JUNE)
    event_of(game(two, "0-1"))
    assert "2024-03 comes first" in refused("publish", "2024-06")
    with pytest.raises(RunError, match="comes first"):
        request_publication(run, at=timezone.now())


@pytest.mark.parametrize("change", ["event", "returned", "penalty", "time control", "result"])
def test_what_has_changed_since_the_calculation_is_calculated_again(two, change):
    event = event_of(game(two))
    other = event_of(game(two, "0-1"), name="Other")
    first = calculate()
    section = event.sections.get()
    if change == "event":
        event_of(game(two, "1/2-1/2"))
    elif change == "returned":
        other.refresh_from_db()
        return_event(other, at=CLOCK, reason="wrong")
    elif change == "penalty":
        Penalty.objects.create(section=section, player=two[0], round=2, kind="forfeit", points=20, status="confirmed")
    elif change == "time control":
        Section.objects.filter(pk=section.pk).update(base_minutes=5)
    else:
        section.games.update(result="1/2-1/2")
    assert "2024-03 has changed since run" in refused("publish", "2024-03")
    assert "2024-03 has changed since run" in refused("export_period", "2024-03")
    second = publish()
    first.refresh_from_db()
    assert (first.state, second.state, first.ratings.count()) == ("superseded", "published", 0)
    assert period().publication.run == second


@pytest.mark.rule("chessa 51")
def test_a_proposed_or_dropped_penalty_changes_no_figure_but_is_decided_before_publication(two):
    section = event_of(game(two)).sections.get()
    run = calculate()
    proposed, _ = (
        Penalty.objects.create(section=section, player=two[0], round=number, kind="forfeit", points=20, status=status)
        for number, status in ((2, "proposed"), (3, "dropped"))
    )
    before = everything()
    with pytest.raises(RunError, match="nothing has changed"):
        start_run(period(), at=CLOCK)
    with pytest.raises(RunError, match="has 1 proposed penalty without a decision"):
        request_publication(run, at=timezone.now())
    assert everything() == before
    decide_penalties([proposed], Penalty.Status.DROPPED, at=CLOCK, reason="he rang", final=True)
    request_publication(run, at=timezone.now())


def test_only_one_run_at_a_time(two):
    event_of(game(two))
    run = start_run(period(), at=CLOCK)
    with pytest.raises(RunError, match=f"is being calculated already: run {run.pk} of 2024-03, 0 %"):
        start_run(period(), at=CLOCK)
    assert claim_run(run.pk, at=timezone.now())
    assert f"is being calculated already: run {run.pk} of 2024-03, 0 %, which" in refused("calculate", "2024-03")
    assert "is running: only a calculated run can be published" in refused("publish", "2024-03")


def test_a_run_whose_worker_was_killed_is_taken_up_by_the_command(two, capsys):
    """Without a clock, too: `calculate` was killed, and its lease has run out."""
    event_of(game(two))
    run = start_run(period(), at=CLOCK)
    assert claim_run(run.pk, at=timezone.now() - timedelta(hours=1))
    call_command("calculate", "2024-03")
    assert "2024-03 calculated: 1 section, 1 game" in capsys.readouterr().out
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("calculated", 2)


def test_a_publication_that_was_killed_is_gone_on_with_by_the_command(two, capsys):
    event_of(game(two))
    run = calculate()
    request_publication(run, at=timezone.now())
    assert claim_run(run.pk, at=timezone.now() - timedelta(hours=1))
    assert f"2024-03 is being published already: {run}" in refused("calculate", "2024-03")
    call_command("publish", "2024-03")
    assert "2024-03 published" in capsys.readouterr().out


def test_a_failed_run_can_be_started_again(two):
    event_of(game(two))
    RatingRun.objects.create(period=period(), queued_at=CLOCK, state="failed", error="given up")
    assert status(period()) == "open, its calculation failed"
    assert "has not been calculated" in refused("publish", "2024-03")
    assert publish().state == "published"


def test_events_go_along_with_the_month(two):
    event = event_of(game(two))
    submitted_only = event_of(game(two, "0-1"), accept=False)
    calculate()
    event.refresh_from_db()
    assert event.state == "calculated"
    publish_again = RatingRun.objects.get()
    request_publication(publish_again, at=timezone.now())
    call_command("periods")
    event.refresh_from_db()
    submitted_only.refresh_from_db()
    assert (event.state, submitted_only.state) == ("calculated", "submitted")


def test_the_month_whose_turn_it_is(two):
    event_of(game(two))
    assert period_to_calculate(MARCH) == period()


@pytest.mark.rule("chessa 66")
@pytest.mark.parametrize(
    ("at", "due"),
    [
        (datetime(2024, 3, 31, 21, 59, 59, tzinfo=UTC), False),  # 23:59:59 on 31 March in Johannesburg
        (datetime(2024, 3, 31, 22, 0, tzinfo=UTC), True),
    ],
)
def test_a_month_is_published_from_the_first_day_of_the_next(at, due):
    event_of([(*people(2), "1-0")])
    run = calculate()
    if due:
        request_publication(run, at=at)
        assert RatingRun.objects.get().state == RatingRun.State.PUBLISHING
    else:
        with pytest.raises(RunError, match=r"it can be published from 1 Apr 2024 on \(article 66\)"):
            request_publication(run, at=at)
        assert RatingRun.objects.get().state == RatingRun.State.CALCULATED
