"""Pages to report an error, open to everybody, and the page of a report, opened by its link (article 63)."""

from dataclasses import dataclass
from datetime import date

from django.contrib import messages
from django.db import transaction
from django.db.models import Max
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.login_throttle import origin
from accounts.models import User
from accounts.operations import AccountError, count_mail
from config.lib import formatting
from config.lib.parsing import parse_pk
from events.attachments.forms import REFUSED
from events.attachments.operations import already_there
from events.attachments.views import file_answer
from events.error_reports.forms import ProofForm, ReportForm
from events.error_reports.links import AGAIN, VALID, report_of, token_of
from events.error_reports.mails import send_link, tell_officers
from events.error_reports.operations import OPEN, ReportedError, attach_proof, confirm, report_error
from events.error_reports.queries import (
    deadline_text,
    public_player,
    public_section,
    rated_month,
    report_name,
    section_players,
    timeliness,
)
from events.models import Attachment, ErrorReport, Section
from events.operations import EventError
from events.rules.deadlines import is_reported_late
from players.hidden import in_public
from players.models import Player

MOST_REPORTS = 10  # within an hour, to one address or by one user


@dataclass(frozen=True, slots=True)
class _Subject:
    """What the error is in, from the address of the form: a section, or a player's month."""

    section: Section | None
    player: Player | None
    players: list[Player]
    month: date

    @property
    def heading(self) -> str:
        """The section, or the player and the month."""
        if self.section:
            return str(self.section)
        return f"{self.player.name if self.player else ''}, {formatting.month(self.month)}"

    @property
    def rounds(self) -> int:
        """The number of rounds with a game; 0 without a section."""
        if self.section is None:
            return 0
        last: int | None = self.section.games.aggregate(last=Max("round"))["last"]
        return last or 0


def _subject(request: HttpRequest) -> _Subject:
    number = request.GET.get("player", "")
    player = public_player(number) if number else None
    section = public_section(parse_pk(request.GET.get("section", "")))
    if section is not None:
        players = section_players(section)
        return _Subject(section, player if player in players else None, players, section.ends.replace(day=1))
    month = rated_month(request.GET.get("month", ""))
    if player is None or month is None:
        raise Http404("An error is reported from the page of what is wrong: a section, a player’s games, or a month.")
    return _Subject(None, player, [player], month)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """Show the form for an error in a section or in a player's month, and take the report."""
    subject, now = _subject(request), timezone.now()
    user = request.user if isinstance(request.user, User) else None
    initial = {"number": subject.player.number if subject.player else "", "round": request.GET.get("round", "")}
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ReportForm(subject.players, subject.section is not None, user, *sent, initial=initial, rounds=subject.rounds)
    if form.is_bound and form.is_valid():
        try:
            return _take(request, form, subject, user)
        except AccountError as error:
            form.add_error(None, str(error))
        except EventError as error:
            form.add_error("proof", formatting.sentence(REFUSED.said(str(error))))
    context = {
        "here": "players" if subject.section is None else "events",
        "subject": subject,
        "heading": subject.heading,
        "deadline": deadline_text(subject.month),
        "late": is_reported_late(subject.month, at=now),
        "visitor": user is None,
        "form": form,
        "problems": form.problems() if form.is_bound else [],
    }
    return render(request, "events/error_reports/report.html", context, status=422 if context["problems"] else 200)


def _take(request: HttpRequest, form: ReportForm, subject: _Subject, user: User | None) -> HttpResponse:
    now, values = timezone.now(), form.cleaned_data
    email = user.email if user else values["email"]
    count_mail(email, origin(request), at=now, purpose="error report", most=MOST_REPORTS)
    number = values.get("number", "")
    player = (
        subject.player if subject.section is None else next((p for p in subject.players if p.number == number), None)
    )
    error = ReportedError(
        section=subject.section,
        player=player,
        round=values.get("round"),
        month=subject.month,
        wrong=values["wrong"],
        right=values["right"],
        proof_url=values["proof_url"],
        role=values["role"],
        name=values["name"],
        email=email,
    )
    # A proof that is not taken refuses the whole report, which is then sent again.
    with transaction.atomic():
        taken, is_new = report_error(error, at=now, by=user)
        if user is None:
            if is_new or now >= taken.at + AGAIN:
                send_link(taken)
            return redirect("events:error-report-sent")
        if values["proof"]:
            attach_proof(taken, values["proof"].name, values["proof"].read(), at=now, by=user)
        if is_new:
            tell_officers(taken)
    messages.success(request, gettext("The report is sent: the ratings officer answers here and by e-mail."))
    return redirect("events:error-report", token_of(taken))


@require_safe
def report_sent(request: HttpRequest) -> HttpResponse:
    """Show that the link to confirm a report is mailed."""
    return render(request, "events/error_reports/sent.html", {"here": "events", "days": VALID.days})


def _own_report(token: str) -> ErrorReport:
    report = report_of(token)
    if report is None:
        raise Http404("There is no such report: copy the link in full, or report the error again.")
    return report


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_report(request: HttpRequest, token: str) -> HttpResponse:
    """Show a report to its reporter, with its state and answer; confirm it, or add a file."""
    own, now = _own_report(token), timezone.now()
    form, problems = ProofForm(), list[tuple[str, str]]()
    if request.method == "POST":
        try:
            if request.POST.get("do") == "confirm":
                with transaction.atomic():
                    if confirm(own, at=now):
                        tell_officers(own)
                messages.success(request, gettext("The report is confirmed and with the ratings officer."))
                return redirect(request.path)
            form = ProofForm(request.POST, request.FILES)
            if form.is_valid():
                file = form.cleaned_data["proof"]
                by = request.user if own.by == request.user else None
                taken = attach_proof(own, file.name, file.read(), at=now, by=by)
                said = gettext("The file is added.") if taken.at == now else already_there(file.name, taken)
                messages.success(request, said)
                return redirect(request.path)
            problems = form.problems()
        except EventError as error:
            problems = [("", formatting.sentence(REFUSED.said(str(error))))]
    files = [
        (file.name, reverse("events:error-report-proof", args=[token, file.pk]))
        for file in Attachment.objects.filter(report=own)
    ]
    context = {
        "here": "events",
        "report": own,
        "name": report_name(own),
        "player": in_public(own.player) if own.player else None,
        "timeliness": timeliness(own),
        "late": is_reported_late(own.month, at=own.at),
        "expired": own.confirmed_at is None and now >= own.at + VALID,
        "open": own.state in OPEN,
        "days": VALID.days,
        "files": files,
        "form": form,
        "problems": problems,
    }
    return render(request, "events/error_reports/own.html", context, status=422 if problems else 200)


@never_cache
@require_safe
def proof(request: HttpRequest, token: str, attachment: int) -> FileResponse:
    """Return a file that was added to a report, to its reporter."""
    file = Attachment.objects.filter(report=_own_report(token), pk=attachment).select_related("file").first()
    if file is None:
        raise Http404("There is no such file.")
    return file_answer(file)
