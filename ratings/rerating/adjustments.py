"""Lets what was published stand, and corrects the next list by adjustments (article 64). One transaction each; the clock and
the actor are passed in."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import connection, transaction

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from config.lib.database import as_float
from config.lib.days import next_month
from config.lib.texts import plain_text
from events.amending.content import is_same, read_content
from events.models import ErrorReport, RatingPeriod
from events.periods import get_or_create_period, lock_periods
from players.models import Player
from ratings.models import MOST_POINTS, Adjustment, Amendment, Rating, RatingList, Rerating
from ratings.opening.entries import RATINGS
from ratings.periods import RunError
from ratings.rerating.operations import covered_months, delete_runs
from ratings.rerating.reports import answer_reports, let_stand_text, reopen_reports, reports_of
from ratings.runs.inputs import national_list_ids, published_run_id

PLACES = 2  # decimals of an adjustment: as many as the explanation of a month shows

# Raw ratings on Chess SA's lists that two runs have, and that differ.
_RAW = """
    SELECT new.list_id, new.player_id, CAST(old.raw AS double precision), CAST(new.raw AS double precision)
    FROM ratings_rating new
    JOIN ratings_rating old ON old.run_id = %s AND old.list_id = new.list_id AND old.player_id = new.player_id
    WHERE new.run_id = %s AND new.raw <> old.raw AND new.list_id IN (%s, %s, %s, %s)
"""


@dataclass(frozen=True, slots=True)
class RawDifference:
    """A player's raw rating on a list as it is published and as it would be today had the past been right."""

    list_id: int
    player_id: int
    published: float
    right: float

    @property
    def points(self) -> Decimal:
        """The adjustment: the difference, to two decimals."""
        return Decimal(f"{self.right - self.published:.{PLACES}f}")


def raw_differences(rerating: Rerating) -> list[RawDifference]:
    """Return what a calculated re-rating changes of raw ratings at the end of the last published month, on Chess SA's lists,
    greatest first; differences that vanish in two decimals are left out. Raises RunError if a month was published since."""
    period, run = covered_months(rerating)[-1]
    with connection.cursor() as cursor:
        cursor.execute(_RAW, [period.publication.run_id, run.pk, *national_list_ids()])
        rows = [RawDifference(*row) for row in cursor.fetchall()]
    rows = [row for row in rows if row.points]
    return sorted(rows, key=lambda row: (-abs(row.points), row.list_id, row.player_id))


def next_period() -> RatingPeriod:
    """Return the month after the last published one: its calculation takes adjustments. Raises RunError before the first list,
    and while that month is being published."""
    last = RatingPeriod.objects.filter(state=RatingPeriod.State.PUBLISHED).order_by("-month").first()
    if last is None or published_run_id(last.month) is None:
        raise RunError("no list of this bureau is published yet: there is nothing to adjust")
    period = get_or_create_period(next_month(last.month))
    _require_open(period)
    return period


def adjust(
    player: Player,
    rating_list: RatingList,
    points: Decimal,
    *,
    reason: str,
    at: datetime,
    by: User | None = None,
    report: ErrorReport | None = None,
) -> Adjustment:
    """Adjust one player's raw rating on one of Chess SA's lists in the next month's calculation. A report is answered by it.

    Raises RunError without a reason, or as `month_to_adjust` does.
    """
    reason = plain_text(reason)
    if not reason:
        raise RunError("give the reason of the adjustment: it is shown with it")
    with transaction.atomic():
        lock_periods()
        player = Player.objects.get(pk=player.pk)  # his data may have been erased meanwhile
        period = month_to_adjust(player, rating_list, points, reason)
        adjustment = Adjustment.objects.create(
            player=player, list=rating_list, period=period, points=points, reason=reason, report=report, at=at, by=by
        )
        record(
            "adjusted",
            player,
            at=at,
            by=by,
            after={"list": rating_list.name, "points": adjustment.points_text, "from": str(period)},
            reason=reason,
        )
        answer_reports([report] if report else [], let_stand_text(period.month, reason), at=at, by=by)
    return adjustment


