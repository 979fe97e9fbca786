"""The page of a whole team's results from abroad, opened by a mailed link or by a region."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.permissions import acting_user
from config.lib import formatting
from events.abroad.links import is_expired, link_of, token_of
from events.abroad.operations import check_results, is_late_now, late_abroad_text, submit_of_team
from events.abroad.team.filling import fill_from_file
from events.abroad.team.forms import TeamForm, TeamRow, players_to_send, widened
from events.abroad.team.words import said as finding_said
from events.abroad.views import expired_text, not_open, reason_of
from events.abroad.words import said
from events.access import writable_regions
from events.files.abroad_csv.reader import MOST_FORM_BYTES, read_abroad_csv
from events.files.abroad_csv.results import TeamResults
from events.models import AbroadLink
from events.operations import EventError
from events.rules.abroad import MOST_TEAM_PLAYERS, MOST_TEAM_ROUNDS
from events.rules.findings import Severity
from players.models import Player
from ratings.calculators.abroad import adjusted_texts, preview


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def abroad_team(request: HttpRequest) -> HttpResponse:
    """Show the form for players of the user's regions."""
    user = acting_user(request)
    if not writable_regions(user).exists():
        raise PermissionDenied
    return _TeamPage(request, timezone.now(), user=user).answer()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def abroad_team_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the form for the players who have the address of a mailed link on record."""
    link, now = link_of(token), timezone.now()
    expired = link is not None and is_expired(link, at=now)
    if link is None or (expired and request.method != "POST"):
        return not_open(request, expired=expired)
    page = _TeamPage(request, now, link=link)
    return page.refuse(expired_text()) if expired else page.answer()


@dataclass
class _TeamPage:
    """The page, for a user or for who has a link."""

    request: HttpRequest
    now: datetime
    user: User | None = None
    link: AbroadLink | None = None

    def answer(self) -> HttpResponse:
        """Show the form, check what was entered, or send in what is right."""
        players = players_to_send(self.user, self.link)
        if self.request.method != "POST":
            named = tuple(players[:MOST_TEAM_PLAYERS]) if self.link else ()
            return self._show(TeamForm(players, named=named))
        data, action = self.request.POST.copy(), self.request.POST.get("do", "look")
        if action == "file" or "file" in self.request.FILES:  # a file that is chosen is not passed over
            return self._fill(TeamForm(players, data))
        if action in ("player", "round"):
            return self._show(self._typed(players))
        form, filled = TeamForm(players, data), list[str]()
        if action != "send":  # what is sent in was seen before
            filled = form.fill()
            if filled:
                form = TeamForm(players, data)
        valid = form.check(at=self.now)
        if action == "send" and valid:
            return self._send(form, valid)
        problems = form.problems()
        return self._show(form, problems=problems, looked=valid, filled=filled, code=422 if problems else 200)

    def refuse(self, why: str) -> HttpResponse:
        """Show what was typed, and why nothing of it is sent in."""
        # Hazard: no player is looked up; who had the address must not learn who has it now.
        return self._show(self._typed(players_to_send(self.user, self.link).none()), closed=why, code=409)

    def _typed(self, players: QuerySet[Player]) -> TeamForm:
        """Return the form as it was typed, with one more row or round if that was asked for, and without messages."""
        action = self.request.POST.get("do")
        wide = widened(self.request.POST, players=int(action == "player"), rounds=int(action == "round"))
        form = TeamForm(players, wide)
        form.quieten()
        for row in form.rows:
            row.problem = ""
        return form

    def _fill(self, form: TeamForm) -> HttpResponse:
        """Fill the form from the file; nothing is checked or sent in yet."""
        file = self.request.FILES.get("file")
        if file is None:
            form.quieten()
            return self._show(form, problems=[("id_file", gettext("Choose the file first."))], code=422)
        results = read_abroad_csv(file.read(MOST_FORM_BYTES + 1))
        errors, notes = list[str](), list[str]()
        for finding in results.findings:
            (errors if finding.severity is Severity.ERROR else notes).append(finding_said(finding))
        filled = list[str]()
        if results.players:
            outcome = fill_from_file(form, results)
            form = TeamForm(form.players, outcome.data)
            errors += [outcome.full] if outcome.full else outcome.remarks
            if not outcome.full:
                filled = [_filled(results), *notes]
        form.quieten()
        problems = [*(("id_file", error) for error in errors), *form.unknown()]
        return self._show(form, problems=problems, filled=filled, code=422 if problems else 200)

    def _send(self, form: TeamForm, valid: list[TeamRow]) -> HttpResponse:
        reason = reason_of(self.request)
        results = valid[0].results.results()
        if not reason and valid[0].player and is_late_now(valid[0].player, results, None, at=self.now):
            return self._show(form, looked=valid, reason_error=late_abroad_text(results), code=422)
        for row in valid:
            assert row.player is not None  # noqa: S101 - of a valid row he is known
            try:
                submit_of_team(
                    row.player, row.results.results(), at=self.now, by=self.user, link=self.link, reason=reason
                )
                row.sent = row.player.number
            except EventError as error:
                row.problem = formatting.sentence(str(error))
        names = ", ".join(row.name for row in valid if row.sent)
        if not form.used:
            text = gettext("The results of %(player)s are with the ratings officer.") % {"player": names}
            messages.success(self.request, text)
            return redirect(reverse("events:abroad-link", args=[token_of(self.link)]) if self.link else "events:mine")
        return self._show(form, problems=form.problems(), sent=names, code=422)

    def _show(
        self,
        form: TeamForm,
        *,
        problems: list[tuple[str, str]] | None = None,
        looked: list[TeamRow] | None = None,
        filled: list[str] | None = None,
        sent: str = "",
        reason_error: str = "",
        closed: str = "",
        code: int = 200,
    ) -> HttpResponse:
        late = ""
        first = next(iter(form.used), None)
        if first and (results := first.results.results()).ends:
            late = late_abroad_text(results) if is_late_now(first.results.player, results, None, at=self.now) else ""
        context = {
            "here": "events",
            "form": form,
            "rows": [
                (row, self._rounds(row), self._outcome(row) if row in (looked or ()) else None) for row in form.rows
            ],
            "full": len(form.rows) >= MOST_TEAM_PLAYERS,
            "longest": form.rounds >= MOST_TEAM_ROUNDS,
            "most": MOST_TEAM_PLAYERS,
            "link": self.link,
            "one": reverse("events:abroad-link", args=[token_of(self.link)]) if self.link else reverse("events:abroad"),
            "problems": [*(problems or ()), *([("id_reason", reason_error)] if reason_error else ())],
            "filled": filled or [],
            "ready": len(looked or ()) if not sent else 0,
            "sent": sent,
            "closed": closed,
            "late": late,
            "reason": reason_of(self.request),
            "reason_error": reason_error,
        }
        return render(self.request, "events/abroad/team.html", context, status=code)

    def _rounds(self, row: TeamRow) -> list[tuple[Any, str]]:
        """Return the forms of the rounds, each with what its opponent counts at."""
        texts = {}
        if row.results.head.is_bound and row.player:
            texts = adjusted_texts(row.results.results(), today=timezone.localdate(self.now))
        return [(game, texts.get(game.round, "")) for game in row.results.games.forms]

    def _outcome(self, row: TeamRow) -> dict[str, Any]:
        """Return what the results of a player come to, and what the officer will look at."""
        assert row.player is not None  # noqa: S101 - of a valid row he is known
        results = row.results.results()
        return {
            "preview": preview(row.player.number, results),
            "findings": [(said(found), found.article) for found in check_results(row.player, results)],
        }


def _filled(results: TeamResults) -> str:
    count = len(results.players)
    text = ngettext(
        "Filled in from the file: %(count)s player. Nothing is sent yet: look it through, and give what is not in the file.",
        "Filled in from the file: %(count)s players. Nothing is sent yet: look it through, and give what is not in the file.",
        count,
    )
    return text % {"count": count}
