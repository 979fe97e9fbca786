"""Clears personal data that was kept long enough, by what `accounts.models.Retention` says. The clock is passed in.

Nothing is cleared that a rating is calculated from. Each batch is one transaction with its count on the trail, so that who is
killed midway has recorded what he did; the next run goes on. Two runs at once clear each row once.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from accounts.models import Decision, MailRequest, Retention, User
from accounts.operations import REQUESTS_KEPT
from accounts.retention.queries import retention
from accounts.trail.operations import record
from config.lib.database import wait_for_lock
from events.error_reports.operations import never_confirmed
from events.models import (
    AbroadLink,
    Appeal,
    Attachment,
    Declaration,
    ErrorReport,
    Event,
    KeptBackReport,
    NotRegisteredReport,
    PermissionRequest,
    Submission,
    SubmissionFinding,
    SubmittedFile,
    UnsavedAnswer,
    UnsavedRegistration,
    Upload,
)
from events.rules.states import DECIDED, State
from players.models import FideQuestion
from ratings.models import AmendingFile, Amendment, ImportJob
from ratings.moving_in.jobs.operations import forget_lines
from ratings.personal_data.remains import (
    discarded_events,
    forget_account,
    forget_addresses,
    forget_discarded_events,
    forget_merged_addresses,
    forget_removed_arbiters,
    forget_removed_players,
    former_addresses,
    merged_before,
    removed_arbiters,
    removed_players,
    removed_reports,
    rename_on_trail,
)
from ratings.personal_data.stored_files import CLEARED, delete_unused, forget_findings, put_own_record, unused

BATCH: Final = 200
_YEAR: Final = timedelta(days=365.25)
_MONTH: Final = _YEAR / 12
_ENDED: Final = (
    ImportJob.State.TAKEN,
    ImportJob.State.UNDONE,
    ImportJob.State.FAILED,
    ImportJob.State.DISCARDED,
)
# Who wrote: the model, and what stands in the place of his name and address.
_LETTERS: Final[tuple[tuple[Any, dict[str, str]], ...]] = (
    (ErrorReport, {"reporter_name": CLEARED, "reporter_email": ""}),
    (Appeal, {"appellant": CLEARED}),
    (PermissionRequest, {"person": CLEARED}),
    (KeptBackReport, {"person": CLEARED}),
    (NotRegisteredReport, {"person": CLEARED}),
)


def clear_personal_data(*, at: datetime) -> dict[str, int]:
    """Clear all that is over its time; return what, in words → how many, of that which was there."""
    rules = retention()
    cleared: dict[str, int] = {}
    for what, rows, clear in _steps(rules, at):
        while count := _batch(what, rows, clear, rules, at):
            cleared[what] = cleared.get(what, 0) + count
    return cleared


def _batch(what: str, rows: QuerySet[Any], clear: Callable[[list[Any]], None], rules: Retention, at: datetime) -> int:
    with transaction.atomic():
        if rows.model is SubmittedFile:  # an erasure may write what the record in a file's place is made of
            wait_for_lock(SubmittedFile)
        found = list(rows.order_by("pk").select_for_update(of=("self",), skip_locked=True)[:BATCH])
        if found:
            clear(found)
            record("personal data cleared", rules, at=at, by=None, after={what: len(found)})
        return len(found)


def _steps(rules: Retention, at: datetime) -> Iterator[tuple[str, QuerySet[Any], Callable[[list[Any]], None]]]:
    """Yield what is cleared, the rows that are over their time, and how a batch of them is cleared: afterwards none of it is
    among these rows."""
    log_ins = at - timedelta(days=rules.login_days)
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        yield "log-ins", model.objects.filter(attempt_time__lte=log_ins), _delete
    yield "requests for mails", MailRequest.objects.filter(at__lte=at - REQUESTS_KEPT), _delete
    yield "sessions", Session.objects.filter(expire_date__lte=at), _delete
    drafts = at - rules.draft_months * _MONTH
    touched = Greatest("at", "asked_at", Coalesce("discarded_at", F("at")))
    unsent = Upload.objects.annotate(touched=touched).filter(submission=None, touched__lte=drafts)
    yield "files never sent in", unsent, _delete
    yield "forms never sent in", UnsavedAnswer.objects.filter(at__lte=drafts), _delete
    yield "forms never sent in", Declaration.objects.filter(at__lte=drafts), _delete
    yield "forms never sent in", AmendingFile.objects.filter(at__lte=drafts), _delete
    yield "forms never sent in", UnsavedRegistration.objects.filter(at__lte=drafts), _delete
    files = at - rules.file_years * _YEAR
    yield "files sent in", _old_files(files), partial(_each, partial(_replace, at=at))
    decided = _decided_before(files)
    findings = SubmissionFinding.objects.filter(submission__in=decided).exclude(message=CLEARED)
    yield "findings of the checks", findings, forget_findings
    yield "answers to the checks", Upload.objects.filter(submission__in=decided), _delete
    yield "files of corrections", _old_corrections(files), partial(_each, partial(_replace_corrected, at=at))
    yield "evidence", _old_evidence(files), _delete
    # Hazard: files are deleted apart from what referred to them: who sends in locks a file first, then what refers to it.
    yield "files that nothing refers to", unused().defer("content"), _delete_unused
    letters = at - rules.report_months * _MONTH
    for model, values in _LETTERS:
        name = next(iter(values))
        over = Q(answered_at__lte=letters)
        if model is PermissionRequest:  # which is not answered any more once the event is withdrawn
            over |= Q(answered_at=None, at__lte=letters, section__event__state=State.WITHDRAWN)
        written = model.objects.filter(over).exclude(**{name: CLEARED}).exclude(**{name: ""})
        yield "names of who wrote", written, _overwrite(model, values)
    yield "reports never confirmed", never_confirmed(at), _delete
    yield "versions of reports never confirmed", removed_reports(), _delete
    yield "links mailed", AbroadLink.objects.filter(at__lte=letters), _delete
    imports = at - rules.import_months * _MONTH
    ended = ImportJob.objects.filter(state__in=_ENDED, finished_at__lte=imports, summary__forgotten__isnull=True)
    yield "lists brought in", ended, partial(_each, forget_lines)
    answered = FideQuestion.objects.exclude(answer="").exclude(listed=[])
    yield "what FIDE’s list said of who was asked about", answered, _forget_listed
    yield "former addresses", former_addresses(), forget_addresses
    yield "addresses from before merges", merged_before(imports), partial(_each, forget_merged_addresses)
    yield "players removed", removed_players(), forget_removed_players
    yield "arbiters deleted", removed_arbiters(), forget_removed_arbiters
    yield "drafts discarded", discarded_events(), forget_discarded_events
    accounts = at - rules.account_years * _YEAR
    yield "closed accounts", _old_accounts(accounts), partial(_each, partial(forget_account, at=at))


def _old_files(before: datetime) -> QuerySet[SubmittedFile]:
    """Return the files of results all of whose sections were published, or refused or withdrawn, before a moment, and that
    nothing else needs."""
    sent = Q(submissions__isnull=False) & ~Q(submissions__format="abroad")
    needed = Event.objects.filter(
        Q(sections__submissions__file=OuterRef("pk"))
        & (
            ~Q(state__in=DECIDED)
            | Q(pk__in=_appealed().values("pk"))
            | Q(sections__submissions__at__gt=before)
            | Q(sections__period__published_at__gt=before)
        )
    )
    in_work = Upload.objects.filter(file=OuterRef("pk"), submission=None)
    keys = SubmittedFile.objects.filter(sent, replaced_at=None).exclude(Exists(needed)).exclude(Exists(in_work))
    return SubmittedFile.objects.filter(pk__in=keys.values("pk")).defer("content")


def _decided_before(before: datetime) -> QuerySet[Submission]:
    """Return what was sent in before a moment for sections that were published, or refused or withdrawn, before it, and about
    which no appeal is open."""
    sent = Submission.objects.filter(at__lte=before, section__event__state__in=DECIDED)
    return sent.exclude(section__period__published_at__gt=before).exclude(section__event__in=_appealed())


def _appealed() -> QuerySet[Event]:
    """Return the events of which a refusal is appealed, and not answered yet."""
    return Event.objects.filter(refusals__appeal__isnull=False, refusals__appeal__answered_at=None)


def _old_corrections(before: datetime) -> QuerySet[SubmittedFile]:
    """Return the files by which published sections were corrected, where all was settled before a moment and nothing else needs
    them."""
    by_file = Amendment.objects.filter(file=OuterRef("pk"))
    later = by_file.filter(Amendment.OPEN | Q(applied_at__gt=before) | Q(let_stand_at__gt=before))
    in_work = Upload.objects.filter(file=OuterRef("pk"), submission=None)
    files = SubmittedFile.objects.filter(Exists(by_file), submissions=None, replaced_at=None).defer("content")
    return files.exclude(Exists(later)).exclude(Exists(in_work))


def _old_evidence(before: datetime) -> QuerySet[Attachment]:
    decided = (
        (Q(appeal=None) | Q(appeal__answered_at__lte=before))
        & (Q(report=None) | Q(report__answered_at__lte=before))
        & (Q(event=None) | Q(event__state__in=DECIDED) & ~Q(event__in=_appealed()))
    )
    return Attachment.objects.filter(pk__in=Attachment.objects.filter(decided, at__lte=before).values("pk"))


def _old_accounts(before: datetime) -> QuerySet[User]:
    """Return the accounts that were closed before a moment and have name and address still."""
    disabled = Decision.objects.filter(action="disabled", at__lte=before, subject__startswith="accounts.user ")
    keys = {int(subject.rpartition(" ")[2]) for subject in disabled.values_list("subject", flat=True)}
    later = Decision.objects.filter(action__in=["disabled", "enabled"], at__gt=before)
    keys -= {
        int(subject.rpartition(" ")[2])
        for subject in later.filter(subject__startswith="accounts.user ").values_list("subject", flat=True)
    }
    return User.objects.filter(pk__in=keys, is_active=False, erased_at=None)


def _each(clear: Callable[[Any], object], rows: list[Any]) -> None:
    for row in rows:
        clear(row)


def _replace(file: SubmittedFile, *, at: datetime) -> None:
    put_own_record(file, file.submissions.latest("pk").section, at=at)


def _replace_corrected(file: SubmittedFile, *, at: datetime) -> None:
    put_own_record(file, Amendment.objects.filter(file=file).latest("pk").section, at=at)


def _delete(rows: list[Model]) -> None:
    type(rows[0])._default_manager.filter(pk__in=[row.pk for row in rows]).delete()


def _delete_unused(files: list[SubmittedFile]) -> None:
    """Delete files, but for those that were taken up just before they were locked."""
    delete_unused([file.pk for file in files])


def _forget_listed(questions: list[FideQuestion]) -> None:
    FideQuestion.objects.filter(pk__in=[question.pk for question in questions]).update(listed=[])


def _overwrite(model: Any, values: dict[str, str]) -> Callable[[list[Any]], None]:
    def overwrite(rows: list[Any]) -> None:
        keys = [row.pk for row in rows]
        model.objects.filter(pk__in=keys).update(**values)
        model.history.filter(id__in=keys).update(**values)
        for row in model.objects.filter(pk__in=keys):
            rename_on_trail(row)

    return overwrite