def month_to_adjust(player: Player, rating_list: RatingList, points: Decimal, reason: str) -> RatingPeriod:
    """Return the month whose calculation takes an adjustment of a player on a list.

    Raises RunError for nought, too many points or more than two decimals, for a list of another system, for who is not rated
    on the list, for what no rating can be, before the first list, while that month is being published, or where the adjustment
    is there already: it was sent twice.
    """
    if not points or abs(points) > MOST_POINTS or points != round(points, PLACES):
        raise RunError(
            f"{points} points: an adjustment has up to {MOST_POINTS}, with at most {PLACES} decimals, and not 0"
        )
    if rating_list.pk not in national_list_ids():
        raise RunError(f"{rating_list} follows another system: only Chess SA’s four lists are adjusted")
    period = next_period()
    last, raw = _raw_before(player, rating_list, period)
    if raw is None:
        raise RunError(f"{player} is not rated on {rating_list} at the end of {last}: there is nothing to adjust")
    there = Adjustment.objects.filter(Adjustment.IN_FORCE, period=period, player=player, list=rating_list)
    if there.filter(points=points, reason=reason, rerating=None).exists():
        raise RunError(
            f"{player} has these points on {rating_list} for this reason already: give another one if they are to count twice"
        )
    _require_possible(player, rating_list, last, raw, [*(one.points for one in there), points])
    return period


def _raw_before(player: Player, rating_list: RatingList, period: RatingPeriod) -> tuple[RatingPeriod, float | None]:
    """Return the last month before one, and a player's raw rating at its end; None if he is not rated on the list."""
    last = RatingPeriod.objects.filter(month__lt=period.month).latest("month")
    rated = Rating.objects.filter(run=published_run_id(last.month), list=rating_list, player=player, raw__isnull=False)
    return last, rated.values_list(as_float("raw"), flat=True).first()


def _require_possible(
    player: Player, rating_list: RatingList, last: RatingPeriod, raw: float, points: Iterable[Decimal]
) -> None:
    """Raise RunError if a player's adjustments of the month after his `last` one make what no rating can be."""
    adjusted = raw + float(sum(points))
    lowest, highest = RATINGS
    if not lowest <= adjusted <= highest:
        raise RunError(
            f"{player} has {raw:.2f} on {rating_list} at the end of {last}, and would have {adjusted:.2f} by all that is"
            f" adjusted: a rating is from {lowest:g} to {highest:g}"
        )


def adjustment_line(adjustment: Adjustment) -> dict[str, object]:
    """Return an adjustment by the words of addresses: month, list, player's Chess SA id, points."""
    return {
        "month": str(adjustment.period),
        "list": adjustment.list.code,
        "player": adjustment.player.number,
        "points": float(adjustment.points),
    }


def withdraw_adjustment(adjustment: Adjustment, *, reason: str, at: datetime, by: User | None = None) -> None:
    """Withdraw an adjustment that was entered by hand. Raises RunError without a reason, if it is withdrawn already, if it came
    with a re-rating, if the list of its month is published or about to be, or if those that stay make what no rating can be."""
    reason = _reason_of_withdrawal(reason)
    with transaction.atomic():
        lock_periods()
        current = (
            Adjustment.objects.select_for_update(of=("self",))
            .select_related("period", "rerating", "player", "list")
            .get(pk=adjustment.pk)
        )
        if current.withdrawn_at:
            raise RunError(f"{current} is withdrawn already")
        if current.rerating:
            raise RunError(f"{current} came with {current.rerating}: withdraw its adjustments together, on its page")
        _require_open(current.period)
        current.withdrawn_at = at
        current.save(update_fields=["withdrawn_at"])
        left = Adjustment.objects.filter(
            Adjustment.IN_FORCE, period=current.period, player=current.player, list=current.list
        )
        last, raw = _raw_before(current.player, current.list, current.period)
        if left and raw is not None:
            _require_possible(current.player, current.list, last, raw, [one.points for one in left])
        record(
            "adjustment withdrawn",
            current.player,
            at=at,
            by=by,
            before={"list": current.list.name, "points": current.points_text, "from": str(current.period)},
            reason=reason,
        )
        reopen_reports([current.report] if current.report else [], at=at, by=by, reason=reason)


