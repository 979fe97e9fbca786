"""What waits, of every kind, for tests of the desk."""

from datetime import date, datetime, timedelta

from accounts.models import Mail, User
from events.models import (
    Appeal,
    Appointment,
    Arbiter,
    Declaration,
    ErrorReport,
    Event,
    EventMove,
    KeptBackReport,
    Kind,
    NotRegisteredReport,
    Penalty,
    PermissionRequest,
    RatingPeriod,
    Refusal,
    Section,
    Submission,
    SubmissionFinding,
    SubmittedFile,
    Upload,
    WithdrawalRequest,
)
from events.rules.deadlines import JOHANNESBURG
from events.rules.states import State
from ratings.models import AmendingFile, Erasure, ImportJob, LikelyDuplicate, RatingList, RatingRun, Rerating
from tests.builders import people, region

DAY = timedelta(days=1)


def moment(day: date) -> datetime:
    """Noon of a day."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=JOHANNESBURG)


def event(state: State, *, ends: date, moved: date, kind: str = Kind.OVER_THE_BOARD, **fields: object) -> Event:
    """An event of one section that came to its state on a day."""
    made = Event.objects.create(
        name=f"{state} {ends}",
        region=region(),
        kind=kind,
        starts=fields.pop("starts", ends),
        ends=ends,
        state=state,
        **fields,
    )
    Section.objects.create(event=made, position=1, base_minutes=90, increment_seconds=30, starts=made.starts, ends=ends)
    EventMove.objects.create(event=made, source=State.DRAFT, target=state, at=moment(moved))
    return made


def hold(of: Event, *, waived: bool = False) -> SubmissionFinding:
    """A submission of the event's section with a finding on hold."""
    file, _ = SubmittedFile.objects.get_or_create(sha256="0" * 64, defaults={"content": b""})
    at = moment(of.ends)
    sent = Submission.objects.create(
        section=of.sections.get(), file=file, name="a.trf", at=at, format="trf", encoding="utf-8"
    )
    waiver = {"waived_at": at, "waived_reason": "fair"} if waived else {}
    return SubmissionFinding.objects.create(submission=sent, severity="hold", code="x", message="held", **waiver)


def fill(times: int, *, today: date) -> None:
    """Put so many rows into each tray."""
    ago, soon = today - 3 * DAY, today + 5 * DAY
    players = people(2 * times)
    for index in range(times):
        player = players[index]
        event(State.LATE, ends=soon, moved=ago)
        event(State.SUBMITTED, ends=ago, moved=ago)
        hold(event(State.SUBMITTED, ends=ago, moved=ago))
        event(State.SUBMITTED, ends=ago, moved=ago, kind=Kind.ABROAD)
        event(State.REGISTERED, ends=ago, moved=ago - DAY)
        national = event(State.REGISTERED, ends=soon, moved=ago, kind=Kind.NATIONAL)
        arbiter = Arbiter.objects.create(name=f"Arbiter {index}", title="NA")
        Appointment.objects.create(event=national, arbiter=arbiter, position=1)
        asked = event(State.SUBMITTED, ends=ago, moved=ago)
        section = asked.sections.get()
        Penalty.objects.create(section=section, player=player, round=1, kind="forfeit", points=20)
        PermissionRequest.objects.create(section=section, players=4, rounds=3, reason="small", at=moment(ago))
        WithdrawalRequest.objects.create(event=national, reason="rain", at=moment(ago))
        KeptBackReport.objects.create(event=asked, party="organiser", account="kept", at=moment(ago))
        refused = event(State.REFUSED, ends=ago, moved=ago)
        refusal = Refusal.objects.create(event=refused, at=moment(ago), reason="no")
        Appeal.objects.create(refusal=refusal, appellant="A", grounds="fair", at=moment(ago))
        ErrorReport.objects.create(
            player=player, month=ago.replace(day=1), wrong="w", right="r", role="player", reporter_name="N",
            reporter_email="n@example.org", at=moment(ago), confirmed_at=moment(ago),
        )  # fmt: skip
        NotRegisteredReport.objects.create(
            name=f"Unregistered {index}", region=region(), place="Here", starts=ago, ends=ago, party="organiser",
            account="x", at=moment(ago),
        )  # fmt: skip
        other = players[times + index]
        LikelyDuplicate.objects.create(first=player, second=other, why="alike", score=0.9, found_at=moment(ago))
        # a trial month is only looked at
        for kind, state in (("register", "ready"), ("register", "faulty"), ("trial", "failed"), ("trial", "ready")):
            ImportJob.objects.create(
                kind=kind, state=state, filename="r.csv", size=1, sha256="0", at=moment(ago), asked_at=moment(ago)
            )
        ImportJob.objects.create(
            kind="register", state="taken", filename="r.csv", size=1, sha256="0", at=moment(ago), asked_at=moment(ago),
            attempts=3, error="x",
        )  # fmt: skip
        file, _ = SubmittedFile.objects.get_or_create(sha256="1" * 64, defaults={"content": b""})
        Upload.objects.create(
            event=event(State.RETURNED, ends=soon, moved=ago), file=file, name="a.trf", at=moment(ago), asked_at=moment(ago),
            error="The file could not be checked.",
        )  # fmt: skip
        Declaration.objects.create(
            event=event(State.REGISTERED, ends=soon, moved=ago), by=User.objects.create_user(f"region{index}@example.org"),
            at=moment(ago), language="en", error=Declaration.FAULT,
        )  # fmt: skip
        AmendingFile.objects.create(
            section=section,
            name="a.trf",
            base_minutes=90,
            increment_seconds=30,
            reason="wrong",
            at=moment(ago),
            error="x",
        )
        period = RatingPeriod.objects.create(month=date(today.year + 1, 1 + index, 1))
        RatingRun.objects.create(period=period, state="failed", queued_at=moment(ago), error="x")
        Rerating.objects.create(first=period, state="failed", queued_at=moment(ago), reason="wrong", error="x")
        RatingList.objects.create(
            code=f"unfilled{index}", name=f"Unfilled {index}", position=50 + index, system="icu", fill_first=period.month,
            fill_asked_at=moment(ago), fill_error="x",
        )  # fmt: skip
        Erasure.objects.create(player=player, state="failed", asked_at=moment(ago), reason="asked for", error="x")
        Mail.objects.create(kind="reminder", to="a@example.org", subject="S", state="failed", created_at=moment(ago))
