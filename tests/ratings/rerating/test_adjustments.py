"""What is published is let stand, and the next list corrected (article 64)."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial

import pytest

from accounts.models import Decision, Mail
from events.amending.edits import with_facts
from events.models import ErrorReport, Game, RatingPeriod
from ratings.cases.chessa import answer
from ratings.cases.fields import Node
from ratings.explanations.case_files import export_period, export_player
from ratings.explanations.queries import explain_month
from ratings.models import Activity, Adjustment, Amendment, PublishedRun, Rating, RatingList, Rerating
from ratings.periods import RunError
from ratings.rerating.adjustments import adjust, let_stand, raw_differences, withdraw_adjustment, withdraw_adjustments
from ratings.rerating.amendments import amend
from ratings.rerating.operations import request_publication, start_rerating, take_back
from ratings.rerating.worker import process_rerating
from ratings.runs.inputs import read_input
from ratings.systems.base import CellKind
from tests.builders import calculate, people, period, publish
from tests.ratings.rerating.conftest import CORRECTED_AT, amend_a_result

pytestmark = pytest.mark.django_db
MARCH, APRIL = date(2024, 3, 1), date(2024, 4, 1)
IN_MAY = datetime(2024, 5, 2, 8, tzinfo=UTC)
REASON = "A result was entered wrongly."


def _calculated(section, report: ErrorReport | None = None) -> Rerating:
    amendment = amend_a_result(section)
    if report:
        amendment.reports.add(report)
    return process_rerating(start_rerating(None, [amendment], reason=REASON, at=CORRECTED_AT).pk)


def _report(section) -> ErrorReport:
    return ErrorReport.objects.create(
        section=section,
        month=MARCH,
        wrong="I won.",
        right="0-1",
        role="player",
        reporter_name="Naledi",
        reporter_email="naledi@example.org",
        at=CORRECTED_AT,
        confirmed_at=CORRECTED_AT,
    )


def _raw(month: date, code: str = "main") -> dict[int, float]:
    rows = Rating.objects.filter(run__publication__period__month=month, list__code=code)
    return {player: float(raw) for player, raw in rows.values_list("player_id", "raw")}


def _main() -> RatingList:
    return RatingList.objects.get(code="main")


@pytest.mark.rule("chessa 64")
def test_the_past_stands_and_the_next_list_has_what_a_re_rating_would_have_made(section):
    rerating = _calculated(section)
    published = _raw(MARCH)
    right = dict(rerating.runs.get().ratings.filter(list__code="main").values_list("player_id", "raw"))
    assert {row.player_id for row in raw_differences(rerating)} == {
        player for player, raw in published.items() if abs(float(right[player]) - raw) >= 0.005
    }
    let_stand(rerating, at=CORRECTED_AT)
    assert not rerating.runs.exists()
    assert read_input(period(MARCH)).is_of(PublishedRun.objects.get().run)
    publish(APRIL, at=IN_MAY)
    assert _raw(MARCH) == published
    assert _raw(APRIL) == pytest.approx({player: float(raw) for player, raw in right.items()}, abs=0.006)
    assert Game.objects.filter(section=section, result="0-1").count() < section.games.count()
    assert not Activity.objects.filter(run__publication__period__month=APRIL).exists()


@pytest.mark.rule("chessa 64")
def test_an_adjusted_month_is_explained_and_its_case_gives_its_figures(section):
    let_stand(_calculated(section), at=CORRECTED_AT)
    publish(APRIL, at=IN_MAY)
    adjusted = Adjustment.objects.filter(list__code="main").latest("points").player
    explained = explain_month(period(APRIL), adjusted.pk, "main")
    assert explained.published == pytest.approx(
        float(Rating.objects.get(run__publication__period__month=APRIL, list__code="main", player=adjusted).published)
    )
    step = explained.explanation.step("raw")
    cells = [cell for row in step.rows for cell in row if cell.kind is CellKind.ADJUSTMENT]
    assert [str(cell.value).endswith(f"points: {REASON}") for cell in cells] == [True]
    assert "article 64" in str(step.remark)
    for document in (export_period(period(APRIL)), export_player(period(APRIL), adjusted)):
        case = json.loads(json.dumps(document))
        assert case["adjustments"]
        answered = answer(Node(case, ""))["players"]
        for player, lists in case["expected"]["players"].items():
            for code, figures in lists.items():
                assert answered[player][code] == pytest.approx(figures, abs=1e-9)


def test_a_month_without_adjustments_is_what_it_was(section):
    before = read_input(period(APRIL)).hash
    made = adjust(section.entries.first().player, _main(), Decimal("12.50"), reason=REASON, at=CORRECTED_AT)
    assert read_input(period(APRIL)).hash != before
    withdraw_adjustment(made, reason="It was right.", at=CORRECTED_AT)
    assert read_input(period(APRIL)).hash == before
    assert "adjustments" not in export_period(period(MARCH))


def test_a_calculated_month_is_calculated_again_before_it_is_published(section):
    run = calculate(APRIL, at=IN_MAY)
    player = section.entries.first().player
    adjust(player, _main(), Decimal("-7.25"), reason=REASON, at=IN_MAY)
    assert not read_input(period(APRIL)).is_of(run)
    before = _raw(MARCH)
    publish(APRIL, at=IN_MAY)
    assert _raw(APRIL)[player.pk] == pytest.approx(before[player.pk] - 7.25)


def test_a_re_rating_of_the_months_keeps_their_adjustments(section):
    player = section.entries.first().player
    adjust(player, _main(), Decimal(30), reason=REASON, at=CORRECTED_AT)
    publish(APRIL, at=IN_MAY)
    rerating = _calculated(section)
    request_publication(rerating, at=IN_MAY)
    assert process_rerating(rerating.pk).state == "published"
    assert _raw(APRIL)[player.pk] == pytest.approx(_raw(MARCH)[player.pk] + 30)


def test_adjustments_are_withdrawn_until_their_month_is_published(section):
    rerating = _calculated(section)
    made = let_stand(rerating, at=CORRECTED_AT)
    with pytest.raises(RunError, match="withdraw its adjustments together"):
        withdraw_adjustment(Adjustment.objects.first(), reason="x", at=CORRECTED_AT)
    with pytest.raises(RunError, match="give the reason"):
        withdraw_adjustments(rerating, reason=" ", at=CORRECTED_AT)
    withdraw_adjustments(rerating, reason="It shall be re-rated.", at=CORRECTED_AT)
    assert Adjustment.objects.filter(Adjustment.IN_FORCE).count() == 0 < len(made)
    waiting = Amendment.objects.get(Amendment.OPEN, rerating=None)
    again = process_rerating(start_rerating(None, [waiting], reason=REASON, at=CORRECTED_AT).pk)
    let_stand(again, at=CORRECTED_AT)
    publish(APRIL, at=IN_MAY)
    with pytest.raises(RunError, match="2024-04 is published: its adjustments are part of its list"):
        withdraw_adjustments(again, reason="Too late.", at=IN_MAY)
    assert Adjustment.objects.filter(Adjustment.IN_FORCE).count() == len(made)


def test_what_was_let_stand_is_not_corrected_a_second_time(section):
    rerating = _calculated(section)
    let_stand(rerating, at=CORRECTED_AT)
    with pytest.raises(Exception, match="would count twice"):
        amend_a_result(section)
    with pytest.raises(RunError, match="only a calculated re-rating can be let stand"):
        let_stand(rerating, at=CORRECTED_AT)


@pytest.mark.parametrize(
    ("points", "reason", "message"),
    [
        ("0", REASON, "not 0"),
        ("0.005", REASON, "at most 2 decimals"),
        ("1000.01", REASON, "up to 1000"),
        ("5", " ", "give the reason"),
    ],
)
def test_what_is_no_adjustment_is_refused(section, points, reason, message):
    with pytest.raises(RunError, match=message):
        adjust(section.entries.first().player, _main(), Decimal(points), reason=reason, at=CORRECTED_AT)
    assert not Adjustment.objects.exists()


@pytest.mark.parametrize("points", ["1000", "-1000"])
def test_adjustments_to_what_no_rating_can_be_are_refused(section, points):
    """The files of the bureau have ratings from 1 to 4000, which its readers take."""
    player = section.entries.first().player
    rating = float(Rating.objects.filter(player=player, list=_main()).latest("pk").raw)
    fits = sum(1 <= rating + times * int(points) <= 4000 for times in range(1, 5))
    for number in range(fits):
        adjust(player, _main(), Decimal(points), reason=f"{REASON} {number}", at=CORRECTED_AT)
    with pytest.raises(RunError, match="a rating is from 1 to 4000"):
        adjust(player, _main(), Decimal(points), reason=REASON, at=CORRECTED_AT)
    with pytest.raises(RunError, match="has these points"):
        adjust(player, _main(), Decimal(points), reason=f"{REASON} 0", at=CORRECTED_AT)  # sent twice
    back = adjust(player, _main(), -Decimal(points), reason=REASON, at=CORRECTED_AT)
    adjust(player, _main(), Decimal(points), reason=REASON, at=CORRECTED_AT)
    with pytest.raises(RunError, match="a rating is from 1 to 4000"):
        withdraw_adjustment(back, reason=REASON, at=CORRECTED_AT)
    back.refresh_from_db()
    assert back.withdrawn_at is None


def test_an_adjustment_that_is_sent_twice_counts_once(section):
    """By a form, or a command that was killed after it had adjusted."""
    player = section.entries.first().player
    made = adjust(player, _main(), Decimal("12.5"), reason=REASON, at=CORRECTED_AT)
    with pytest.raises(RunError, match="has these points on Main for this reason already"):
        adjust(player, _main(), Decimal("12.50"), reason=f" {REASON}", at=CORRECTED_AT)
    withdraw_adjustment(made, reason="x", at=CORRECTED_AT)
    adjust(player, _main(), Decimal("12.5"), reason=REASON, at=CORRECTED_AT)
    adjust(player, _main(), Decimal("12.5"), reason="For another game.", at=CORRECTED_AT)
    assert Adjustment.objects.filter(Adjustment.IN_FORCE).count() == 2


def test_who_is_not_rated_and_what_is_no_list_of_chess_sa_are_not_adjusted(section):
    stranger = people(1)[0]
    with pytest.raises(RunError, match="is not rated on"):
        adjust(stranger, _main(), Decimal(5), reason=REASON, at=CORRECTED_AT)
    other = RatingList.objects.create(code="us", name="US", position=9, system="uscf")
    with pytest.raises(RunError, match="follows another system"):
        adjust(section.entries.first().player, other, Decimal(5), reason=REASON, at=CORRECTED_AT)


def test_nothing_is_adjusted_before_the_first_list_and_while_a_list_is_being_published(section):
    player = section.entries.first().player
    RatingPeriod.objects.filter(month=APRIL).update(state="publishing")
    with pytest.raises(RunError, match="2024-04 is publishing"):
        adjust(player, _main(), Decimal(5), reason=REASON, at=CORRECTED_AT)


@pytest.mark.rule("chessa 63", "chessa 64")
def test_the_reporter_is_answered_and_told_when_it_is_withdrawn(section):
    report = _report(section)
    rerating = _calculated(section, report)
    let_stand(rerating, at=CORRECTED_AT)
    report.refresh_from_db()
    assert (report.state, report.answered_at) == ("corrected", CORRECTED_AT)
    assert "from the list after the games of April 2024 on" in report.answer
    withdraw_adjustments(rerating, reason="It shall be re-rated.", at=CORRECTED_AT)
    report.refresh_from_db()
    assert (report.state, report.answer) == ("looked at", "")
    mails = [(mail.kind, mail.to) for mail in Mail.objects.order_by("pk")]
    assert mails[-2:] == [
        ("error report answer", "naledi@example.org"),
        ("error report reopened", "naledi@example.org"),
    ]
    assert Decision.objects.filter(action="adjustments withdrawn", reason="It shall be re-rated.").exists()


@pytest.mark.rule("chessa 63", "chessa 64")
def test_the_reporter_is_answered_when_the_re_rating_is_published_and_told_when_it_is_taken_back(section):
    report = _report(section)
    rerating = _calculated(section, report)
    request_publication(rerating, at=CORRECTED_AT)
    assert ErrorReport.objects.get().state == "received"
    process_rerating(rerating.pk, clock=lambda: CORRECTED_AT)
    report.refresh_from_db()
    assert (report.state, REASON in report.answer) == ("corrected", True)
    take_back(rerating, reason="The sheet was another one.", at=CORRECTED_AT)
    report.refresh_from_db()
    assert report.state == "looked at"
    assert Mail.objects.latest("pk").text.count("The sheet was another one.") == 1


def test_every_report_from_which_a_section_is_corrected_is_answered(section):
    first, second = _report(section), _report(section)
    amend_a_result(section)
    for minutes, report in ((89, first), (88, second)):
        amendment = amend(
            section,
            partial(with_facts, base_minutes=minutes, increment_seconds=30),
            reason=f"It was {minutes} minutes.",
            report=report,
            at=CORRECTED_AT,
        )
    started = start_rerating(None, [amendment], reason=REASON, at=CORRECTED_AT)
    request_publication(process_rerating(started.pk), at=CORRECTED_AT)
    process_rerating(started.pk, clock=lambda: CORRECTED_AT)
    assert {report.state for report in ErrorReport.objects.all()} == {"corrected"}


def test_a_report_that_was_answered_by_hand_keeps_its_answer(section):
    report = _report(section)
    ErrorReport.objects.filter(pk=report.pk).update(state="rejected", answer="No.", answered_at=CORRECTED_AT)
    rerating = _calculated(section, report)
    let_stand(rerating, at=CORRECTED_AT)
    withdraw_adjustments(rerating, reason="x", at=CORRECTED_AT)
    report.refresh_from_db()
    assert (report.state, report.answer) == ("rejected", "No.")