def let_stand(rerating: Rerating, *, at: datetime, by: User | None = None) -> list[Adjustment]:
    """Let the published months of a calculated re-rating stand, and correct the next month instead: by what each raw rating
    differs at the end of the last published month. Its corrected months are given up; its amendments wait no longer.

    Raises RunError if it is not calculated, takes in a merge, changes no raw rating, or if what it was calculated from has
    changed since.
    """
    with transaction.atomic():
        lock_periods()
        current = Rerating.objects.select_for_update(of=("self",)).select_related("first").get(pk=rerating.pk)
        if current.state != Rerating.State.CALCULATED:
            raise RunError(f"{current} is {current.get_state_display()}: only a calculated re-rating can be let stand")
        if current.merges.exists():
            raise RunError(f"{current} merges players: what is published of two players cannot stand. Publish it")
        amendments = list(current.amendments.select_related("section__event"))
        for amendment in amendments:
            if not is_same(read_content(amendment.section), amendment.before):
                raise RunError(f"{amendment.section} has been changed since it was amended")
        rows = raw_differences(current)
        if not rows:
            raise RunError(f"{current} changes no rating of the last published month: publish it, or withdraw it")
        period = next_period()
        Adjustment.objects.bulk_create(
            Adjustment(
                player_id=row.player_id,
                list_id=row.list_id,
                period=period,
                points=row.points,
                reason=current.reason,
                rerating=current,
                at=at,
                by=by,
            )
            for row in rows
        )
        current.amendments.update(let_stand_at=at)
        current.state, current.stage = Rerating.State.LET_STAND, ""
        current.save(update_fields=["state", "stage"])
        delete_runs(current)
        number = formatting.count(len(rows), "adjustment")
        record(
            "let stand",
            current.first,
            at=at,
            by=by,
            after={"in": str(period), "adjusted": number},
            reason=current.reason,
        )
        answer_reports(reports_of(current), let_stand_text(period.month, current.reason), at=at, by=by)
    return list(current.adjustments.select_related("player", "list", "period").order_by("pk"))


def withdraw_adjustments(rerating: Rerating, *, reason: str, at: datetime, by: User | None = None) -> None:
    """Withdraw the adjustments of a re-rating that was let stand; its amendments wait again.

    Raises RunError without a reason, if it is not let stand, if the list of their month is published or about to be, or if one
    of its sections is being amended anew.
    """
    reason = _reason_of_withdrawal(reason)
    with transaction.atomic():
        lock_periods()
        current = Rerating.objects.select_for_update(of=("self",)).select_related("first").get(pk=rerating.pk)
        if current.state != Rerating.State.LET_STAND:
            raise RunError(f"{current} is {current.get_state_display()}: it has no adjustments to withdraw")
        adjustments = current.adjustments.filter(Adjustment.IN_FORCE)
        for period in RatingPeriod.objects.filter(adjustments__in=adjustments).distinct():
            _require_open(period)
        amendments = list(current.amendments.select_related("section__event"))
        _require_not_amended_anew([amendment.section_id for amendment in amendments])
        number = formatting.count(adjustments.update(withdrawn_at=at), "adjustment")
        reports = reports_of(current)
        current.amendments.update(rerating=None, let_stand_at=None)
        current.state = Rerating.State.UNDONE
        current.save(update_fields=["state"])
        record("adjustments withdrawn", current.first, at=at, by=by, before={"adjusted": number}, reason=reason)
        reopen_reports(reports, at=at, by=by, reason=reason)


def final_month(rerating: Rerating) -> RatingPeriod | None:
    """Return the month whose list has the adjustments of a re-rating, once it is published or about to be; else None."""
    adjustments = rerating.adjustments.filter(Adjustment.IN_FORCE)
    return RatingPeriod.objects.filter(adjustments__in=adjustments, state__in=RatingPeriod.CLOSED).first()


def _require_not_amended_anew(sections: Collection[int]) -> None:
    other = Amendment.objects.filter(Amendment.OPEN, section__in=sections).select_related("section__event").first()
    if other is not None:
        raise RunError(f"{other.section} is being amended anew: publish that or give it up first")


def _require_open(period: RatingPeriod) -> None:
    if period.state in RatingPeriod.CLOSED:
        raise RunError(
            f"{period} is {period.state}: its adjustments are part of its list, and are neither changed nor withdrawn."
            " Adjust the next list instead"
        )


def _reason_of_withdrawal(reason: str) -> str:
    reason = plain_text(reason)
    if not reason:
        raise RunError("give the reason why it is withdrawn")
    return reason
