"""A chain corrected in the middle gives what a bureau would have that had the right results from the beginning."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.amending.content import Content, read_content, write_content
from events.amending.edits import left_out, with_facts, with_player, with_result
from events.models import RatingPeriod, Section
from events.rules.game_result import Result
from ratings.models import Amendment, PublishedRun, Rating, RatingList, RatingRun, Rerating
from ratings.periods import RunError
from ratings.rerating.amendments import amend
from ratings.rerating.chain import published_chain
from ratings.rerating.operations import (
    MOST_ATTEMPTS,
    begin_month,
    calculate_again,
    claim_rerating,
    note_error,
    request_publication,
    start_rerating,
    take_back,
    withdraw,
)
from ratings.rerating.worker import process_rerating
from ratings.runs.inputs import read_input
from ratings.runs.operations import LeaseLostError
from tests.builders import publish
from tests.federation import load
from tests.pages.builders import add_list
from tests.ratings.chain import AT, load_months, publish_again, publish_months, published, rerate

pytestmark = pytest.mark.django_db


def _bureau(seed: int, edits: Sequence[tuple[int, Any]] = ()) -> list[Section]:
    """Four months of a small federation, published; `edits`: what is right from the beginning, by place of the section."""
    load_months(seed)
    sections = list(Section.objects.order_by("period__month", "pk"))
    for place, edit in edits:
        write_content(sections[place], edit(read_content(sections[place])))
    publish_months()
    return sections


def _edits(seed: int) -> list[tuple[int, Any]]:
    """Corrections of a result, a player, a time control, and a section that should not have been rated."""

    def result(content: Content) -> Content:
        game = content["games"][seed % len(content["games"])]
        other = next(result for result in (Result.DRAW, Result.WHITE_WINS) if result.value != game["result"])
        return with_result(content, game["id"], other)

    def taken_for_another(content: Content) -> Content:
        present = {row[side] for row in content["games"] for side in ("white_id", "black_id")}
        absent = sorted(set(range(min(present), min(present) + 24)) - present)
        return with_player(content, min(present), absent[0]) if absent else content

    def time_control(content: Content) -> Content:
        return with_facts(content, base_minutes=12, increment_seconds=0)

    edits = [result, taken_for_another, time_control, left_out]
    return [(3 + seed % 3, edits[seed % 4]), (6 + seed % 3, edits[(seed + 1) % 4])]


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
@pytest.mark.rule("chessa 64")
def test_it_gives_the_figures_of_a_bureau_that_had_the_right_results(seed):
    with transaction.atomic():
        RatingList.objects.create(code="irish", name="Irish", position=9, system="icu")
        edits = _edits(seed)
        with transaction.atomic():
            _bureau(seed, edits)
            right = published()
            transaction.set_rollback(True)
        with transaction.atomic():
            sections = _bureau(seed)
            before = published()
            for place, edit in edits:
                amend(sections[place], edit, reason="A report of an error.", at=AT)
            done = publish_again(rerate())
            assert done.state == Rerating.State.PUBLISHED, done.error
            assert [row[:2] for row in published()] == [row[:2] for row in right]
            assert published() == right
            take_back(done, reason="It was right after all.", at=AT)
            assert published() == before
            transaction.set_rollback(True)
        transaction.set_rollback(True)


FEBRUARY = (
    "(SELECT run_id FROM ratings_publishedrun JOIN events_ratingperiod period ON period.id = period_id"
    " WHERE month = '2024-02-01')"
)
ITS_BIRTHS = f"UPDATE ratings_runperson SET born = '2014-01-01' WHERE run_id = {FEBRUARY}"
ITS_ROW = "UPDATE ratings_rating SET raw = raw + 150, published = published + 150 WHERE run_id = {} AND rank = 1"


def test_what_was_changed_by_hand_does_not_come_into_new_lists():
    """A game of February, by SQL; then another section of January is amended."""
    sections = _bureau(1)
    before, game = published(), sections[4].games.exclude(result="0-1").order_by("pk").first()
    was = game.result
    type(game).objects.filter(pk=game.pk).update(result="0-1")
    amend(sections[1], _won_by_black(1), reason="A report of an error.", at=AT)
    failed = rerate()
    assert failed.state == Rerating.State.FAILED
    assert failed.error.startswith("month 2024-02: its games, penalties, adjustments or former lists are not those")
    assert "was changed by hand: “verify” tells more" in failed.error
    assert published() == before
    type(game).objects.filter(pk=game.pk).update(result=was)
    again = process_rerating(calculate_again(failed, at=AT).pk)
    assert publish_again(again).state == Rerating.State.PUBLISHED


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (ITS_BIRTHS, "month 2024-02, "),
        ("UPDATE ratings_ratinglist SET counts_rapid = NOT counts_rapid WHERE code = 'later'", "list later of 2024-"),
        (ITS_ROW.format(FEBRUARY), "list main of 2024-02, "),
    ],
)
def test_what_lists_were_calculated_from_and_was_changed_by_hand_does_not_come_into_new_lists(sql, found):
    load_months(1)
    add_list("later", system="icu", position=7)
    publish_months()
    _change_by_hand(sql)
    before = published()
    amend(Section.objects.order_by("period__month", "pk")[1], _won_by_black(1), reason="A report.", at=AT)
    failed = rerate()
    assert failed.state == Rerating.State.FAILED
    assert failed.error.startswith(found)
    assert published() == before


def test_a_birth_date_changed_by_hand_together_with_the_hash_of_it_does_not_come_into_new_lists():
    """Where the figures depend on it: US ratings of who comes on the list with his age."""
    load_months(1)
    add_list("us", system="uscf", position=7)
    publish_months()
    run = PublishedRun.objects.get(period__month=date(2024, 2, 1)).run
    _change_by_hand(ITS_BIRTHS)
    run.list_hashes = read_input(run.period).list_hashes
    run.save(update_fields=["list_hashes"])
    amend(Section.objects.order_by("period__month", "pk")[5], _won_by_black(1), reason="A report.", at=AT)
    failed = rerate()
    assert failed.state == Rerating.State.FAILED
    assert failed.error.startswith("month 2024-02, ")
    assert "that its run keeps of him is none that the register ever said" in failed.error


def test_a_row_of_the_month_before_changed_by_hand_does_not_come_into_new_lists():
    load_months(1)
    publish_months()
    _change_by_hand(ITS_ROW.format(FEBRUARY))
    amend(Section.objects.filter(period__month=date(2024, 3, 1)).first(), left_out, reason="A report.", at=AT)
    failed = rerate()
    assert failed.state == Rerating.State.FAILED
    assert failed.error.startswith("list main of 2024-03, ")


def _change_by_hand(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        assert cursor.rowcount > 0


def _won_by_black(place: int) -> Any:
    """The edit that gives Black the game of a section at `place`."""
    return lambda content: with_result(content, content["games"][place]["id"], Result.BLACK_WINS)


@pytest.mark.rule("chessa 64")
def test_a_chain_whose_middle_is_corrected_already_is_corrected_again():
    """February first; then January before it, February itself again, in the same section and in another, and March."""
    edits = [(4, _won_by_black(0)), (1, _won_by_black(1)), (4, _won_by_black(2)), (5, left_out), (7, _won_by_black(0))]
    with transaction.atomic():
        _bureau(1, edits)
        right = published()
        transaction.set_rollback(True)
    sections, states, done = _bureau(1), [published()], []
    for place, edit in edits:
        assert amend(sections[place], edit, reason=f"Of section {place}.", at=AT)
        done.append(publish_again(rerate()))
        assert done[-1].state == Rerating.State.PUBLISHED, done[-1].error
        states.append(published())
    assert states[-1] == right
    with pytest.raises(RunError, match="were corrected again since: take that back first"):
        take_back(done[0], reason="It was right.", at=AT)
    for before, correction in zip(reversed(states[:-1]), reversed(done), strict=True):
        take_back(correction, reason="It was right.", at=AT)
        assert published() == before
    waiting = {amendment.section_id: amendment.reason for amendment in Amendment.objects.filter(Amendment.OPEN)}
    assert waiting == {sections[place].pk: f"Of section {place}." for place in (1, 4, 5, 7)}
    publish_again(rerate())
    assert published() == right


def test_two_corrections_of_a_section_that_cancel_each_other_out_leave_nothing_waiting(sections):
    before = published()
    game = sections[4].games.filter(result="1-0").first()
    for result in (Result.BLACK_WINS, Result.WHITE_WINS):
        amend(sections[4], lambda content, right=result: with_result(content, game.pk, right), reason="So.", at=AT)
        publish_again(rerate())
    later, first = Rerating.objects.order_by("-pk")
    take_back(later, reason="It was not.", at=AT)
    take_back(first, reason="It was.", at=AT)
    assert published() == before
    assert not Amendment.objects.exists()


def test_what_is_corrected_again_is_not_taken_back_while_that_is_calculated(sections):
    _amend(sections[4])
    first = publish_again(rerate())
    left = amend(sections[4], left_out, reason="It was no rated section.", at=AT)
    second = rerate()
    with pytest.raises(RunError, match=f"is part of {second}: withdraw that first, or publish it"):
        take_back(first, reason="It was right.", at=AT)
    withdraw(second, at=AT)
    take_back(first, reason="It was right.", at=AT)
    left.refresh_from_db()
    assert left.reason == "The sheet says so.\nIt was no rated section."
    assert left.before["games"] == read_content(sections[4])["games"]


def test_former_lists_without_a_list_that_was_added_since_are_not_published_again(sections):
    _amend(sections[4])
    done = publish_again(rerate())
    later = add_list("later", system="uscf", position=7)
    before = published()
    with pytest.raises(
        RunError,
        match=f"^{later.name} was added, changed or filled, or a player’s data erased, after the former lists of 2024-02",
    ):
        take_back(done, reason="It was right.", at=AT)
    assert published() == before
    assert PublishedRun.objects.get(period__month=date(2024, 2, 1)).run.rerating == done


@pytest.fixture
def sections() -> list[Section]:
    """The sections of four published months."""
    return _bureau(1)


def _amend(section: Section) -> Amendment:
    game = section.games.filter(result="1-0").first()
    amendment = amend(
        section, lambda content: with_result(content, game.pk, Result.BLACK_WINS), reason="The sheet says so.", at=AT
    )
    assert amendment is not None
    return amendment


def test_the_former_lists_stay_and_the_new_ones_are_revisions(sections):
    before = list(Rating.objects.order_by("run_id", "list_id", "player_id").values())
    _amend(sections[4])
    done = publish_again(rerate())
    kept = Rating.objects.exclude(run__rerating=done).order_by("run_id", "list_id", "player_id")
    assert list(kept.values()) == before
    revisions = {
        str(period.month): list(period.revisions.values_list("number", "run__state", "reason"))
        for period in RatingPeriod.objects.filter(revisions__isnull=False).distinct()
    }
    assert revisions["2024-01-01"] == [(1, "published", "")]
    assert revisions["2024-02-01"] == [(1, "replaced", ""), (2, "published", "Corrected.")]
    assert revisions["2024-04-01"] == [(1, "replaced", ""), (2, "published", "Corrected.")]


def test_nothing_changes_before_it_is_published(sections):
    before = published()
    game = sections[4].games.filter(result="1-0").first()
    _amend(sections[4])
    rerating = rerate()
    assert rerating.state == Rerating.State.CALCULATED
    assert rerating.impact[0]["month"] == "2024-02"
    assert rerating.impact[0]["players"] > 0
    assert published() == before
    game.refresh_from_db()
    assert game.result == "1-0"


def test_withdrawn_it_leaves_its_amendments_waiting_and_no_figures(sections):
    amendment = _amend(sections[4])
    rerating = rerate()
    withdraw(rerating, at=AT)
    amendment.refresh_from_db()
    assert amendment.rerating is None
    assert not RatingRun.objects.filter(rerating=rerating).exists()
    assert Rating.objects.exclude(run__in=PublishedRun.objects.values("run")).count() == 0


def test_a_month_that_is_published_meanwhile_refuses_it(sections):
    _amend(sections[4])
    rerating = rerate()
    load(players=24, games=40, sections=2, seed=9, month=date(2024, 5, 1), active=1)
    publish(date(2024, 5, 1), at=AT)
    with pytest.raises(RunError, match="2024-05 was published after"):
        request_publication(rerating, at=AT)


def test_a_section_that_changed_meanwhile_refuses_it(sections):
    _amend(sections[4])
    rerating = rerate()
    Section.objects.filter(pk=sections[4].pk).update(base_minutes=3)
    done = publish_again(rerating)
    assert done.state == Rerating.State.CALCULATED
    assert "has been changed since it was amended" in done.error
    assert PublishedRun.objects.filter(run__rerating=done).count() == 0


def test_two_officers_have_one_chain(sections):
    _amend(sections[4])
    rerate()
    _amend(sections[7])
    with pytest.raises(RunError, match="publish it or withdraw it first"):
        rerate()


def test_a_month_that_is_not_published_is_no_beginning(sections):
    with pytest.raises(RunError, match="2024-09 is not published"):
        rerate(date(2024, 9, 1))
    _amend(sections[4])
    with pytest.raises(RunError, match="concerns 2024-02: re-rate from that month on"):
        rerate(date(2024, 3, 1))
    with pytest.raises(RunError, match="give the reason"):
        start_rerating(None, list(Amendment.objects.all()), reason=" ", at=AT)


def test_the_month_that_is_calculated_next_follows_the_corrected_lists(sections):
    _amend(sections[10])
    load(players=24, games=40, sections=2, seed=9, month=date(2024, 5, 1), active=1)
    done = publish_again(rerate())
    run = publish(date(2024, 5, 1), at=AT)
    assert run.state == RatingRun.State.PUBLISHED
    corrected = PublishedRun.objects.get(period__month=date(2024, 4, 1)).run
    assert corrected.rerating == done
    before = {row.player_id: row.published for row in Rating.objects.filter(run=corrected, list__code="main")}
    for rating in Rating.objects.filter(run=run, list__code="main", player_id__in=before):
        assert rating.previous == before[rating.player_id]


def test_a_killed_worker_leaves_the_chain_to_the_next(sections):
    amendment = _amend(sections[4])
    rerating = start_rerating(None, [amendment], reason="Corrected.", at=AT)
    lost = claim_rerating(rerating.pk, at=AT)
    assert lost is not None
    begin_month(lost, published_chain(date(2024, 2, 1))[0], at=AT)
    assert process_rerating(rerating.pk, clock=lambda: AT).state == Rerating.State.RUNNING
    later = AT + timedelta(hours=1)
    assert process_rerating(rerating.pk, clock=lambda: later).state == Rerating.State.CALCULATED
    assert RatingRun.objects.filter(rerating=rerating).count() == 3
    with pytest.raises(LeaseLostError):
        begin_month(lost, published_chain(date(2024, 2, 1))[0], at=later)


def _hit_by_an_outage(rerating: Rerating, at: datetime) -> None:
    note_error(claim_rerating(rerating.pk, at=at), OperationalError("unable to open database file"))
    rerating.refresh_from_db()
    assert rerating.error.startswith("The database did not answer")


def test_a_re_rating_that_is_killed_too_often_after_an_outage_says_so(sections):
    rerating = start_rerating(None, [_amend(sections[4])], reason="Corrected.", at=AT)
    _hit_by_an_outage(rerating, AT)
    for attempt in range(1, MOST_ATTEMPTS + 2):
        claim_rerating(rerating.pk, at=AT + timedelta(hours=attempt))
    rerating.refresh_from_db()
    assert (rerating.state, rerating.error[:27]) == ("failed", "given up after 5 attempts: ")


def test_what_went_on_after_an_outage_tells_no_error(sections):
    rerating = start_rerating(None, [_amend(sections[4])], reason="Corrected.", at=AT)
    for hours, state in ((0, "calculated"), (2, "published")):
        _hit_by_an_outage(rerating, AT + timedelta(hours=hours))
        rerating = process_rerating(rerating.pk, clock=lambda hours=hours: AT + timedelta(hours=hours + 1))
        assert (rerating.state, rerating.error) == (state, "")
        if state == "calculated":
            request_publication(rerating, at=AT)
