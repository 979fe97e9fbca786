"""Reads what an error can be reported in, and the reports of a user."""

from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from config.lib import formatting
from events.error_reports.links import token_of
from events.models import ErrorReport, Game, RatingPeriod, Section
from events.rules.deadlines import is_reported_late, last_day_before, report_closes
from events.visibility import public_players, results_shown
from events.wording import rounds_text
from players.hidden import in_public, not_hidden
from players.merged import bears
from players.models import Player

LATEST = 10  # of a user's reports on the account page


def public_section(key: int) -> Section | None:
    """Return a section whose results are public; None if there is none. One query."""
    shown = Game.objects.filter(results_shown("section"), section=key)
    return Section.objects.filter(pk__in=shown.values("section")).select_related("event").first()


def section_players(section: Section) -> list[Player]:
    """Return the players of a section by name, without hidden ones. One query."""
    return list(Player.objects.filter(not_hidden(), pk__in=section.entries.values("player")))


def public_player(number: str) -> Player | None:
    """Return the player of the public register whom a Chess SA id leads to; None if there is none. One query."""
    return public_players().filter(bears(number)).first()


def rated_month(text: str) -> date | None:
    """Return the first day of the rating period written `2026-05`; None if there is no such period. One query."""
    months = RatingPeriod.objects.values_list("month", flat=True)
    return next((month for month in months if f"{month:%Y-%m}" == text), None)


def confirmed_reports() -> QuerySet[ErrorReport]:
    """Return the reports that reached the bureau."""
    return ErrorReport.objects.filter(confirmed_at__isnull=False)


def timeliness(report: ErrorReport) -> str:
    """Return in words whether a report came in time (article 63) or later (article 64)."""
    if is_reported_late(report.month, at=report.at):
        return gettext("after the end of its rating period (article 64)")
    return gettext("in time (article 63)")


def deadline_text(month: date) -> str:
    """Return in words until when an error of a month is reported in time (article 63)."""
    return gettext("%(day)s, the end of the rating period in which it was played") % {
        "day": formatting.long_day(last_day_before(report_closes(month)))
    }


def report_name(report: ErrorReport) -> str:
    """Return what a report is about, as its `str`, in the reader's language, with a player as the public sees him: who reports
    an error need have no part in it."""
    parts = [
        str(report.section) if report.section else f"{report.month:%Y-%m}",
        rounds_text([report.round]) if report.round else "",
        in_public(report.player).name if report.player else "",
    ]
    return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report of a user, with its page."""

    name: str
    day: date
    state: str
    token: str


def own_reports(user: User) -> list[OwnReport]:
    """Return a user's latest reports, the newest first. One query."""
    rows = confirmed_reports().filter(by=user).select_related("section__event", "player")[:LATEST]
    return [OwnReport(report_name(row), row.at.date(), row.get_state_display(), token_of(row)) for row in rows]
