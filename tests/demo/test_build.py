from datetime import UTC, date, datetime
from io import StringIO
from statistics import correlation

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from accounts.models import Retention, User
from accounts.permissions import Role, roles_of
from config.lib.days import next_month
from demo.accounts import accounts
from demo.build import CONTACT, NOTICE, NotEmptyError, is_empty, load
from demo.federation import TODAY, Scale
from events.access import visible_events
from events.models import (
    Appeal,
    ErrorReport,
    Event,
    Game,
    Kind,
    Penalty,
    PermissionRequest,
    RatingPeriod,
    Refusal,
    Section,
    Submission,
    SubmissionFinding,
)
from events.rules.states import State
from players.models import Player
from ratings.health.waiting import waiting
from ratings.models import Amendment, FormerRating, Merge, Notice, Rating, RatingList, RatingRun, Rerating, Revision
from ratings.runs.inputs import read_run_input
from ratings.systems import chessa
from tests.demo.small import SMALL, shared_demonstration


class StopError(Exception):
    """Somebody pulled the plug."""


@pytest.fixture(scope="module")
def small(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        shared_demonstration()
        yield
        transaction.set_rollback(True)


def test_four_months_follow_the_opening_balance_and_the_fifth_is_open(small):
    periods = list(RatingPeriod.objects.order_by("month"))
    assert [period.month for period in periods] == [date(2026, month, 1) for month in (6, 7, 8, 9, 10, 11)]
    assert [period.state for period in periods] == ["published"] * 5 + ["open"]
    assert [period.publication.run.kind for period in periods[:-1]] == ["opening"] + ["calculated"] * 4
    assert periods[1].published_at == datetime(2026, 8, 1, 7, tzinfo=UTC)


def test_the_opening_balance_has_children_and_masters_who_stand_alike_on_all_lists(small):
    rows = Rating.objects.filter(run__kind=RatingRun.Kind.OPENING).values_list("list__code", "player", "raw")
    raw = {(code, player): float(rating) for code, player, rating in rows}
    main = {player: rating for (code, player), rating in raw.items() if code == "main"}
    assert 900 <= min(main.values()) < 1000 < 2000 < max(main.values()) <= 2450
    for other in ("standard", "rapid", "blitz"):
        both = [(rating, main[player]) for (code, player), rating in raw.items() if code == other]
        assert len(both) > 15
        assert correlation(*zip(*both, strict=True)) > 0.9


def test_some_have_all_their_former_ratings_and_others_have_them_filled(small):
    opening = RatingRun.objects.get(kind=RatingRun.Kind.OPENING)
    whole = FormerRating.objects.filter(run=opening, list__code="main", month=date(2024, 7, 1))
    standings = Rating.objects.filter(run=opening, list__code="main").values_list("standing", flat=True)
    filled = [standing for standing in standings if standing and "history" in standing["filled"]]
    assert whole.exists()
    assert filled
    assert whole.count() + len(filled) == len(standings)


def test_a_list_appeared_late(small):
    late = RatingPeriod.objects.get(month=date(2026, 8, 1))
    assert late.published_at == datetime(2026, 9, 3, 7, tzinfo=UTC)


@pytest.mark.rule("chessa 64")
def test_a_reported_error_is_put_right_by_a_second_revision_of_one_month(small):
    corrected = Amendment.objects.get()
    assert corrected.reports.get().state == ErrorReport.State.CORRECTED
    assert corrected.rerating.state == Rerating.State.PUBLISHED
    revisions = Revision.objects.filter(number__gt=1)
    assert [(revision.period.month, revision.number) for revision in revisions] == [(date(2026, 10, 1), 2)]
    before, after = Revision.objects.filter(period__month=date(2026, 10, 1)).order_by("number")
    published = [
        dict(Rating.objects.filter(run=revision.run, list__code="main").values_list("player", "published"))
        for revision in (before, after)
    ]
    assert published[0] != published[1]
    assert Game.objects.get(section=corrected.section, pk=_changed_game(corrected)).result == "1-0"


def test_a_player_who_was_registered_twice_is_one_again(small):
    merge = Merge.objects.get()
    assert merge.state == "done"
    assert merge.old.merged_into == merge.new
    assert merge.old.folded_name == merge.new.folded_name


def _changed_game(amendment):
    pairs = zip(amendment.before["games"], amendment.after["games"], strict=True)
    (changed,) = [before["id"] for before, after in pairs if before["result"] != after["result"]]
    return changed


def test_calculating_again_takes_the_same_input_to_the_same_ratings(small):
    calculated = RatingPeriod.objects.filter(publication__run__kind=RatingRun.Kind.CALCULATED)
    for period in calculated.select_related("publication__run"):
        gathered = read_run_input(period)
        assert gathered.input.hash == period.publication.run.input_hash
        result = chessa.rate(gathered.columns, gathered.input.edition)
        for place, list_id in enumerate(gathered.list_ids):
            stored = Rating.objects.filter(run=period.publication.run, list=list_id, published__isnull=False)
            again = dict(zip(gathered.players.tolist(), result.published[place].tolist(), strict=True))
            found = {player: float(published) for player, published in stored.values_list("player", "published")}
            assert found == {player: pytest.approx(again[player], abs=1e-9) for player in found}
            assert len(found) == result.rated[place].sum() > 0


def test_places_abroad_follow_the_points(small):
    sections = Section.objects.filter(event__kind=Kind.ABROAD).prefetch_related("entries")
    several = [found for section in sections if len(found := section.entries.order_by("rank")) > 1]
    assert several
    for entries in several:
        points = [entry.points for entry in entries]
        assert points == sorted(points, reverse=True)
        assert len({entry.rank for entry in entries}) == len(points)


def test_ranks_follow_the_published_ratings(small):
    run = RatingPeriod.objects.get(month=date(2026, 10, 1)).publication.run
    for rating_list in RatingList.objects.all():
        rows = list(
            Rating.objects.filter(run=run, list=rating_list, published__isnull=False)
            .order_by("position")
            .values_list("position", "rank", "published")
        )
        assert len(rows) > 20
        assert [position for position, _, _ in rows] == list(range(1, len(rows) + 1))
        for _, rank, published in rows:
            assert rank == 1 + sum(other > published for _, _, other in rows)


def test_ratings_have_come_apart(small):
    run = RatingPeriod.objects.get(month=date(2026, 10, 1)).publication.run
    published = Rating.objects.filter(run=run, list__code="main").values_list("published", flat=True)
    assert max(published) - min(published) > 150


def test_events_stand_in_every_state_that_an_open_month_has(small):
    states = {State(state) for state in Event.objects.values_list("state", flat=True)}
    assert states >= {State.DRAFT, State.REGISTERED, State.SUBMITTED, State.RETURNED, State.ACCEPTED, State.PUBLISHED}


def test_trails_read_in_the_order_of_time(small):
    for event in Event.objects.prefetch_related("moves"):
        moves = sorted(event.moves.all(), key=lambda move: move.pk)
        assert [move.at for move in moves] == sorted(move.at for move in moves)
        assert all(move.at.date() <= TODAY for move in moves)
        assert not moves or moves[-1].target == event.state
        sent_in_afterwards = event.kind == Kind.ABROAD and event.sections.filter(submissions__isnull=False).exists()
        if event.state != State.DRAFT.value and not sent_in_afterwards:
            assert moves[0].at.date() < event.starts or moves[0].at.date() == TODAY


def test_history_bears_the_dates_of_the_story(small):
    dates = set(Event.history.values_list("history_date", flat=True))
    assert max(dates).date() <= TODAY
    assert Player.history.latest("history_date").history_date.date() <= TODAY


def test_results_of_the_last_months_came_as_files(small):
    submitted = (
        Submission.objects.filter(section__event__ends__gte=date(2026, 8, 1)).values("section__event").distinct()
    )
    assert submitted.count() > 10
    assert not Submission.objects.filter(section__event__ends__lt=date(2026, 7, 1)).exists()
    at_home = Submission.objects.exclude(section__event__kind=Kind.ABROAD)
    assert set(at_home.values_list("format", flat=True)) == {"TRF26"}


def test_results_from_abroad_came_by_a_mailed_link_and_by_the_region(small):
    sent_in = Event.objects.filter(sections__submissions__format="abroad")
    assert {(event.state, event.abroad_links.exists()) for event in sent_in} == {
        (State.SUBMITTED.value, True),
        (State.RETURNED.value, False),
    }


def test_some_findings_wait_for_the_officer(small):
    open_holds = SubmissionFinding.objects.filter(severity="hold", waived_at=None)
    assert open_holds.filter(submission__section__event__state=State.SUBMITTED.value).exists()
    assert not open_holds.filter(submission__section__event__state=State.PUBLISHED.value).exists()
    assert not SubmissionFinding.objects.filter(severity="error").exists()


def test_a_file_after_the_deadline_waits_for_the_officer(small):
    late = SubmissionFinding.objects.get(code="too-late", submission__section__position=1)
    assert (late.severity, late.article, late.waived_at) == ("hold", "61", None)
    assert late.submission.section.event.state == State.SUBMITTED.value


def test_an_event_sent_in_late_is_rated_in_the_next_period(small):
    taken_in = [State.PUBLISHED.value, State.ACCEPTED.value]
    rated = Section.objects.filter(event__state__in=taken_in, period__isnull=False)
    behind = [one for one in rated.select_related("period") if one.period.month > one.ends]
    assert behind
    assert all(next_month(one.ends.replace(day=1)) == one.period.month for one in behind)


def test_a_month_was_calculated_again_for_a_straggler(small):
    first, second = RatingRun.objects.filter(period__month=date(2026, 9, 1)).order_by("pk")
    assert (first.state, second.state) == (RatingRun.State.SUPERSEDED, RatingRun.State.PUBLISHED)
    assert second.sections > first.sections
    assert not Rating.objects.filter(run=first).exists()


def test_penalties_of_rated_events_are_decided(small):
    rated = Penalty.objects.filter(section__event__state=State.PUBLISHED.value)
    assert rated.filter(status=Penalty.Status.CONFIRMED).exists()
    assert not rated.filter(status=Penalty.Status.PROPOSED).exists()


def test_an_event_abroad_has_guests_and_a_link(small):
    abroad = Event.objects.filter(kind=Kind.ABROAD)
    assert abroad
    assert all(event.results_url.startswith("https://example.org/") for event in abroad)
    assert Game.objects.filter(section__event__in=abroad, guest__fide_rating__isnull=False).exists()
    assert Game.objects.filter(section__event__in=abroad, guest__performance__isnull=False).exists()


def test_everybody_is_invented(small):
    assert all(number.startswith("999") for number in Player.objects.values_list("number", flat=True))
    assert list(Notice.objects.filter(shown=True).values_list("text", flat=True)) == [NOTICE]
    assert Retention.objects.get().contact == CONTACT


def test_the_users_can_log_in_and_have_their_roles(small):
    users = {user.email: user for user in User.objects.all()}
    assert all(users[account.email].check_password(account.password) for account in accounts())
    assert all(users[account.email].is_staff for account in accounts())
    assert roles_of(users["officer@example.org"]) == {Role.OFFICER}
    assert roles_of(users["administrator@example.org"]) == {Role.ADMINISTRATOR}
    assert roles_of(users["arbiter@example.org"]) == {Role.ARBITER}
    assert roles_of(users["panel@example.org"]) == {Role.PANEL}
    assert users["superuser@example.org"].is_superuser


def test_an_error_waits_for_the_officer_and_others_are_answered(small):
    assert sorted(ErrorReport.objects.values_list("state", flat=True)) == ["corrected", "received", "rejected"]


@pytest.mark.parametrize("email", ["administrator@example.org", "arbiter@example.org"])
def test_administrator_and_arbiter_have_events_of_their_own(small, email):
    events = visible_events(User.objects.get(email=email))
    assert set(events.values_list("state", flat=True)) >= {State.ACCEPTED.value, State.RETURNED.value}
    assert events.count() < Event.objects.count()


def test_the_command_refuses_a_database_in_use(small):
    before = Player.objects.count(), Event.objects.count(), User.objects.count()
    with pytest.raises(CommandError, match="nothing was changed"):
        call_command("demo", stdout=StringIO())
    assert (Player.objects.count(), Event.objects.count(), User.objects.count()) == before


def test_if_empty_is_quiet_about_a_database_in_use(small):
    before = Player.objects.count(), Event.objects.count(), User.objects.count()
    out = StringIO()
    call_command("demo", "--if-empty", stdout=out)
    assert out.getvalue() == ""
    assert (Player.objects.count(), Event.objects.count(), User.objects.count()) == before


@pytest.mark.django_db
def test_a_user_with_an_address_of_the_demonstration_is_in_the_way():
    assert is_empty()
    User.objects.create_user("Officer@example.org")
    assert not is_empty()
    with pytest.raises(NotEmptyError):
        load(SMALL, say=lambda line: None)
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_the_command_loads_an_empty_database_and_says_who_can_log_in():
    out = StringIO()
    call_command("demo", "--if-empty", "--people", "60", "--months", "1", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("2026-09 opening balance")
    assert lines[1].startswith("2026-10 published")
    assert lines[2].startswith("2026-11 open")
    assert lines[3:] == [f"{role}: {email}, password {password}" for role, email, password in accounts()]
    assert RatingPeriod.objects.exclude(publication=None).count() == 2
    # The files of earlier months, which a worker makes, wait since now and not since the invented day of publication.
    assert [row.is_late for row in waiting(at=timezone.now()) if row.kind == "downloads"] == [False]


@pytest.mark.django_db
def test_where_the_administrator_was_replaced_since_no_appeal_is_lodged():
    """In a demonstration of this size the region of each old refusal has another administrator at its end."""
    load(Scale(people=150, months=8), say=lambda line: None)
    assert Refusal.objects.filter(section=None).exists()
    assert not Appeal.objects.filter(refusal__section=None).exists()


@pytest.mark.django_db
def test_a_size_that_cannot_be_filled_is_refused():
    with pytest.raises(CommandError, match="60 to 2000 people"):
        call_command("demo", "--people", "59", stdout=StringIO())
    assert is_empty()


@pytest.mark.django_db
def test_a_loading_that_fails_leaves_nothing_behind():
    told = []

    def stop_at_the_second_month(line):
        told.append(line)
        if len(told) == 2:
            raise StopError

    with pytest.raises(StopError):
        load(Scale(people=60, months=2), say=stop_at_the_second_month)
    assert is_empty()
    assert not Notice.objects.exists()
    assert not Event.history.exists()


def test_regions_have_asked_and_appealed_in_the_order_of_time(small):
    for refusal in Refusal.objects.select_related("event"):
        assert refusal.at >= refusal.event.moves.get(target=State.SUBMITTED.value).at
        assert refusal.at.date() <= TODAY
    assert Refusal.objects.exclude(section=None).filter(appeal__isnull=True).exists()
    assert {one.state for one in PermissionRequest.objects.all()} <= {"asked", "granted"}
    assert PermissionRequest.objects.exists()
    for appeal in Appeal.objects.all():
        assert appeal.refusal.at < appeal.at < (appeal.answered_at or datetime.max.replace(tzinfo=UTC))
