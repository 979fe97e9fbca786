"""The trays of the desk: of what waits of one kind, the rows, who may decide them, until when, and where."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import DateField, Expression, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, TruncDate
from django.urls import reverse
from django.utils.http import urlencode

from accounts.models import Mail, User
from config.lib.days import next_month
from events import waiting
from events.appeals.operations import impartial_appeals
from events.models import EventMove
from events.rules.deadlines import last_day_to_submit
from ratings.desk.addresses import list_address, page_address, review_address
from ratings.duplicates.queries import likely_duplicates
from ratings.models import AmendingFile, Erasure, ImportJob
from ratings.periods import stuck_runs
from ratings.rerating.queries import not_rerated
from ratings.runs.filling import not_filled

_ONE_DAY = timedelta(days=1)
_CONFIRMED = [kind.value for kind in ImportJob.Kind if kind != ImportJob.Kind.TRIAL]  # a trial month is only looked at


def _moved(event: str) -> Expression | Subquery:
    """Return the day of the last move of the event at the end of a path."""
    moves = EventMove.objects.filter(event=OuterRef(event)).order_by("-pk")
    return Subquery(moves.values(day=TruncDate("at"))[:1], output_field=DateField())


def _end_of_month(day: date) -> date:
    return next_month(day.replace(day=1)) - _ONE_DAY


def _day_before(day: date) -> date:
    return day - _ONE_DAY


@dataclass(frozen=True, slots=True)
class Tray:
    """What waits of one kind. `rows`: the query set on a day; `right`: whoever may decide it sees the tray.

    `since`: the expression of the day from which a row waits. `last_day`: from a row's `day`, an expression, the last day on
    which it is decided in time, later for a later day; None if no day is set. `due` says in words what that day is.
    `decided_by`: those of the rows that a user may decide, where that is not all that wait.
    `list`: model and query of the admin's list with the same rows; `opens`: the address of a row's page, from `key`.
    """

    code: str
    title: str
    noun: tuple[str, str]
    right: str
    rows: Callable[[date], QuerySet[Any]]
    since: Callable[[date], Any]
    list: tuple[str, str]
    opens: Callable[[int], str]
    key: str = "pk"
    day: Callable[[date], Any] | None = None
    last_day: Callable[[date], date] | None = None
    due: str = ""
    decided_by: Callable[[QuerySet[Any], User], QuerySet[Any]] | None = None

    def list_address(self) -> str:
        """Return the address of the list with the rows that the tray counts."""
        model, query = self.list
        return reverse(model) if model.startswith("admin:") else list_address(model, query)

    def ordered(self, today: date) -> QuerySet[Any]:
        """Return the rows, those first whose day passed or passes first, then those that have waited longest."""
        rows: QuerySet[Any] = self.rows(today).annotate(tray_since=self.since(today))
        longest = F("tray_since").asc(nulls_last=True)
        if self.day is None:
            return rows.order_by(longest, "pk")
        rows = rows.annotate(tray_day=self.day(today))
        return rows.order_by(F("tray_day").asc(nulls_last=True), longest, "pk")

    def first_address(self, user: User, today: date) -> str | None:
        """Return the address of the row with which a user begins; None if nothing waits that the user may decide."""
        rows = self.ordered(today)
        row = (self.decided_by(rows, user) if self.decided_by else rows).values_list(self.key, flat=True).first()
        return None if row is None else self.opens(row)


def _event_tray(code: str, title: str, rows: Callable[[date], QuerySet[Any]], **more: Any) -> Tray:
    options = {
        "noun": ("event", "events"),
        "right": "events.change_event",
        "since": lambda today: _moved("pk"),
        "list": ("events_event", f"waiting={code}"),
        "opens": review_address,
        **more,
    }
    return Tray(code, title, rows=rows, **options)


def _sent_in_tray(
    code: str,
    title: str,
    noun: str,
    verb: str,
    model: str,
    rows: Callable[[date], QuerySet[Any]],
    *,
    due: str = "",
    decided_by: Callable[[QuerySet[Any], User], QuerySet[Any]] | None = None,
) -> Tray:
    """Return the tray of what was sent in `at` a moment. With `due` it is answered by the end of the month of that day."""
    limits: dict[str, Any] = (
        {"day": lambda today: TruncDate("at"), "last_day": _end_of_month, "due": due} if due else {}
    )
    return Tray(
        code,
        title,
        (noun, f"{noun}s"),
        f"events.{verb}_{model}",
        rows,
        since=lambda today: TruncDate("at"),
        list=(f"events_{model}", f"waiting={code}"),
        opens=lambda key: page_address(f"events_{model}", key),
        decided_by=decided_by,
        **limits,
    )


def _lists_tray(
    code: str,
    title: str,
    state: ImportJob.State,
    kinds: Sequence[str] = tuple(ImportJob.Kind.values),
    **further: str | int,
) -> Tray:
    """Return the tray of the lists of some kinds that were brought in and are in a state, on further conditions."""
    conditions = {"state__exact": state.value, **further}
    return Tray(
        code,
        title,
        ("list", "lists"),
        "ratings.change_importjob",
        lambda today: ImportJob.objects.filter(kind__in=kinds, **conditions),
        since=lambda today: TruncDate("at"),
        list=("ratings_importjob", urlencode({**conditions, "kind__in": ",".join(kinds)})),
        opens=lambda key: page_address("ratings_importjob", key),
    )


_BY_RUN = {"day": lambda today: _moved("pk"), "last_day": _end_of_month, "due": "before the month is calculated"}

TRAYS: tuple[Tray, ...] = (
    _event_tray(
        "late",
        "Late registrations",
        waiting.late_registrations,
        day=lambda today: F("starts"),
        last_day=_day_before,
        due="before play begins",
    ),
    _event_tray("clean", "Submitted, clean", waiting.submitted_clean, **_BY_RUN),
    _event_tray("holds", "Submitted, with holds", waiting.submitted_with_holds, **_BY_RUN),
    _event_tray("abroad", "Results from abroad", waiting.from_abroad, **_BY_RUN),
    Tray(
        "penalties",
        "Penalties undecided",
        ("penalty", "penalties"),
        "events.change_penalty",
        waiting.undecided_penalties,
        since=lambda today: _moved("section__event"),
        list=("events_penalty", "waiting=penalties"),
        opens=lambda key: f"{review_address(key)}#penalties",
        key="section__event",
        day=lambda today: _moved("section__event"),
        last_day=_end_of_month,
        due="before the month is calculated",
    ),
    _sent_in_tray(
        "permissions",
        "Permissions asked",
        "request",
        "change",
        "permissionrequest",
        waiting.permissions_asked,
        due="before the month is calculated",
    ),
    _sent_in_tray("errors", "Error reports", "report", "answer", "errorreport", waiting.open_reports),
    _sent_in_tray(
        "appeals",
        "Appeals",
        "appeal",
        "answer",
        "appeal",
        waiting.open_appeals,
        due="before the next list",
        decided_by=impartial_appeals,
    ),
    _event_tray(
        "unsent",
        "Played, not sent in",
        waiting.played_not_sent_in,
        since=lambda today: F("ends"),
        day=lambda today: F("ends"),
        last_day=last_day_to_submit,
        due="to be sent in (article 61)",
    ),
    Tray(
        "arbiters",
        "Arbiters unpaid",
        ("arbiter", "arbiters"),
        "events.change_arbiter",
        waiting.unpaid_arbiters,
        since=lambda today: Cast(Value(None), DateField()),  # PostgreSQL orders by no bare constant
        list=("events_arbiter", "waiting=arbiters"),
        opens=lambda key: page_address("events_arbiter", key),
        day=lambda today: Subquery(
            waiting.unpaid_appointments(today)
            .filter(arbiter=OuterRef("pk"))
            .order_by("event__starts")
            .values("event__starts")[:1]
        ),
        last_day=_day_before,
        due="before the event begins (article 7)",
    ),
    _event_tray(
        "bodies",
        "Organising bodies to approve",
        waiting.bodies_to_approve,
        list=("events_event", "body=waiting"),
    ),
    _sent_in_tray(
        "withdrawals", "Withdrawals asked", "request", "change", "withdrawalrequest", waiting.withdrawals_asked
    ),
    _sent_in_tray("keptback", "Results kept back", "report", "change", "keptbackreport", waiting.kept_back),
    _sent_in_tray(
        "unregistered", "Events not registered", "report", "change", "notregisteredreport", waiting.not_registered
    ),
    Tray(
        "duplicates",
        "Likely duplicates",
        ("pair", "pairs"),
        "ratings.add_merge",
        lambda today: likely_duplicates(),
        since=lambda today: TruncDate("found_at"),
        list=("admin:ratings_merge_duplicates", ""),
        opens=lambda key: _pair_address(key),
    ),
    _lists_tray("imports", "Lists to confirm", ImportJob.State.READY, _CONFIRMED),
    _lists_tray("faulty", "Lists with errors", ImportJob.State.FAULTY),
    _lists_tray("unread", "Lists that were not read", ImportJob.State.FAILED),
    _lists_tray("kept", "Lists that could not be undone", ImportJob.State.TAKEN, error__gt="", attempts__gt=0),
    Tray(
        "unfilled",
        "Lists that could not be filled",
        ("list", "lists"),
        "ratings.change_ratinglist",
        lambda today: not_filled(),
        since=lambda today: TruncDate("fill_asked_at"),
        list=("ratings_ratinglist", "fill_error__gt="),
        opens=lambda key: page_address("ratings_ratinglist", key),
    ),
    Tray(
        "runs",
        "Calculations that failed or were not published",
        ("month", "months"),
        "events.change_ratingperiod",
        stuck_runs,
        since=lambda today: TruncDate("finished_at"),
        list=("ratings_ratingrun", "waiting=runs"),
        opens=lambda period: page_address("events_ratingperiod", period),
        key="period",
    ),
    Tray(
        "reratings",
        "Re-ratings that failed or were not published",
        ("re-rating", "re-ratings"),
        "ratings.change_rerating",
        not_rerated,
        since=lambda today: TruncDate("finished_at"),
        list=("ratings_rerating", "waiting=reratings"),
        opens=lambda key: page_address("ratings_rerating", key),
    ),
    Tray(
        "newfiles",
        "New files that were not taken",
        ("file", "files"),
        "ratings.change_rerating",
        lambda today: AmendingFile.objects.exclude(error=""),
        since=lambda today: TruncDate("at"),
        list=("ratings_amendingfile", "error__gt="),
        opens=lambda section: reverse("admin:ratings_amendment_section", args=[section]),
        key="section",
    ),
    _event_tray(
        "unchecked",
        "Files that could not be checked",
        waiting.unchecked,
        opens=lambda key: reverse("events:results", args=[key]),
    ),
    _event_tray(
        "notsent",
        "Events that could not be sent in",
        waiting.not_sent,
        since=lambda today: TruncDate("declaration__at"),
        opens=lambda key: reverse("events:results", args=[key]),
    ),
    Tray(
        "erasures",
        "Erasures that failed",
        ("erasure", "erasures"),
        "ratings.erase_player",
        lambda today: Erasure.objects.filter(state=Erasure.State.FAILED),
        since=lambda today: TruncDate("asked_at"),
        list=("ratings_erasure", "state__exact=failed"),
        opens=lambda player: reverse("admin:ratings_erasure_person", args=[player]),
        key="player",
    ),
    Tray(
        "mails",
        "Mails that failed",
        ("mail", "mails"),
        "accounts.send_mail_again",
        lambda today: Mail.objects.filter(state=Mail.State.FAILED),
        since=lambda today: TruncDate("created_at"),
        list=("accounts_mail", "state__exact=failed"),
        opens=lambda key: page_address("accounts_mail", key),
    ),
)
BY_CODE: Mapping[str, Tray] = {tray.code: tray for tray in TRAYS}


def _pair_address(key: int) -> str:
    pair = likely_duplicates().select_related("first", "second").filter(pk=key).first()
    if pair is None:
        return reverse("admin:ratings_merge_duplicates")
    return f"{reverse('admin:ratings_merge_add')}?old={pair.second.number}&new={pair.first.number}"
